#include "output_path.hpp"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "poisson3d/error.hpp"
#include "poisson3d/output_file.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace fs = std::filesystem;

namespace {

constexpr int max_links = 40;  // as many as Linux follows

fs::path directory_of(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

bool is_link(const fs::path& path) {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored));
}

// The links of /proc are open files, whatever their text says.
bool in_procfs(const fs::path& path) {
    struct statfs system {};
    return statfs(directory_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// The file that a link names; empty if it cannot be read.
fs::path next(const fs::path& link) {
    std::error_code cause;
    const fs::path text = fs::read_symlink(link, cause);
    return cause ? fs::path() : directory_of(link) / text;
}

// What the kernel refuses to follow (fs.protected_symlinks): any user could have put it there.
bool planted(const fs::path& link) {
    struct stat itself {
    }, directory{};
    if (lstat(link.c_str(), &itself) != 0 || stat(directory_of(link).c_str(), &directory) != 0) return false;
    return (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & S_IWOTH) != 0 && itself.st_uid != geteuid() &&
           itself.st_uid != directory.st_uid;
}

fs::path follow_links(const std::string& path) {
    fs::path target = path;
    for (int links = 0; is_link(target); ++links) {
        if (links == max_links) fail_output(path, "leads to itself by symbolic links");
        if (in_procfs(target)) fail_output(path, "is a file that is open already, wanted the name of one");
        if (planted(target))
            fail_output(path, target.string() + " is a symbolic link of another user where everybody may write");
        const fs::path there = next(target);
        if (there.empty()) fail_output(path, target.string() + " is a symbolic link that cannot be read");
        target = there;
    }
    return target;
}

std::string cause_text(int number) {
    return std::generic_category().message(number);
}

}  // namespace

void require_room(const std::string& directory, std::uint64_t bytes,
                  const std::function<void(const std::string& what)>& refuse) {
    std::error_code cause;
    const fs::space_info space = fs::space(directory, cause);
    if (cause || space.capacity == 0 || space.capacity == static_cast<std::uintmax_t>(-1)) return;
    if (space.available >= bytes) return;
    std::string needed = format_bytes(bytes), left = format_bytes(space.available);
    if (needed == left) {
        needed = std::to_string(bytes) + " bytes";
        left = std::to_string(space.available) + " bytes";
    }
    refuse("needs " + needed + ", its file system has " + left + " left");
}

void fail_output(const std::string& path, const std::string& what) {
    throw Error(ErrorCode::output, (path.empty() ? "(empty name)" : path) + ": " + what);
}

std::string end_of_links(const std::string& path) {
    fs::path target = path;
    for (int links = 0; links < max_links && is_link(target) && !in_procfs(target); ++links) {
        const fs::path there = next(target);
        if (there.empty()) break;
        target = there;
    }
    return target.string();
}

bool names_open_file(const std::string& path) {
    const fs::path target = end_of_links(path);
    return is_link(target) && in_procfs(target);
}

OutputPath find_output(const std::string& path) {
    if (path.empty()) fail_output(path, "wanted the name of a file");
    const fs::path target = follow_links(path);
    std::error_code cause;
    const auto status = fs::status(target, cause);
    // Neither there nor missing: a name that is too long, say, which would else be found out by the last step.
    if (!fs::status_known(status)) fail_output(path, "no file can have this name: " + cause.message());
    if (fs::is_directory(status) || !target.has_filename())
        fail_output(path, "is a directory, wanted the name of a file");
    const fs::path directory = directory_of(target);
    if (!fs::exists(directory, cause))
        fail_output(path, "there is no directory " + directory.string() + ": make it first");
    if (!fs::is_directory(directory, cause)) fail_output(path, directory.string() + " is not a directory");
    if (fs::exists(status) && !fs::is_regular_file(status))
        fail_output(path, "is not a regular file and cannot be replaced by one");
    if (fs::exists(status) && access(target.c_str(), W_OK) != 0)
        fail_output(path, "is there and may not be written to: " + cause_text(errno));
    if (access(directory.c_str(), W_OK | X_OK) != 0)
        fail_output(path, "no file can be made in directory " + directory.string() + ": " + cause_text(errno));
    OutputPath found{target.string(), directory.string(), {}};
    struct stat replaced {};
    if (stat(target.c_str(), &replaced) == 0)
        found.replaced = replaced;
    else if (errno != ENOENT)
        fail_output(path, "cannot be looked at: " + cause_text(errno));
    return found;
}

}  // namespace poisson3d
