// Which field --preview-of names, and where its middle planes come from.
#pragma once

#include <string>

#include "command_line/options.hpp"
#include "pictures/mid_planes.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/field_file.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"

namespace poisson3d::app {

/// A picture is wanted, and of something that the solution goes into.
bool draws_solution(const SolveOptions& options);

/// As the title of a picture names it.
std::string title_of(const SolveOptions& options, double scale);

/// The planes of that field. The solution is there already (its view is not looked at for a right-hand side);
/// right-hand side, times the scale, and exact solution are read once, slab by slab. `error` less the constant
/// that compare_exact() took out.
template <class T>
MidPlanes preview_planes(const SolveOptions& options, const FieldReader& reader, FieldView<const T> solution,
                         const SolveReport& report, ProgressBar& bar);

}  // namespace poisson3d::app
