// A solve in host memory: the file is read straight into the field and the solution is written from it.
#pragma once

#include <optional>
#include <utility>

#include "solving/copy_time.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// The field, the workspace, and what else the run asks for.
template <class S>
std::size_t bytes_on_host(const SolveTask& task) {
    return fields_of<S> * field_bytes(task.problem, sizeof(ValueOf<S>)) +
           S::workspace_bytes(task.problem, task.options) + task.extra_bytes;
}

template <class S>
class HostBackend final : public SolveBackend<ValueOf<S>> {
    using T = ValueOf<S>;

public:
    using typename SolveBackend<T>::Applied;
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    HostBackend(const SolveTask& task, const BoundaryData<T>& boundary) : task_(task), boundary_(boundary) {
        const std::size_t available = host_memory_for(task);
        require_memory<S>("host", task.problem, bytes_on_host<S>(task), available,
                          "available are " + format_bytes(available));
        solver_.emplace(task.problem, task.options);
    }

    [[nodiscard]] Planned planned() const override { return describe(*solver_); }

    void read(const Fill& fill) override {
        const Extents points = task_.problem.grid.points();
        if (field_.data() == nullptr) field_ = Field<T>(points);
        if (keeps_rhs<S> && rhs_.data() == nullptr) rhs_ = Field<T>(points);
        if (!solver_) solver_.emplace(task_.problem, task_.options);
        for_each_slab(field_.extents()[0], task_.read_planes,
                      [&](Index first, Index count) { fill(first, rhs().slab(first, count)); });
    }

    Solved solve(T scale) override {
        const Stopwatch watch;
        solver_->solve(rhs(), field_.view(), boundary_, scale);
        const Result result = solver_->result();
        return {result, watch.seconds(), solver_->passes()};
    }

    double copy_seconds() override {
        return app::copy_seconds(field_.data(), field_bytes(task_.problem, sizeof(T)), solver_->threads());
    }

    void write(const Take& take) override {
        for_each_slab(field_.extents()[0], task_.write_planes,
                      [&](Index first, Index count) { take(first, solution().slab(first, count)); });
    }

    [[nodiscard]] FieldView<const T> solution() const override { return field_.view(); }

    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls) override {
        if constexpr (keeps_rhs<S>)
            return walls;
        else
            return solver_->faces(walls);
    }

    /// In double L u takes the memory of the solution. In single both solution and solver are given up first, and a
    /// solver in double takes their place.
    void apply_operator(const Applied& applied) override {
        if constexpr (keeps_rhs<S>) {
            refuse_operator();
        } else if constexpr (sizeof(T) == sizeof(double)) {
            solver_->apply(field_.view(), field_.view());
            applied(field_.view(), 0, field_.extents()[0]);
            field_ = Field<T>();
        } else {
            Options wide = task_.options;
            wide.memory = Memory::low;
            wide.threads = solver_->threads();
            solver_.reset();
            Field<double> u = widened(std::move(field_));
            Solver<double>(task_.problem, wide).apply(u.view(), u.view());
            applied(u.view(), 0, u.extents()[0]);
        }
    }

private:
    [[nodiscard]] FieldView<T> rhs() { return keeps_rhs<S> ? rhs_.view() : field_.view(); }

    SolveTask task_;
    BoundaryData<T> boundary_;
    Field<T> field_;  ///< the right-hand side, then the solution; the solution alone …
    Field<T> rhs_;    ///< … if this is there
    std::optional<S> solver_;
};

}  // namespace poisson3d::app
