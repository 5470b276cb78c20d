#include "temporary_file.hpp"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "poisson3d/output_file.hpp"

namespace poisson3d {

namespace {

// Names to remove when the process dies of a signal: a handler may read atomics and call unlink, nothing more.
std::array<std::atomic<char*>, 16> names_to_remove{};
std::atomic<pid_t> owner_of_names{0};  // a child made by fork() must leave the files of its parent alone

int remember(const std::string& name) {
    char* const copy = strdup(name.c_str());
    if (copy == nullptr) return -1;
    owner_of_names = getpid();
    for (std::size_t slot = 0; slot < names_to_remove.size(); ++slot) {
        char* expected = nullptr;
        if (names_to_remove[slot].compare_exchange_strong(expected, copy)) return static_cast<int>(slot);
    }
    std::free(copy);
    return -1;
}

void forget(int slot) noexcept {
    if (slot >= 0) std::free(names_to_remove[static_cast<std::size_t>(slot)].exchange(nullptr));
}

[[noreturn]] void fail() {
    throw std::system_error(errno, std::generic_category());
}

std::string in_proc(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

// Short, so that it fits wherever the final name fits, and hidden, so that patterns like *.h5 do not match it.
std::string unused_name(const std::string& directory) {
    static std::atomic<unsigned> count{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto mixed = static_cast<std::uint64_t>(now.count()) * 0x9e3779b97f4a7c15U + ++count;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "/.poisson3d-%ld-%08x.tmp", static_cast<long>(getpid()),
                  static_cast<unsigned>(mixed >> 32U));
    return directory + text.data();
}

// The same for each run with that target (FNV-1a).
std::string fixed_name(const std::string& directory, const std::string& target) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : target.substr(target.rfind('/') + 1))
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "/.poisson3d-%016llx.tmp", static_cast<unsigned long long>(hash));
    return directory + text.data();
}

// −1 if there can be none: file systems refuse them by many numbers, and they get a name through /proc only.
int open_unnamed(const std::string& directory, mode_t mode) {
#ifdef O_TMPFILE
    const int descriptor = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (descriptor < 0 || access(in_proc(descriptor).c_str(), F_OK) == 0) return descriptor;
    close(descriptor);
#endif
    return -1;
}

constexpr const char* access_list = "system.posix_acl_access";

// True if no list is left out: the new file has the same one, or neither has any.
bool copy_access_list(const std::string& target, int descriptor) {
    std::array<char, 4096> list{};
    const ssize_t size = getxattr(target.c_str(), access_list, list.data(), list.size());
    if (size > 0) return fsetxattr(descriptor, access_list, list.data(), static_cast<std::size_t>(size), 0) == 0;
    const bool none = size == 0 || errno == ENODATA || errno == ENOTSUP || errno == ENOENT || errno == ENOSYS;
    // The directory may have given the new file one.
    if (none && fremovexattr(descriptor, access_list) != 0)
        return errno == ENODATA || errno == ENOTSUP || errno == ENOSYS;
    return none;
}

// Owner, group, permission bits and access control list of `target`, of which `from` was read, for the open file
// `descriptor`. Owner and group only where this user may give them; rights that would then reach other people
// than before are left out. Throws std::system_error.
void copy_access_rights(const std::string& target, const struct stat& from, int descriptor) {
    struct stat now {};
    if (fstat(descriptor, &now) != 0) fail();
    bool same_group = now.st_gid == from.st_gid;
    if (now.st_uid != from.st_uid && fchown(descriptor, from.st_uid, from.st_gid) == 0) same_group = true;
    if (!same_group) same_group = fchown(descriptor, static_cast<uid_t>(-1), from.st_gid) == 0;
    mode_t mode = from.st_mode & 0777U;
    if (!same_group || !copy_access_list(target, descriptor)) mode &= 0707U | (mode & 07U) << 3U;
    // Some file systems know no permissions; there is then nothing to keep.
    if (fchmod(descriptor, mode) != 0 && errno != EPERM && errno != ENOTSUP && errno != ENOSYS) fail();
}

}  // namespace

void sync_to_disk(int descriptor) {
    int answer = 0;
    do answer = fsync(descriptor);
    while (answer != 0 && errno == EINTR);
    if (answer != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS) fail();
}

TemporaryFile::TemporaryFile(const std::string& directory, const std::optional<struct stat>& replaced)
    : directory_(directory), replaced_(replaced) {
    // What replaces a private file must not be read by others meanwhile.
    const mode_t mode = replaced ? 0600 : 0666;
    descriptor_ = open_unnamed(directory, mode);
    while (descriptor_ < 0) {
        set_name(unused_name(directory));
        descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (descriptor_ >= 0) return;
        const int number = errno;
        drop_name();
        errno = number;
        if (errno != EEXIST && errno != EINTR) fail();
    }
}

TemporaryFile::~TemporaryFile() {
    // Emptied first: a process that still has the file open would otherwise keep its space. No error can be
    // reported if this fails, but the compiler wants to see that it was thought of.
    const bool emptied = descriptor_ < 0 || ftruncate(descriptor_, 0) == 0;
    const bool closed = descriptor_ < 0 || close(descriptor_) == 0;
    const bool let_go = handle_ < 0 || close(handle_) == 0;
    const bool removed = name_.empty() || unlink(name_.c_str()) == 0;
    static_cast<void>(emptied && closed && let_go && removed);
    forget(slot_);
}

// Before there is such a file: between the two nothing may come that ends the process.
void TemporaryFile::set_name(std::string name) {
    name_ = std::move(name);
    slot_ = remember(name_);
}

void TemporaryFile::drop_name() noexcept {
    name_.clear();
    forget(std::exchange(slot_, -1));
}

void TemporaryFile::finish(const std::string& target) {
    if (replaced_) copy_access_rights(target, *replaced_, descriptor_);
    sync_to_disk(descriptor_);
    if (name_.empty()) {
        handle_ = open(in_proc(descriptor_).c_str(), O_PATH | O_CLOEXEC);
        if (handle_ < 0) fail();
    }
    // Network file systems tell of lost bytes here. Closed it is, whatever it tells.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail();
}

void TemporaryFile::link(const std::string& target, bool alone) {
    if (!name_.empty()) return;
    const std::string from = in_proc(handle_);
    for (;;) {
        std::string name = alone ? fixed_name(directory_, target) : unused_name(directory_);
        // Another user's may be one that this one cannot remove; then there is another name.
        if (alone) static_cast<void>(unlink(name.c_str()) == 0);
        set_name(std::move(name));
        if (linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
        const int number = errno;
        drop_name();
        errno = number;
        if (errno != EEXIST) fail();
        alone = false;
    }
}

void TemporaryFile::rename(const std::string& target) {
    if (std::rename(name_.c_str(), target.c_str()) != 0) fail();
    drop_name();
}

void TemporaryFile::forget_name() {
    if (name_.empty()) return;
    if (unlink(name_.c_str()) != 0) fail();
    drop_name();
}

void remove_temporary_files() noexcept {
    if (owner_of_names != getpid()) return;
    for (std::atomic<char*>& name : names_to_remove)
        if (const char* const file = name.exchange(nullptr)) unlink(file);
}

}  // namespace poisson3d
