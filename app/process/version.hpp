// Which program this is: version, git revision of the build, CUDA.
#pragma once

#include <string>

namespace poisson3d::app {

std::string version();   ///< "0.1.0"
std::string revision();  ///< the commit it was built from, "-dirty" if files had changed; "unknown" outside git
/// "poisson3d 0.1.0 (revision 0123abcd, built with CUDA 13.0)"
std::string version_text();

}  // namespace poisson3d::app
