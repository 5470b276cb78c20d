// Plans of real lines whose DFTs are two products with matrices (real_matrix_steps.hpp).
#pragma once

#include <vector>

#include "axis_tables.hpp"
#include "matrix_plan.hpp"

namespace poisson3d::lines {

/// Whether the lines of a kind end as one real DFT of all unknowns: periodic ones, of type II, of type IV if their
/// number is odd.
bool ends_as_real_dft(const AxisKind& kind);

/// a, odd, and b, of which the steps take the least time. None: there are none.
std::vector<int> real_matrix_radices(Index length);

MatrixWork real_matrix_work(const std::vector<int>& radices);

/// Sets everything of lines of tables.kind but eigenvalues.
template <class T, class Format>
void make_real_matrices(AxisTables<T, Format>& tables);

}  // namespace poisson3d::lines
