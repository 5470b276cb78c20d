// Judging a solution: its residual, and its distance from an exact one. Both read the input again, slab by slab.
#pragma once

#include <optional>
#include <string>

#include "poisson3d/field_file.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/solver.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace poisson3d::app {

/// The residual of `solution` in double precision. The second-order stencil needs one slab beside the solution.
/// Spectral needs L u as a field: in double a second field beside the solution and the solver's workspace; in
/// single both the solution and the solver are given up first, and a solver in double takes their place.
template <class T>
Residual measure_residual(const FieldReader& reader, const Problem& problem, const Options& options, double scale,
                          double mean, std::optional<Solver<T>>& solver, Field<T>& solution, ProgressBar& bar);

/// Compares with `dataset` of the input. A singular problem fixes its solution up to a constant only: the
/// weighted mean of the difference is taken out before max and root mean square, and told.
template <class T>
SolutionError compare_exact(const FieldReader& reader, const std::string& dataset, const Problem& problem,
                            FieldView<const T> solution);

}  // namespace poisson3d::app
