// Contour lines by marching squares: of values on a rectangular grid, linear along its edges.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace poisson3d::app {

/// Points in units of grid cells: (column, row) with fractions. A closed line ends where it begins.
using ContourLine = std::vector<std::array<double, 2>>;

/// The lines where the values, rows × columns of them, cross a level. Each point lies on the edge of a cell, where
/// linear interpolation along the edge has the level, to rounding. Where the corners of a cell lie above and below
/// in turn, the mean of the four decides which of them belong together. A value that is the level counts as above
/// it. Cells with a corner that is not finite have no line.
std::vector<ContourLine> contour(const std::vector<double>& values, std::size_t rows, std::size_t columns,
                                 double level);

/// How many cells a level crosses: what contour() has to do.
std::size_t crossed_cells(const std::vector<double>& values, std::size_t rows, std::size_t columns, double level);

}  // namespace poisson3d::app
