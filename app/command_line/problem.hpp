// From what a file says and what the options say to the problem that is solved.
#pragma once

#include <array>
#include <optional>

#include "command_line/spec.hpp"
#include "command_line/stretch.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// What the command line says about the problem; empty: nothing, so the file decides.
struct ProblemOptions {
    std::optional<PerAxis<Walls>> boundary;
    std::optional<PerAxis<Centering>> centering;
    std::optional<PerAxis<double>> spacing;
    std::optional<PerAxis<double>> length;    ///< of the box; make and bench only
    std::optional<PerAxis<Stretch>> stretch;  ///< make only
    std::optional<PerAxis<double>> origin;
    std::optional<double> helmholtz;
    std::optional<Discretization> discretization;  ///< empty: second-order, whatever the file says
    std::optional<GaugeWord> gauge;
};

/// Joins both, option over attribute, axis by axis, and validates. Boundary and spacing are never guessed:
/// Error{data} names the option that would give what is missing. Axes with positions get their mean as spacing.
/// Coefficients of an axis stay those of the file, wherever positions or spacing say that its points are.
Problem build_problem(const FieldHeader& header, const ProblemOptions& options);

/// For problems without a file: `points` and defaults for what the options leave open. A bad grid is here the
/// command line's fault, so every complaint is an Error{usage}.
Problem build_problem(const Extents& points, const std::string& default_boundary, double default_length,
                      const ProblemOptions& options);

}  // namespace poisson3d::app
