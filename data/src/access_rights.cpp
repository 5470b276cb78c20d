#include "access_rights.hpp"

#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace poisson3d {

namespace {

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

}  // namespace

void copy_access_rights(const std::string& target, const struct stat& from, int descriptor) {
    struct stat now {};
    if (fstat(descriptor, &now) != 0) throw std::system_error(errno, std::generic_category());
    bool same_group = now.st_gid == from.st_gid;
    if (now.st_uid != from.st_uid && fchown(descriptor, from.st_uid, from.st_gid) == 0) same_group = true;
    if (!same_group) same_group = fchown(descriptor, static_cast<uid_t>(-1), from.st_gid) == 0;
    mode_t mode = from.st_mode & 0777U;
    if (!same_group || !copy_access_list(target, descriptor)) mode &= 0707U | (mode & 07U) << 3U;
    // Some file systems know no permissions; there is then nothing to keep.
    if (fchmod(descriptor, mode) != 0 && errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
        throw std::system_error(errno, std::generic_category());
}

}  // namespace poisson3d
