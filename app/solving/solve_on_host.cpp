// A solve in host memory: the file is read straight into the field and the solution is written from it.
#include <optional>
#include <utility>

#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "solving/copy_time.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_place.hpp"
#include "solving/solver_kind.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

namespace {

/// A sum that is found missing now costs nothing; the same found after reading costs the reading.
template <class S>
void require_memory(const SolveTask& task) {
    using T = ValueOf<S>;
    const Problem& problem = task.problem;
    const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    const std::size_t wanted = fields_of<S> * field + S::workspace_bytes(problem, task.options) + task.beside;
    const std::size_t available = available_host_memory();
    if (available != 0 && wanted > available)
        throw Error(ErrorCode::out_of_memory, "out of host memory: this problem wants " + format_bytes(wanted) +
                                                  (keeps_rhs<S> ? " (two fields of " : " (the field ") +
                                                  format_bytes(field) + "), available are " +
                                                  format_bytes(available) +
                                                  (sizeof(T) == 8 ? "; --precision single takes half of it" : ""));
}

/// In double L u takes the memory of the solution.
Field<double> apply(const SolveTask&, std::optional<Solver<double>>& solver, Field<double>& solution) {
    solver->apply(solution.view(), solution.view());
    return std::move(solution);
}

/// In single both solution and solver are given up first, and a solver in double takes their place.
Field<double> apply(const SolveTask& task, std::optional<Solver<float>>& solver, Field<float>& solution) {
    Options wide = task.options;
    wide.memory = Memory::low;
    wide.threads = solver->threads();
    solver.reset();
    Field<double> operator_field = widened(std::move(solution));
    Solver<double>(task.problem, wide).apply(operator_field.view(), operator_field.view());
    return operator_field;
}

/// Mixed precision is second-order only, whose operator needs no transforms.
Field<double> apply(const SolveTask&, std::optional<MixedSolver>&, Field<double>&) {
    throw Error(ErrorCode::internal, "mixed precision was asked for the operator through its transforms");
}

template <class S>
class SolveOnHost final : public SolvePlace<ValueOf<S>> {
    using T = ValueOf<S>;

public:
    using typename SolvePlace<T>::Fill;
    using typename SolvePlace<T>::Take;

    SolveOnHost(const SolveTask& task, const BoundaryData<T>& boundary) : task_(task), boundary_(boundary) {
        require_memory<S>(task);
    }

    void read(const Fill& fill) override {
        field_ = Field<T>(task_.problem.grid.points());
        if (keeps_rhs<S>) rhs_ = Field<T>(task_.problem.grid.points());
        for_each_slab(field_.extents()[0], task_.read_planes,
                      [&](Index first, Index count) { fill(first, rhs().slab(first, count)); });
    }

    Planned plan() override { return planned(solver_.emplace(task_.problem, task_.options)); }

    Solved solve(T scale) override {
        const Stopwatch watch;
        solver_->solve(rhs(), field_.view(), boundary_, scale);
        const Result result = solver_->result();
        return {result, watch.seconds(), solver_->passes()};
    }

    double copy_seconds() override {
        return app::copy_seconds(field_.data(), static_cast<std::size_t>(field_.size()) * sizeof(T),
                                 solver_->threads());
    }

    void write(const Take& take) override {
        for_each_slab(field_.extents()[0], task_.write_planes,
                      [&](Index first, Index count) { take(first, solution().slab(first, count)); });
    }

    [[nodiscard]] FieldView<const T> solution() const override { return field_.view(); }
    Field<double> apply_operator() override { return apply(task_, solver_, field_); }

private:
    [[nodiscard]] FieldView<T> rhs() { return keeps_rhs<S> ? rhs_.view() : field_.view(); }

    SolveTask task_;
    BoundaryData<T> boundary_;
    Field<T> field_;  ///< the right-hand side, then the solution; the solution alone …
    Field<T> rhs_;    ///< … if this is there
    std::optional<S> solver_;
};

}  // namespace

template <class T>
std::unique_ptr<SolvePlace<T>> solve_on_host(const SolveTask& task, const BoundaryData<T>& boundary) {
    if constexpr (std::is_same_v<T, double>)
        if (task.mixed) return std::make_unique<SolveOnHost<MixedSolver>>(task, boundary);
    return std::make_unique<SolveOnHost<Solver<T>>>(task, boundary);
}

template std::unique_ptr<SolvePlace<float>> solve_on_host(const SolveTask&, const BoundaryData<float>&);
template std::unique_ptr<SolvePlace<double>> solve_on_host(const SolveTask&, const BoundaryData<double>&);

}  // namespace poisson3d::app
