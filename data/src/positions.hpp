// The group /positions: where the points of axes are whose steps differ.
#pragma once

#include <array>
#include <vector>

#include "input.hpp"

namespace poisson3d::h5 {

/// The positions of each axis in index order, by its label; empty for axes that the group does not name. Throws
/// as read_axis_group() says, with as many numbers as the axis has points or one more. Their order is not looked
/// at.
std::array<std::vector<double>, 3> read_positions(const Input& input, const std::array<char, 3>& labels,
                                                  const Extents& points);

}  // namespace poisson3d::h5
