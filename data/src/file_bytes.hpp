// Bytes at given places of open files, whole or not at all; and files for bytes that only this process needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "h5.hpp"
#include "temporary_file.hpp"

namespace poisson3d {

/// Reads `count` bytes from `offset` on. Throws `subject`'s code if the file ends before, or cannot be read.
void read_at(int descriptor, void* to, std::size_t count, std::uint64_t offset, const h5::Subject& subject);

/// Reads what comes next of a file or a pipe, at most `count` bytes; 0 at its end. Throws `subject`'s code.
std::size_t read_next(int descriptor, void* to, std::size_t count, const h5::Subject& subject);

/// Writes `count` bytes from `offset` on. Throws `subject`'s code.
void write_at(int descriptor, const void* from, std::size_t count, std::uint64_t offset,
              const h5::Subject& subject);

/// What the environment variable TMPDIR names, else /tmp.
std::string temporary_directory();

/// A file without a name in temporary_directory(): for fields that cannot be read where they are. It needs no
/// memory of the process, and is gone however that ends. Throws Error{output}.
class ScratchFile {
public:
    ScratchFile();
    /// Throws unless the file system has `bytes` left, or does not say.
    void require_space(std::uint64_t bytes) const;
    [[nodiscard]] int descriptor() const noexcept { return file_.descriptor(); }
    /// What its errors name: "temporary file in /tmp".
    [[nodiscard]] const h5::Subject& subject() const noexcept { return subject_; }

private:
    std::string directory_;
    h5::Subject subject_;
    TemporaryFile file_;
};

}  // namespace poisson3d
