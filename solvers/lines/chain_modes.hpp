// All modes of an axis as a chain or ring (chain.hpp), for axes that are multiplied with matrices:
//
//     K v_k = μ_k D v_k      v_kᵀ D v_l = 0 for k ≠ l      μ_0 ≤ μ_1 ≤ …
//
// K is the matrix of conductances, D the control volumes. By groups in lanes
// (ring_modes.hpp), every mode to the last digits. Where links are so weak that this does not tell what is missing:
// of chains by ladders of twice the precision (ladder_modes.hpp), of rings by rotations (jacobi_modes.hpp).
#pragma once

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

/// `team`: who finds the modes, null for the caller alone; they are the same.
ChainModes make_chain_modes(const Chain& chain, ThreadTeam* team = nullptr);

}  // namespace poisson3d::lines
