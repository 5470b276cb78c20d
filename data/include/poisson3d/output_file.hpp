// A file that appears under its name only when it is whole.
#pragma once

#include <cstdint>
#include <string>

namespace poisson3d {

/// Reserves a name beside `path` to write to, and gives it the final name on publish(). Without publish() the
/// destructor removes what was written; the final name is untouched until then. Throws Error{output}.
class OutputFile {
public:
    /// Checks what can be known before anything is written: the directory exists and may be written to, and the
    /// final name is free or a regular file that may be written to. A symbolic link is followed, so that the file
    /// it names is the one that is replaced.
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// The name to write to: same directory, unique to this process and object. Empty after publish().
    [[nodiscard]] const std::string& temporary() const noexcept { return temporary_; }

    /// Throws if the file system says that it has fewer than `bytes` left for this user.
    void require_space(std::uint64_t bytes) const;

    /// Renames. On failure the temporary file is removed and the final name is as it was.
    void publish();

private:
    void discard() noexcept;

    std::string path_;    // as the caller wrote it, for messages
    std::string target_;  // links followed
    std::string temporary_;
};

}  // namespace poisson3d
