// What makes derivatives of f along free axes those of u (source_derivative.hpp): a solve of all members for each.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "source_derivative.hpp"

namespace poisson3d {

template <class T>
class SourceSolves {
public:
    /// A call of all members. Of `options` those of one right-hand side matter.
    SourceSolves(const Problem& problem, const Decomposition& parts, const Communicator& members,
                 DistributedOptions options) {
        options.batch = 1;
        int same = -1;
        for (int a = 0; a < 3; ++a) {
            if (!derivative_is_solved_for(problem, a)) continue;
            const bool shared = derivative_keeps_problem(problem, a);
            solvers_[index(a)] = shared && same >= 0
                                     ? solvers_[index(same)]
                                     : std::make_shared<DistributedSolver<T>>(problem_of_derivative(problem, a),
                                                                              parts, members, options);
            if (shared) same = a;
        }
    }

    /// ∂f/∂x_axis to ∂u/∂x_axis, in place. A call of all members.
    void solve(int axis, std::span<const FieldView<T>> derivative, T scale, std::span<const Stream> streams) {
        if (solvers_[index(axis)] == nullptr) return;
        from_.assign(derivative.begin(), derivative.end());
        solvers_[index(axis)]->solve(std::span<const FieldView<const T>>(from_), derivative, scale, streams);
    }

    [[nodiscard]] Traffic traffic() const noexcept {
        Traffic all;
        for (const auto& solver : solvers_)
            if (solver) all.messages += solver->traffic().messages, all.bytes += solver->traffic().bytes;
        return all;
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            bool before = false;
            for (std::size_t b = 0; b < a; ++b) before = before || solvers_[a] == solvers_[b];
            if (solvers_[a] && !before) sum += solvers_[a]->workspace();
        }
        return sum;
    }

private:
    static std::size_t index(int axis) { return static_cast<std::size_t>(axis); }

    std::array<std::shared_ptr<DistributedSolver<T>>, 3> solvers_;
    std::vector<FieldView<const T>> from_;
};

}  // namespace poisson3d
