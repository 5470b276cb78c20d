// All modes of a ring by rotations, where ladders cannot tell what is missing (ring_modes.hpp), as where links are
// so weak that eigenvalues are next to nothing, and nearly equal, beside others: in a number of steps that grows as
// n³.
//
//     D^−½ K D^−½ = Rᵀ R
//
// is factored by the elimination without subtractions (elimination.hpp), so that every element of R has a small
// relative error. Columns of Rᵀ, turned in pairs until all are orthogonal, have lengths √μ and directions D^½ v, to
// high relative accuracy, the lowest too; those of the matrix itself would lose as many digits as its condition
// number has. Source: Demmel and Veselić, "Jacobi's method is more accurate than QR", SIAM J. Matrix Anal. Appl. 13
// (1992).
#pragma once

#include <optional>

#include "chain_modes.hpp"

namespace poisson3d::lines {

/// None if columns are not orthogonal after many turns.
std::optional<ChainModes> jacobi_modes(const Chain& ring);

}  // namespace poisson3d::lines
