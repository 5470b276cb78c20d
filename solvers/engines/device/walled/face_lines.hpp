// How faces lie along one of their axes on a GPU, and the transforms of their lines there as matrices.
//
// Whatever happens on faces is symmetric about the middle of an axis between two free faces, so what is even there
// and what is odd never meet: classes 0 and 1, each of half the points and half the modes. With n points, of which
// n − 1 − j is the partner of j,
//
//     sources     e_j = x_j + x_{n−1−j}    o_j = x_j − x_{n−1−j}        (the middle one alone is even)
//     results     x_j = e_j + o_j          x_{n−1−j} = e_j − o_j
//
// Lines of m samples, zero-padded, have as modes the cosines and sines of 2πk (j − (n − 1)/2)/m. An axis with one
// free face, or none, has one class, and the modes of lines/line_modes.hpp.
#pragma once

#include <array>
#include <vector>

#include "face_axis.hpp"
#include "folded_line.hpp"

namespace poisson3d::walled {

/// Places that rows of so many numbers take, each of which begins at 16 bytes.
constexpr Index whole_row(Index numbers) {
    return (numbers + 3) / 4 * 4;
}

struct FaceLines {
    struct Class {
        Index unknowns = 0, modes = 0;  ///< 0 unknowns: of a single point, nothing is odd
        Index first_unknown = 0;
        Index first_place = 0;         ///< of its modes in a row of all
        Index first_row = 0;           ///< of its modes in tables along the axis
        std::vector<double> forward;   ///< a row for each mode: Σ over the unknowns of a source
        std::vector<double> backward;  ///< a row for each unknown
    };

    FoldedLine line;
    Index places = 0;  ///< in a row of all modes: each class begins at 16 bytes, whatever a number has
    std::array<Class, 2> of;
    std::vector<Index> frequencies;  ///< of the rows of tables along the axis
};
FaceLines make_face_lines(const lines::FaceAxis& axis);

}  // namespace poisson3d::walled
