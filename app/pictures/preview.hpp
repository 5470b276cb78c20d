// The picture of --preview: three slices through the middle of a field, with axes, a colour bar and a title.
#pragma once

#include <string>

#include "pictures/canvas.hpp"
#include "pictures/mid_planes.hpp"

namespace poisson3d::app {

/// Draws the planes side by side, all to one scale in physical units, the first of the two axes of a plane to the
/// right, the second upwards. A point is the middle of a rectangle as large as the spacings. At most about 1600
/// pixels wide; a side that would get less than 12 pixels is drawn wider than it is.
Canvas draw_preview(const Grid& grid, const MidPlanes& planes, const std::string& what);

}  // namespace poisson3d::app
