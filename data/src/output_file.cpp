#include "poisson3d/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "output_path.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "temporary_file.hpp"

namespace poisson3d {

namespace fs = std::filesystem;

OutputFile::OutputFile(const std::string& path) : path_(path) {
    const OutputPath found = find_output(path);
    target_ = found.target;
    try {
        temporary_ = std::make_unique<TemporaryFile>(found.directory, found.replaced);
    } catch (const std::system_error& error) {
        fail("cannot be made in directory " + found.directory + ": " + error.code().message());
    }
}

OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&& other) noexcept = default;

int OutputFile::descriptor() const noexcept {
    return temporary_ ? temporary_->descriptor() : -1;
}

void OutputFile::fail(const std::string& what) const {
    fail_output(path_, what);
}

void OutputFile::require_space(std::uint64_t bytes) const {
    const fs::path target = target_;
    std::error_code cause;
    const fs::space_info space = fs::space(target.has_parent_path() ? target.parent_path() : fs::path("."), cause);
    // Some network file systems do not know: then the write itself will tell.
    if (cause || space.capacity == 0 || space.capacity == static_cast<std::uintmax_t>(-1)) return;
    if (space.available >= bytes) return;
    std::string needed = format_bytes(bytes), left = format_bytes(space.available);
    if (needed == left) {
        needed = std::to_string(bytes) + " bytes";
        left = std::to_string(space.available) + " bytes";
    }
    fail("needs " + needed + ", its file system has " + left + " left");
}

void OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor(), bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail("cannot be written: " + std::generic_category().message(errno));
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
}

void OutputFile::finish() {
    if (descriptor() < 0) throw Error(ErrorCode::internal, path_ + ": was finished before");
    try {
        temporary_->finish(target_);
    } catch (const std::system_error& error) {
        temporary_.reset();
        fail("cannot be written: " + error.code().message());
    }
}

}  // namespace poisson3d
