// What a solve does along each axis, and the length that decides how fast: to be told, before anything is planned.
#pragma once

#include <array>
#include <string>

#include "poisson3d/solver.hpp"

namespace poisson3d {

enum class AxisWay {
    transformed,  ///< by a fast transform, forward and back
    eliminated,   ///< in the middle of the passes; its length does not matter
    multiplied,   ///< with the matrix of its eigenvectors, forward and back: 2 n operations a point
    padded,       ///< free: by a fast transform of twice the points
    closed        ///< free: between walls, by two fast transforms forward and back
};

POISSON3D_API const char* name(AxisWay) noexcept;  ///< "transformed", "eliminated", …

struct AxisMethod {
    AxisWay way = AxisWay::transformed;
    std::string transform;  ///< the forward one, "DST-II"; empty if eliminated or multiplied
    Index length = 1;  ///< of the transform: points of cells and periodic axes (padded: twice), of nodes one less,
                       ///< of nodes closed by walls one more; of an axis that is not transformed its unknowns
    Index largest_prime = 1;  ///< of the factors of `length`, if it is transformed: above 13 it is slow; else 1
};

/// For each axis, in index order, what engine host does. (Engines of a GPU may eliminate another axis, and multiply
/// one whose length is slow.) Allocates little. Throws what validate(problem) does, and Error{unsupported} where
/// Options::middle cannot be had.
POISSON3D_API std::array<AxisMethod, 3> axis_methods(const Problem& problem, Middle middle = Middle::automatic);

}  // namespace poisson3d
