// All modes of an axis as a chain or ring (chain.hpp), for axes that are multiplied with matrices:
//
//     K v_k = μ_k D v_k      v_kᵀ D v_l = 0 for k ≠ l      μ_0 ≤ μ_1 ≤ …
//
// K is the matrix of conductances, D the control volumes. By ladders (ladder_modes.hpp, ring_modes.hpp), every mode
// to the last digits. Rings with several parts that are alike, for which that does not go: D^−½ K D^−½ = Rᵀ R is
// factored by the elimination without subtractions (elimination.hpp), so that every element of R has a small
// relative error; its singular values are √μ and its vectors D^½ v, found by one-sided Jacobi rotations to high
// relative accuracy, the lowest too, which the solution depends on most; those of the matrix itself would lose as
// many digits as its condition number has.
//
// Source: Demmel and Veselić, "Jacobi's method is more accurate than QR", SIAM J. Matrix Anal. Appl. 13 (1992);
// LAPACK's dgesvj.
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

/// `team`: who finds the modes of a chain, null for the caller alone; they are the same. Of a ring it takes three
/// times the memory of the result, and throws Error{unsupported} with ring_modes_unavailable().
ChainModes make_chain_modes(const Chain& chain, ThreadTeam* team = nullptr);

/// Why this build has no modes of rings; empty if it has.
std::string ring_modes_unavailable();

}  // namespace poisson3d::lines
