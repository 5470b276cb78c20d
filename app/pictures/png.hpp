// A canvas as the bytes of a PNG file.
#pragma once

#include <string>

#include "pictures/canvas.hpp"

namespace poisson3d::app {

/// 8-bit RGB, compressed by zlib. Throws Error{out_of_memory}.
std::string to_png(const Canvas& canvas);

}  // namespace poisson3d::app
