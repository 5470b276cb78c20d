#include "file_bytes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

// The most that one call of Linux moves is 2 GiB less a page.
constexpr std::size_t most_at_once = std::size_t{1} << 30U;

}  // namespace

std::string temporary_directory() {
    const char* const named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    return named != nullptr && *named != '\0' ? named : "/tmp";
}

void read_at(int descriptor, void* to, std::size_t count, std::uint64_t offset, const h5::Subject& subject) {
    auto* bytes = static_cast<char*>(to);
    while (count > 0) {
        const ssize_t done = pread(descriptor, bytes, std::min(count, most_at_once), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) subject.fail("cannot be read: " + h5::describe_errno(errno));
        if (done == 0)
            subject.fail("ends after " + std::to_string(offset) + " bytes, " + std::to_string(count) +
                         " too early: it is cut off");
        bytes += done;
        count -= static_cast<std::size_t>(done);
        offset += static_cast<std::uint64_t>(done);
    }
}

std::size_t read_next(int descriptor, void* to, std::size_t count, const h5::Subject& subject) {
    for (;;) {
        const ssize_t done = read(descriptor, to, std::min(count, most_at_once));
        if (done >= 0) return static_cast<std::size_t>(done);
        if (errno != EINTR) subject.fail("cannot be read: " + h5::describe_errno(errno));
    }
}

void write_at(int descriptor, const void* from, std::size_t count, std::uint64_t offset,
              const h5::Subject& subject) {
    const auto* bytes = static_cast<const char*>(from);
    while (count > 0) {
        const ssize_t done = pwrite(descriptor, bytes, std::min(count, most_at_once), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) subject.fail("cannot be written: " + h5::describe_errno(errno));
        bytes += done;
        count -= static_cast<std::size_t>(done);
        offset += static_cast<std::uint64_t>(done);
    }
}

ScratchFile::ScratchFile() try
    : directory_(temporary_directory()),
      subject_{ErrorCode::output, "temporary file in " + directory_},
      file_(directory_, {}) {
} catch (const std::system_error& error) {
    throw Error(ErrorCode::output, "no temporary file can be made in " + temporary_directory() + ": " +
                                       error.code().message() + " (TMPDIR names another directory)");
}

void ScratchFile::require_space(std::uint64_t bytes) const {
    std::error_code cause;
    const std::filesystem::space_info space = std::filesystem::space(directory_, cause);
    if (cause || space.capacity == 0 || space.available >= bytes) return;
    subject_.fail("needs " + format_bytes(bytes) + ", its file system has " + format_bytes(space.available) +
                  " left (TMPDIR names another directory)");
}

}  // namespace poisson3d
