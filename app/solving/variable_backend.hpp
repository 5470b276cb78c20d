// A solve with a variable coefficient, its fields in host memory, by whatever engine: two fields beside the solver,
// and those of the coefficient, which go when the solver has it.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>

#include "poisson3d/variable_solver.hpp"
#include "solving/copy_time.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// Fills planes of what varies, if it is there.
template <class T>
struct VariableSource {
    using Fill = typename SolveBackend<T>::Fill;

    Fill at_points;                ///< none, and none on faces: ε is 1
    std::array<Fill, 3> on_faces;  ///< one more along the axis
    Fill helmholtz;
    bool changes = false;  ///< from right-hand side to right-hand side
    std::string where;     ///< for complaints

    /// Fields of these at a time.
    [[nodiscard]] std::size_t fields() const { return (on_faces[0] ? 3 : 1) + (helmholtz ? 1 : 0); }
};

template <class T>
class VariableBackend final : public SolveBackend<T> {
public:
    using typename SolveBackend<T>::Applied;
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    VariableBackend(const SolveTask& task, const BoundaryData<T>& boundary, double tolerance,
                    VariableSource<T> source)
        : task_(task), boundary_(boundary), source_(std::move(source)) {
        control_.tolerance = tolerance;
        const std::size_t field = field_bytes(task.problem, sizeof(T));
        // A GPU takes its own memory, and refuses itself.
        const bool on_gpu = task.options.engine == Engine::fused || task.options.engine == Engine::cufft;
        const std::size_t wanted =
            (2 + source_.fields()) * field +
            (on_gpu ? 0 : VariableSolver<T>::workspace_bytes(task.problem, host(task.options)));
        const std::size_t available = host_memory_for(task);
        require_memory<Solver<T>>("host", task.problem, wanted, available,
                                  "a variable coefficient takes " + std::to_string(wanted / field) +
                                      " of them, available are " + format_bytes(available));
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
        if (!ready_ || source_.changes) set_coefficient();
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

    [[nodiscard]] Field<T> filled(const Extents& extents, const Fill& fill) const {
        Field<T> field(extents);
        for_each_slab(extents[0], task_.read_planes,
                      [&](Index first, Index count) { fill(first, field.view().slab(first, count)); });
        return field;
    }

    void set_coefficient() {
        const Extents points = task_.problem.grid.points();
        Field<T> helmholtz;
        if (source_.helmholtz) helmholtz = filled(points, source_.helmholtz);
        const FieldView<const T> lambda = source_.helmholtz ? helmholtz.view() : FieldView<const T>{};
        ready_ = false;
        try {
            if (source_.on_faces[0]) {
                std::array<Field<T>, 3> faces;
                std::array<FieldView<const T>, 3> views;
                for (std::size_t a = 0; a < 3; ++a) {
                    Extents extents = points;
                    ++extents[a];
                    faces[a] = filled(extents, source_.on_faces[a]);
                    views[a] = faces[a].view();
                }
                solver_->set_coefficient(views, lambda);
            } else {
                const Field<T> coefficient = filled(points, source_.at_points ? source_.at_points : ones);
                solver_->set_coefficient(coefficient.view(), lambda);
            }
        } catch (const Error& error) {
            if (error.code() != ErrorCode::data ||
                std::string(error.what()).find(source_.where) != std::string::npos)
                throw;
            throw Error(ErrorCode::data, source_.where + ": " + error.what());
        }
        ready_ = true;
    }

    static void ones(Index, FieldView<T> planes) {
        for (Index i = 0; i < planes.extents[0]; ++i)
            for (Index j = 0; j < planes.extents[1]; ++j) std::fill_n(&planes(i, j, 0), planes.extents[2], T(1));
    }

    SolveTask task_;
    BoundaryData<T> boundary_;
    VariableSource<T> source_;
    bool ready_ = false;  ///< the solver has its coefficient
    VariableControl control_;
    Field<T> rhs_, solution_;
    std::optional<VariableSolver<T>> solver_;
};

}  // namespace poisson3d::app
