// Judging a solution: its residual, and its distance from an exact one. Both read the input again, slab by slab.
#pragma once

#include <string>

#include "poisson3d/field_file.hpp"
#include "poisson3d/residual.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// The residual in double precision; `boundary` is in host memory. The second-order stencil needs one slab beside
/// the solution; spectral needs L u as a field, for which the backend may give up the solution.
template <class T>
Residual measure_residual(const FieldReader& reader, const Problem& problem, const BoundaryData<double>& boundary,
                          double scale, double mean, SolveBackend<T>& backend, ProgressBar& bar);

/// Compares with `dataset` of the input. A singular problem fixes its solution up to a constant only: the
/// weighted mean of the difference is taken out before max and root mean square, and told.
template <class T>
SolutionError compare_exact(const FieldReader& reader, const std::string& dataset, const Problem& problem,
                            FieldView<const T> solution);

}  // namespace poisson3d::app
