// All modes of an axis as a chain or ring (chain.hpp), for axes that are multiplied with matrices:
//
//     K v_k = μ_k D v_k      v_kᵀ D v_l = 0 for k ≠ l      μ_0 ≤ μ_1 ≤ …
//
// K is the matrix of conductances, D the control volumes. D^−½ K D^−½ = Rᵀ R is factored by the elimination without
// subtractions (elimination.hpp), so that every element of R has a small relative error. R of a chain has two
// diagonals, and its singular values √μ and vectors D^½ v are found to high relative accuracy, the lowest too,
// which the solution depends on most; those of the matrix itself would lose as many digits as its condition number
// has. That of a ring has a full last column besides, and goes by one-sided Jacobi rotations.
//
// Source: Demmel and Kahan, "Accurate singular values of bidiagonal matrices", SIAM J. Sci. Stat. Comput. 11
// (1990); Demmel and Veselić, "Jacobi's method is more accurate than QR", SIAM J. Matrix Anal. Appl. 13 (1992).
// LAPACK does both (dbdsqr, dgesvj).
#pragma once

#include <string>
#include <vector>

#include "chain.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::lines {

/// n × n matrices by rows. Forward, then backward is the identity.
struct ChainModes {
    std::vector<double> eigenvalues;  ///< μ, by mode
    std::vector<double> forward;      ///< a row for each mode. The constant has D/ΣD: its mode is the mean
    std::vector<double> backward;     ///< a row for each unknown. The constant has ones
};

/// Takes three times the memory of the result. `team`: who finds the vectors of a chain, null for the caller alone;
/// they are the same. Throws Error{unsupported} with chain_modes_unavailable().
ChainModes make_chain_modes(const Chain& chain, ThreadTeam* team = nullptr);

/// Why this build has none; empty if it has.
std::string chain_modes_unavailable();

}  // namespace poisson3d::lines
