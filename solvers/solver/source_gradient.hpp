// The spectral gradient along free axes. Beyond a free face u is not known, and its values in the box do not say
// what its derivatives are. f is known there: it is 0. A solution is a convolution, u = −K ∗ S f, which derivatives
// pass:
//
//     ∂u/∂a = −K ∗ S ∂f/∂a
//
// so f is differentiated along its padded lines, and the solver does the rest. Through a wall on the other side f
// goes on with its sign changed (Dirichlet) or kept (Neumann), its derivative the other way round: that is solved
// for with the other wall (derivative_axis). The gauge is a constant and has no part in it. Engine host.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "gradient_modes.hpp"
#include "host_gradient.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Whether a gradient needs f.
inline bool needs_source(const Problem& problem) {
    return problem.discretization == Discretization::spectral && unbounded_axes(problem.grid) > 0;
}

template <class T>
class SourceGradient {
public:
    /// Takes workspace_bytes() of options.workspace if that is given, else of its own.
    SourceGradient(const Problem& problem, const Options& options) {
        Options shared = on_host(options);  // solvers work one at a time
        if (options.workspace.empty()) {
            memory_ = HostBuffer(workspace_bytes(problem, options));
            shared.workspace = {static_cast<std::byte*>(memory_.data()), memory_.size()};
        }
        std::shared_ptr<Solver<T>> same;  // of axes that are free on both sides
        for (int axis = 0; axis < 3; ++axis) {
            if (!solved(problem, axis)) continue;
            const Problem derivative = of_derivative(problem, axis);
            const bool has_wall = derivative.grid.axes[axis].lower != derivative.grid.axes[axis].upper;
            if (has_wall || same == nullptr) solvers_[axis] = std::make_shared<Solver<T>>(derivative, shared);
            if (has_wall) continue;
            if (same == nullptr) same = solvers_[axis];
            solvers_[axis] = same;
        }
    }

    static std::size_t workspace_bytes(const Problem& problem, const Options& options) {
        std::size_t most = 0;
        for (int axis = 0; axis < 3; ++axis)
            if (solved(problem, axis))
                most = std::max(most, Solver<T>::workspace_bytes(of_derivative(problem, axis), on_host(options)));
        return most;
    }

    /// out := ∂u/∂x_axis along a free axis; `out` may be f.
    void derive(int axis, HostGradient<T>& modes, FieldView<const T> f, T scale, FieldView<T> out) {
        std::array<FieldView<T>, 3> only;
        only[axis] = out;
        modes.spectral(f, only);
        if (solvers_[axis] != nullptr) solvers_[axis]->solve(FieldView<const T>(out), out, scale);
    }

private:
    static Options on_host(Options options) {
        options.engine = Engine::host;
        options.batch = 1;
        return options;
    }
    static Problem of_derivative(Problem problem, int axis) {
        problem.grid.axes[axis] = derivative_axis(problem.grid.axes[axis]);
        problem.gauge = {};
        return problem;
    }
    /// A point between a free face and a Neumann wall on that point has no derivative but 0.
    static bool solved(const Problem& problem, int axis) {
        return problem.grid.axes[axis].unbounded() &&
               axis_kind(derivative_axis(problem.grid.axes[axis])).unknowns > 0;
    }

    HostBuffer memory_;
    std::array<std::shared_ptr<Solver<T>>, 3> solvers_;
};

}  // namespace poisson3d
