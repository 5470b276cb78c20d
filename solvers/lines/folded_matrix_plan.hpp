// Plans of lines that are continued beyond their ends, whose DFTs are two products with matrices
// (folded_matrix_steps.hpp).
#pragma once

#include <vector>

#include "axis_tables.hpp"
#include "matrix_plan.hpp"

namespace poisson3d::lines {

/// a, odd, and N/a, of which the steps take the least time. None: there are none.
std::vector<int> folded_matrix_radices(const AxisKind& kind);

MatrixWork folded_matrix_work(const AxisKind& kind, const std::vector<int>& radices);

/// Sets everything of lines of tables.kind, of type I, III or IV, but eigenvalues.
template <class T, class Format>
void make_folded_matrices(AxisTables<T, Format>& tables);

}  // namespace poisson3d::lines
