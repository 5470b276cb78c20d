#include "poisson3d/swap_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <vector>

#include "file_bytes.hpp"
#include "output_path.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "temporary_file.hpp"

namespace poisson3d {

SwapFile::SwapFile(const std::string& path, std::uint64_t bytes)
    : path_(path), directory_(path == "-" ? temporary_directory() : find_output(path).directory) {
    require_room(directory_, bytes, [this](const std::string& what) { fail(what); });
    try {
        file_ = std::make_unique<TemporaryFile>(directory_, std::nullopt);
        file_->forget_name();
    } catch (const std::system_error& error) {
        fail("cannot be made: " + error.code().message());
    }
    reserve(bytes);
}

SwapFile::~SwapFile() = default;

void SwapFile::fail(const std::string& what) const {
    fail_output(path_, "the scratch file for it, in directory " + printable_name(directory_) + ", " + what);
}

void SwapFile::reserve(std::uint64_t bytes) const {
    if (bytes == 0) return;
    int answer = 0;
    do answer = fallocate(file_->descriptor(), 0, 0, static_cast<off_t>(bytes));
    while (answer != 0 && errno == EINTR);
    if (answer == 0 || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return;
    fail("cannot take " + format_bytes(bytes) + ": " + std::generic_category().message(errno));
}

void SwapFile::write(std::uint64_t place, const void* from, std::size_t bytes) {
    const auto* next = static_cast<const std::byte*>(from);
    while (bytes > 0) {
        const ssize_t done = pwrite(file_->descriptor(), next, bytes, static_cast<off_t>(place));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail("cannot be written: " + std::generic_category().message(errno));
        next += done, place += static_cast<std::uint64_t>(done), bytes -= static_cast<std::size_t>(done);
    }
}

void SwapFile::read(std::uint64_t place, void* to, std::size_t bytes) const {
    auto* next = static_cast<std::byte*>(to);
    while (bytes > 0) {
        const ssize_t done = pread(file_->descriptor(), next, bytes, static_cast<off_t>(place));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail("cannot be read: " + std::generic_category().message(errno));
        if (done == 0) fail("ends before its time: something has cut it off");
        next += done, place += static_cast<std::uint64_t>(done), bytes -= static_cast<std::size_t>(done);
    }
}

double SwapFile::measure_writing(std::size_t bytes) {
    using Clock = std::chrono::steady_clock;
    const std::vector<std::byte> zeros(std::size_t{1} << 20);
    const Clock::time_point begin = Clock::now();
    for (std::size_t done = 0; done < bytes; done += zeros.size()) write(done, zeros.data(), zeros.size());
    if (fdatasync(file_->descriptor()) != 0 && errno != EINVAL && errno != ENOSYS)
        fail("cannot be written: " + std::generic_category().message(errno));
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return seconds > 0.0 ? static_cast<double>(bytes) / seconds : 0.0;
}

}  // namespace poisson3d
