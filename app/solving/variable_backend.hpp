// A solve with a variable coefficient, in host memory: three fields beside the solver, one of which goes when the
// solver has its coefficient.
#pragma once

#include <functional>
#include <optional>

#include "poisson3d/variable_solver.hpp"
#include "solving/copy_time.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

template <class T>
class VariableBackend final : public SolveBackend<T> {
public:
    using typename SolveBackend<T>::Applied;
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    /// `coefficient` fills planes of it, in read().
    VariableBackend(const SolveTask& task, const BoundaryData<T>& boundary, double tolerance, Fill coefficient)
        : task_(task), boundary_(boundary), coefficient_(std::move(coefficient)) {
        control_.tolerance = tolerance;
        const std::size_t field = field_bytes(task.problem, sizeof(T));
        const std::size_t wanted = 12 * field + Solver<T>::workspace_bytes(task.problem, host(task.options));
        const std::size_t available = host_memory_for(task);
        require_memory<Solver<T>>(
            "host", task.problem, wanted, available,
            "a variable coefficient takes twelve of them, available are " + format_bytes(available));
        solver_.emplace(task.problem, task.options);
    }

    [[nodiscard]] Planned planned() const override {
        return {solver_->engine(),
                Memory::fast,
                solver_->workspace(),
                solver_->description(),
                solver_->range(),
                {},
                {}};
    }

    void read(const Fill& fill) override {
        const Extents points = task_.problem.grid.points();
        Field<T> coefficient(points);
        for_each_slab(points[0], task_.read_planes, [&](Index first, Index count) {
            coefficient_(first, coefficient.view().slab(first, count));
        });
        solver_->set_coefficient(coefficient.view());
        if (rhs_.data() == nullptr) rhs_ = Field<T>(points);
        for_each_slab(points[0], task_.read_planes,
                      [&](Index first, Index count) { fill(first, rhs_.view().slab(first, count)); });
        if (solution_.data() == nullptr) solution_ = Field<T>(points);
    }

    Solved solve(T scale) override {
        const Stopwatch watch;
        const VariableResult result = solver_->solve(rhs_.view(), solution_.view(), boundary_, scale, control_);
        return {{result.singular, result.mean_removed}, watch.seconds(), {}, result};
    }

    double copy_seconds() override {
        return app::copy_seconds(solution_.data(), field_bytes(task_.problem, sizeof(T)), solver_->threads());
    }

    void write(const Take& take) override {
        for_each_slab(solution_.extents()[0], task_.write_planes,
                      [&](Index first, Index count) { take(first, solution().slab(first, count)); });
    }

    [[nodiscard]] FieldView<const T> solution() const override { return solution_.view(); }
    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls) override { return walls; }
    void apply_operator(const Applied&) override {
        throw Error(ErrorCode::internal, "a variable coefficient was asked for its operator through transforms");
    }

private:
    static Options host(Options options) {
        options.engine = Engine::host;
        return options;
    }

    SolveTask task_;
    BoundaryData<T> boundary_;
    Fill coefficient_;
    VariableControl control_;
    Field<T> rhs_, solution_;
    std::optional<VariableSolver<T>> solver_;
};

}  // namespace poisson3d::app
