// The spectral gradient along free axes. Beyond a free face u is not known, and its values in the box do not say
// what its derivatives are. f is known there: it is 0. A solution is a convolution, u = −K ∗ S f, which derivatives
// pass:
//
//     ∂u/∂a = −K ∗ S ∂f/∂a
//
// so f is differentiated along its padded lines, and a solver does the rest. Through a wall on the other side f
// goes on with its sign changed (Dirichlet) or kept (Neumann), its derivative the other way round: that is solved
// for with the other wall (derivative_axis). The gauge is a constant and has no part in it.
#pragma once

#include "gradient_modes.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Whether a gradient needs f.
inline bool needs_source(const Problem& problem) {
    return problem.discretization == Discretization::spectral && unbounded_axes(problem.grid) > 0;
}

/// The problem of ∂u/∂x_axis, of which ∂f/∂x_axis is the right-hand side.
inline Problem problem_of_derivative(Problem problem, int axis) {
    problem.grid.axes[static_cast<std::size_t>(axis)] =
        derivative_axis(problem.grid.axes[static_cast<std::size_t>(axis)]);
    problem.gauge = {};
    return problem;
}

/// Whether it is solved for: along free axes. A point between a free face and a Neumann wall on that point has no
/// derivative but 0.
inline bool derivative_is_solved_for(const Problem& problem, int axis) {
    const Axis& of = problem.grid.axes[static_cast<std::size_t>(axis)];
    return of.unbounded() && axis_kind(derivative_axis(of)).unknowns > 0;
}

/// Whether that problem is the one of u, but for the gauge: along axes that are free on both sides, which share a
/// solver.
inline bool derivative_keeps_problem(const Problem& problem, int axis) {
    const Axis& of = problem.grid.axes[static_cast<std::size_t>(axis)];
    return of.lower == of.upper;
}

}  // namespace poisson3d
