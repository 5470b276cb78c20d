// A view of the file as VTK's own HDF5 format, without copying a value.
#pragma once

#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// Adds the group /VTKHDF to an open file: an ImageData whose points are the stored points of `grid`. PointData
/// holds hard links to `datasets` ("/gradient/x" appears as gradient_x).
///
/// VTK counts the last index of an array as its first axis; Origin and Spacing are given so, and Direction turns
/// the axes back, so that the point (i, j, k) lies where the grid says: axis `a` runs along x, y or z as its label
/// says, or along the a-th of them if the labels are other letters. Throws `subject`'s code.
void write_vtkhdf(hid_t file, const h5::Subject& subject, const Grid& grid,
                  const std::vector<std::string>& datasets);

}  // namespace poisson3d
