// Names of files: whether two mean the same one.
#pragma once

#include <string>

namespace poisson3d::app {

/// True if both names lead to one file: by links of any kind, other spellings of the path, or the same name of a
/// file that is not there yet.
bool same_file(const std::string& first, const std::string& second);

}  // namespace poisson3d::app
