// Who may read and write a file that takes the place of another.
#pragma once

#include <sys/stat.h>

#include <string>

namespace poisson3d {

/// Owner, group, permission bits and access control list of `target`, of which `from` was read, for the open file
/// `descriptor`. Owner and group only where this user may give them; rights that would then reach other people
/// than before are left out. Throws std::system_error.
void copy_access_rights(const std::string& target, const struct stat& from, int descriptor);

}  // namespace poisson3d
