// The kinds of picture files, and whether this build can draw at all.
#pragma once

#include <string>

namespace poisson3d::app {

enum class PictureFormat { png, pdf, svg };

/// By the ending of the name: .png, .pdf or .svg, in letters of any case. Throws Error{usage} for another ending,
/// Error{unsupported} in a build without Cairo; both name the option.
PictureFormat picture_format(const std::string& option, const std::string& name);

}  // namespace poisson3d::app
