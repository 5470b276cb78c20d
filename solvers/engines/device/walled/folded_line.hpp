// The points of a line about its middle: even and odd ones, where it has two free faces (face_lines.hpp).
#pragma once

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::walled {

struct FoldedLine {
    Index points = 0;
    int classes = 1;

    /// Points of class 0, which come first; those of class 1 follow.
    [[nodiscard]] POISSON3D_HD Index even() const { return classes == 2 ? (points + 1) / 2 : points; }
    [[nodiscard]] POISSON3D_HD Index partner(Index j) const { return points - 1 - j; }
    /// Classes that have a number for point j < even(): one in the middle.
    [[nodiscard]] POISSON3D_HD int classes_at(Index j) const { return classes == 2 && 2 * j != points - 1 ? 2 : 1; }
};

}  // namespace poisson3d::walled
