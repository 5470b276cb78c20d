// A file that appears under its name only when it is whole and on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace poisson3d {

class TemporaryFile;

/// A file without a name in the directory of `path`, of which nothing is left however the process ends; where the
/// file system has no such files, a hidden one (`.poisson3d-….tmp`) that the destructor removes. finish() puts it
/// on disk, publish() gives it its name. Until then a file that had that name is untouched. All throw
/// Error{output}. "-" is standard output: the file then lies in a temporary directory until publish() copies it
/// there.
class OutputFile {
public:
    /// Checks what can be known before anything is written: the directory exists and may be written to, and the
    /// final name is free or a regular file that may be written to. Symbolic links are followed, so that the file
    /// they name is the one that is made or replaced, in its own directory.
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// As the caller wrote it.
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Open for reading and writing until finish(), which closes it. To close it earlier, close a copy.
    [[nodiscard]] int descriptor() const noexcept;

    /// Throws if the file system says that it has fewer than `bytes` left for this user.
    void require_space(std::uint64_t bytes) const;
    /// Appends.
    void write(std::string_view bytes);
    /// Everything is on disk and closed when this returns. The file has then the permissions of the one that it
    /// is to replace, and its owner and group where this user may give them; a new file has those of any new file.
    void finish();
    /// After finish(): a name, beside the final one and hidden, by which other processes open it before publish().
    [[nodiscard]] std::string hidden_path();
    /// What these have written is on disk when this returns.
    void sync();
    /// After finish().
    void publish();

private:
    friend void publish(std::vector<OutputFile>& files);
    [[nodiscard]] bool is_stream() const noexcept { return path_ == "-"; }
    [[nodiscard]] bool finished() const noexcept;
    void copy_to_standard_output() const;
    [[noreturn]] void fail(const std::string& what) const;

    std::string path_;
    std::string target_;  // links followed
    std::unique_ptr<TemporaryFile> temporary_;
    bool stream_finished_ = false;
};

/// Gives finished files their names, all or none of them as far as the file system can, while holding a lock
/// (`flock`) on their directories: of two runs that write the same files one comes after the other. Who holds such
/// a lock for longer than two seconds is not waited for. If one cannot be renamed after others were, the error
/// says which are new. When this returns the names are on disk as well. Then what is for standard output goes
/// there.
void publish(std::vector<OutputFile>& files);

/// The file that `path` leads to by symbolic links, whether it is there or not, or the last link that can be
/// followed.
std::string end_of_links(const std::string& path);

/// `path` leads to a file that this process has open (/dev/stdout, /proc/self/fd/3), whatever kind of file it is.
bool names_open_file(const std::string& path);

/// For handlers of signals, when the process is about to die: removes the hidden files that still are there.
void remove_temporary_files() noexcept;

}  // namespace poisson3d
