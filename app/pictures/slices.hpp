// The picture of planes through fields: colours, contour lines, axes, a colour bar for each field.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pictures/colour_scale.hpp"
#include "pictures/picture_format.hpp"
#include "pictures/section.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::app {

/// What is drawn of one field.
struct FieldSlices {
    std::string title;                      ///< "solution of water.h5"
    std::string name;                       ///< "solution", beside the colour bar
    std::string unit;                       ///< of the values; may be empty
    std::array<std::string, 3> axis_units;  ///< may be empty
    Grid grid;
    Sections planes;
};

/// Draws the planes of each field side by side, three in a row, all to one scale in physical units, the first of
/// the two axes of a plane to the right, the second upwards. Fields of one plane each stand side by side, others
/// below each other; each has its own colours. Contour lines are at the labels of the colour bar, negative ones
/// dashed where both signs matter; they are left out where a field lies at that value (a twentieth of the plane or
/// more), and on planes of noise. About 840 pixels wide (a PNG: 1680) or less; a side that would get less than 12
/// pixels is drawn wider than it is. Returns the bytes of the file. Throws Error{usage} as ColourScale does.
std::string draw_slices(const std::vector<FieldSlices>& fields, const ColourOptions& colours, PictureFormat format);

}  // namespace poisson3d::app
