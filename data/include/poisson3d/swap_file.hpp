// A file that holds numbers while the process works, and of which nothing is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace poisson3d {

class TemporaryFile;

/// A file without a name, which is gone however the process ends. All throw Error{output} naming the output that it
/// is for, and its directory.
class SwapFile {
public:
    /// In the directory of the output `path` ("-": in a temporary one), with room for so many bytes, which are
    /// taken from the file system at once where it can do that.
    SwapFile(const std::string& path, std::uint64_t bytes);
    ~SwapFile();
    SwapFile(const SwapFile&) = delete;
    SwapFile& operator=(const SwapFile&) = delete;

    [[nodiscard]] const std::string& directory() const noexcept { return directory_; }

    void write(std::uint64_t place, const void* from, std::size_t bytes);
    /// What was not written before is zeros.
    void read(std::uint64_t place, void* to, std::size_t bytes) const;
    /// Bytes per second at which `bytes` get to the disk, measured by writing zeros to the beginning of the file.
    double measure_writing(std::size_t bytes);

private:
    [[noreturn]] void fail(const std::string& what) const;
    void reserve(std::uint64_t bytes) const;

    std::string path_, directory_;
    std::unique_ptr<TemporaryFile> file_;
};

}  // namespace poisson3d
