// How a closed face lies along one of its axes (face_tables.hpp): in modes, where the axis is not free; else in
// lines padded with zeros, whose modes turn convolutions with the kernel into products. A padded line has modes of
// the kind of its wall: periodic between two free faces, cosines or sines where one end is a wall with an image
// behind it. It is as long as points and images are apart, and longer up to a length of fast transforms. Source:
// Hockney, Methods in Computational Physics 9 (1970).
#pragma once

#include <algorithm>

#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

/// How a face lies along one of its axes.
struct FaceAxis {
    bool free = false;
    Axis lines;         ///< free: zero-padded lines. Else the axis itself, in whose modes the face is
    Index count = 0;    ///< unknowns of the box
    Index samples = 0;  ///< of those lines, and modes
    Index offset = 0;   ///< where unknowns begin in a padded line
    Index frequencies = 0;

    [[nodiscard]] Index frequency(Index mode) const noexcept {
        return lines.periodic() ? std::min(mode, samples - mode) : mode;
    }
};
FaceAxis face_axis(const Axis& axis);

/// Half the period of padded lines, in points.
Index half_period(const FaceAxis& axis);

/// The farthest that points, or points and images, are apart.
Index reach(const Axis& axis);

}  // namespace poisson3d::lines
