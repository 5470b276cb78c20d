// All modes of an axis as matrices, for lines that are multiplied with them: of a uniform axis
//
//     y_k = Σ_j w_j v_k(j) x_j / |v_k|      x_j = Σ_k v_k(j) y_k / |v_k|      |v_k|² = Σ_j w_j v_k(j)²
//
// with the sines and cosines of the table in axis_kind.hpp, w_j = ½ at Neumann nodes, else 1; of any other axis by
// chain_modes.hpp. Elements are those of wave_tables.hpp. Modes of a uniform axis between faces of one kind, or
// periodic, are even or odd about its middle.
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::lines {

/// n × n matrices by rows. Forward, then backward is the identity.
struct LineModes {
    std::vector<Index> slots;         ///< by mode, of a uniform axis: its place in eigenvalues() (spectrum.hpp)
    std::vector<double> eigenvalues;  ///< −μ ≤ 0, by mode: even ones before odd ones. The constant is the first
    std::vector<double> forward;      ///< a row for each mode. The constant's mode is the mean
    std::vector<double> backward;     ///< a row for each unknown
};

/// Of a second-order axis. `team`: who finds them, null for the caller alone.
LineModes make_line_modes(const Axis& axis, ThreadTeam* team = nullptr);

/// Whether every mode is even or odd, and how many are even.
bool has_even_modes(const Axis& axis);
Index even_modes(const Axis& axis);

}  // namespace poisson3d::lines
