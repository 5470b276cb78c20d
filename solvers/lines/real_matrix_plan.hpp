// Plans of real lines whose DFTs are two products with matrices (real_matrix_steps.hpp).
#pragma once

#include <vector>

#include "axis_tables.hpp"

namespace poisson3d::lines {

/// Whether the lines of a kind end as one real DFT of all unknowns: periodic ones, of type II, of type IV if their
/// number is odd.
bool ends_as_real_dft(const AxisKind& kind);

/// a, odd, and b, of which the steps take the least time. None: there are none.
std::vector<int> real_matrix_radices(Index length);

/// The warps of a block of so many complex lines with which the steps take the least time, and that: in cycles of a
/// multiprocessor for a block, estimated.
struct RealMatrixBlock {
    int warps;
    double cycles;
};
RealMatrixBlock fastest_block(int a, int b, int lines);

/// Sets everything of lines of tables.kind but eigenvalues.
template <class T, class Format>
void make_real_matrices(AxisTables<T, Format>& tables);

}  // namespace poisson3d::lines
