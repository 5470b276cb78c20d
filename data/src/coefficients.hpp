// The groups /conductances and /weights: axes whose second derivative is given by its numbers.
#pragma once

#include <array>

#include "input.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::h5 {

/// The coefficients of each axis in index order, by its label; none for axes that the groups do not name. Throws as
/// read_axis_group() says, and Error{data} for an axis in one group only, for a conductance below 0 and for a
/// weight that is not above 0 (the first, with its index). Which counts cells and nodes have, and where a
/// conductance may be 0, the boundary decides: validate() looks at that.
std::array<Coefficients, 3> read_coefficients(const Input& input, const std::array<char, 3>& labels,
                                              const Extents& points);

}  // namespace poisson3d::h5
