#include "poisson3d/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw Error(ErrorCode::output, (path.empty() ? "(empty name)" : path) + ": " + what);
}

std::string cause_text(int number) {
    return std::generic_category().message(number);
}

fs::path directory_of(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

// Short, so that it fits wherever the final name fits, and hidden, so that patterns like *.h5 do not meet it.
fs::path temporary_name(const fs::path& directory) {
    std::random_device random;
    std::error_code ignored;
    for (;;) {
        char text[64];
        std::snprintf(text, sizeof text, ".poisson3d-%ld-%08x.tmp", static_cast<long>(getpid()),
                      static_cast<unsigned>(random()));
        if (!fs::exists(fs::symlink_status(directory / text, ignored))) return directory / text;
    }
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
    std::error_code cause;
    if (fs::is_symlink(fs::symlink_status(path, cause))) target_ = fs::weakly_canonical(path, cause).string();
    const fs::path target = target_;
    if (path.empty()) fail(path, "wanted the name of a file");
    const auto status = fs::status(target, cause);
    // Neither there nor missing: a name that is too long, say, which would else be found out by the last step.
    if (!fs::status_known(status)) fail(path, "no file can have this name: " + cause.message());
    if (fs::is_directory(status) || !target.has_filename()) fail(path, "is a directory, wanted the name of a file");
    const fs::path directory = directory_of(target);
    if (!fs::exists(directory, cause))
        fail(path, "there is no directory " + directory.string() + ": make it first");
    if (!fs::is_directory(directory, cause)) fail(path, directory.string() + " is not a directory");
    if (fs::exists(status) && !fs::is_regular_file(status))
        fail(path, "is not a regular file and cannot be replaced by one");
    if (fs::exists(status) && access(target.c_str(), W_OK) != 0)
        fail(path, "is there and may not be written to: " + cause_text(errno));
    if (access(directory.c_str(), W_OK | X_OK) != 0)
        fail(path, "no file can be made in directory " + directory.string() + ": " + cause_text(errno));
    temporary_ = temporary_name(directory).string();
}

OutputFile::~OutputFile() {
    discard();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
    if (this != &other) {
        discard();
        path_ = std::move(other.path_);
        target_ = std::move(other.target_);
        temporary_ = std::exchange(other.temporary_, {});
    }
    return *this;
}

void OutputFile::require_space(std::uint64_t bytes) const {
    std::error_code cause;
    const fs::space_info space = fs::space(directory_of(target_), cause);
    // Some network file systems do not know: then the write itself will tell.
    if (cause || space.capacity == 0 || space.capacity == static_cast<std::uintmax_t>(-1)) return;
    if (space.available >= bytes) return;
    std::string needed = format_bytes(bytes), left = format_bytes(space.available);
    if (needed == left) {
        needed = std::to_string(bytes) + " bytes";
        left = std::to_string(space.available) + " bytes";
    }
    fail(path_, "needs " + needed + ", its file system has " + left + " left");
}

void OutputFile::publish() {
    if (temporary_.empty()) throw Error(ErrorCode::internal, path_ + ": was published before");
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
        const int number = errno;
        discard();
        fail(path_, "cannot be given its name: " + cause_text(number));
    }
    temporary_.clear();
}

void OutputFile::discard() noexcept {
    if (temporary_.empty()) return;
    // Emptied first: whoever still has the file open would otherwise keep its space.
    // Nobody is left to tell if this fails, but the compiler wants to see that it was thought of.
    const bool emptied = truncate(temporary_.c_str(), 0) == 0;
    const bool removed = unlink(temporary_.c_str()) == 0;
    static_cast<void>(emptied && removed);
    temporary_.clear();
}

}  // namespace poisson3d
