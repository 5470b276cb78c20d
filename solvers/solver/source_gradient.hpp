// The spectral gradient along free axes (source_derivative.hpp), by one host or GPU.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "poisson3d/memory.hpp"
#include "poisson3d/solver.hpp"
#include "source_derivative.hpp"

namespace poisson3d {

template <class T>
class SourceGradient {
public:
    /// By options.engine. Takes workspace_bytes() of options.workspace if that is given, else of its own.
    SourceGradient(const Problem& problem, const Options& options) {
        Options each = one_field(options);
        const bool on_host = options.engine == Engine::host;
        if (options.workspace.empty() && on_host) {
            memory_ = HostBuffer(workspace_bytes(problem, options));
            each.workspace = {static_cast<std::byte*>(memory_.data()), memory_.size()};
        }
        for (const Part& part : parts(problem, options)) {
            if (part.same_as >= 0) {
                solvers_[part.axis] = solvers_[part.same_as];
                continue;
            }
            Options here = each;
            if (!each.workspace.empty()) here.workspace = each.workspace.subspan(part.offset, part.bytes);
            solvers_[part.axis] = std::make_shared<Solver<T>>(problem_of_derivative(problem, part.axis), here);
        }
    }

    static std::size_t workspace_bytes(const Problem& problem, const Options& options) {
        std::size_t most = 0;
        for (const Part& part : parts(problem, options)) most = std::max(most, part.offset + part.bytes);
        return most;
    }

    /// out := ∂u/∂x_axis along a free axis; `out` may be f. `differentiate(f, components)` gives spectral
    /// derivatives.
    template <class Differentiate>
    void derive(int axis, const Differentiate& differentiate, FieldView<const T> f, T scale, FieldView<T> out,
                Stream stream) {
        std::array<FieldView<T>, 3> only;
        only[axis] = out;
        differentiate(f, only);
        if (solvers_[axis] != nullptr) solvers_[axis]->solve(FieldView<const T>(out), out, scale, stream);
    }

private:
    /// The solver of an axis, or which other one it shares: that of axes that are free on both sides.
    struct Part {
        int axis, same_as;
        std::size_t offset, bytes;
    };
    /// On the host solvers work one at a time in the same memory; on a GPU it holds their tables, too.
    static std::vector<Part> parts(const Problem& problem, const Options& options) {
        constexpr std::size_t alignment = 256;
        std::vector<Part> all;
        std::size_t end = 0;
        int same = -1;
        for (int axis = 0; axis < 3; ++axis) {
            if (!derivative_is_solved_for(problem, axis)) continue;
            const Problem derivative = problem_of_derivative(problem, axis);
            const bool has_wall = !derivative_keeps_problem(problem, axis);
            if (!has_wall && same >= 0) {
                all.push_back({axis, same, 0, 0});
                continue;
            }
            const std::size_t bytes = Solver<T>::workspace_bytes(derivative, one_field(options));
            all.push_back({axis, -1, end, bytes});
            if (options.engine != Engine::host) end += (bytes + alignment - 1) / alignment * alignment;
            if (!has_wall) same = axis;
        }
        return all;
    }

    static Options one_field(Options options) {
        options.batch = 1;
        return options;
    }

    HostBuffer memory_;
    std::array<std::shared_ptr<Solver<T>>, 3> solvers_;
};

}  // namespace poisson3d
