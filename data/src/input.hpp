// An open field file: finding objects in it, along links of every kind, so that what is named is found or refused.
#pragma once

#include <exception>
#include <string>

#include "h5.hpp"
#include "input_files.hpp"
#include "trial.hpp"

namespace poisson3d::h5 {

class Input {
public:
    /// Opens a file for reading. Throws Error{file} naming the cause: missing, a directory, not HDF5, damaged;
    /// OutputIsInput. `heartbeat` is told of work that may take a while.
    Input(const std::string& path, const ReadOptions& options, Heartbeat heartbeat);
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    /// The object that `path` leads to; an invalid handle if a link of it is missing, or stands below something
    /// that is no group. Throws Error{file} for a link that is there and leads nowhere: to a name, a file or an
    /// object that is missing, or to a file that cannot be read; Error{out_of_memory}.
    [[nodiscard]] Object find(const std::string& path) const;
    /// A data set that find() found, with room for decompressed chunks. Throws Error{file} if it lies in a file
    /// that is none of files().
    [[nodiscard]] Dataset open_dataset(const std::string& path) const;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] hid_t file() const noexcept { return file_.get(); }
    [[nodiscard]] InputFiles& files() const noexcept { return files_; }
    [[nodiscard]] bool allow_fill() const noexcept { return allow_fill_; }

    /// Says that the next step may take that many seconds of work without being stuck.
    void expect_work(double seconds) const { heartbeat_(seconds); }

private:
    [[noreturn]] void refuse_link(hid_t group, const std::string& link, const std::string& path,
                                  const Failure& failure) const;
    static herr_t follow(const char* parent, const char* group, const char* child, const char* object,
                         unsigned* flags, hid_t access, void* self) noexcept;

    std::string path_;
    bool allow_fill_;
    Heartbeat heartbeat_;
    mutable InputFiles files_;
    mutable std::exception_ptr refused_;  // what a call of follow() has to say; it must not throw through C code
    Properties links_;                    // how links are followed
    Properties datasets_;                 // the same, and how data sets are opened
    File file_;
};

/// Room for decompressed chunks that straddle two slabs, per data set.
constexpr std::size_t chunk_cache_bytes = std::size_t{8} << 20;

}  // namespace poisson3d::h5
