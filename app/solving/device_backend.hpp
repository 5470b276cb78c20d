// A solve in the memory of a GPU: one field there, copied in and out in slabs while the file is read and written.
// The host holds the solution once if it is compared, drawn or verified.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "solving/copy_time.hpp"
#include "solving/device_boundary.hpp"
#include "solving/device_field.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// The fields and the smallest workspace that the options allow.
template <class S>
std::size_t device_bytes(const Problem& problem, Options options) {
    if (options.memory == Memory::automatic) options.memory = Memory::low;
    return fields_of<S> * field_bytes(problem, sizeof(ValueOf<S>)) + S::workspace_bytes(problem, options);
}

/// For L u in double precision: as little as there is; speed matters less here.
inline Options smallest(Options options, Engine engine) {
    options.engine = engine;
    options.memory = Memory::low;
    return options;
}

/// What the host holds at most: the solution, the slabs, and L u of a solution in single precision, which is
/// computed on the host if the device has no room for it.
template <class S>
std::size_t host_bytes(const SolveTask& task, Index slab_planes, std::size_t free_on_device) {
    using T = ValueOf<S>;
    const Problem& problem = task.problem;
    std::size_t bytes = fields_of<S> * DeviceField<T>::slab_bytes(problem.grid.points(), slab_planes);
    if (task.keep) bytes += field_bytes(problem, sizeof(T));
    if (!task.apply || sizeof(T) == sizeof(double)) return bytes + task.extra_bytes;
    std::size_t checking = field_bytes(problem, sizeof(double));
    if (device_bytes<Solver<double>>(problem, smallest(task.options, task.options.engine)) > free_on_device)
        checking += Solver<double>::workspace_bytes(problem, smallest(task.options, Engine::host));
    return bytes + std::max(checking, task.extra_bytes);
}

template <class S>
void require_both_memories(const SolveTask& task, std::size_t boundary_bytes, Index slab_planes) {
    const std::size_t free = free_device_memory(), available = host_memory_for(task);
    const std::size_t wanted = device_bytes<S>(task.problem, task.options) + boundary_bytes;
    require_memory<S>("device", task.problem, wanted, std::max<std::size_t>(free, 1),
                      "free are " + format_bytes(free) + " on GPU " + std::to_string(task.options.device));
    require_memory<S>("host", task.problem, host_bytes<S>(task, slab_planes, free), available,
                      "available are " + format_bytes(available));
}

/// u := L u, on the device if it has the memory.
inline void apply_in_double(const SolveTask& task, Field<double>& u) {
    try {
        const Index step = planes_of(u.extents(), sizeof(double));
        DeviceField<double> field(u.extents(), step);
        Solver<double> solver(task.problem, smallest(task.options, task.options.engine));
        field.upload(step, [&](Index first, FieldView<double> planes) {
            std::copy_n(u.view().slab(first, planes.extents[0]).data, planes.size(), planes.data);
        });
        solver.apply(field.view(), field.view(), 1.0, field.stream());
        field.download(step, [&](Index first, FieldView<const double> planes) {
            std::copy_n(planes.data, planes.size(), u.view().slab(first, planes.extents[0]).data);
        });
        return;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
    }
    Solver<double>(task.problem, smallest(task.options, Engine::host)).apply(u.view(), u.view());
}

template <class S>
class DeviceBackend final : public SolveBackend<ValueOf<S>> {
    using T = ValueOf<S>;

public:
    using typename SolveBackend<T>::Applied;
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    /// Field and boundary data come before the plan, so that `automatic` memory sees what is left.
    DeviceBackend(const SolveTask& task, const BoundaryData<T>& boundary)
        : scope_(task.options.device), task_(task), given_(boundary) {
        require_both_memories<S>(task, DeviceBoundary<T>::bytes(task.problem.grid.points(), boundary),
                                 most_planes());
        take_memory();
        warm_up();
    }

    void read(const Fill& fill) override {
        take_memory();
        rhs().upload(task_.read_planes, fill);
    }

    [[nodiscard]] Planned planned() const override { return describe(*solver_); }

    Solved solve(T scale) override {
        DeviceTimer timer;
        timer.start(field_->stream());
        solver_->solve(rhs().view(), field_->view(), boundary_->data(), scale, field_->stream());
        const Result result = solver_->result(field_->stream());
        timer.stop(field_->stream());
        return {result, timer.seconds(), solver_->passes()};
    }

    double copy_seconds() override {
        return device_copy_seconds(field_->view().data, field_bytes(task_.problem, sizeof(T)), field_->stream());
    }

    void write(const Take& take) override {
        field_->download(task_.write_planes, [&](Index first, FieldView<const T> planes) {
            if (task_.keep) keep(first, planes);
            take(first, planes);
        });
    }

    [[nodiscard]] FieldView<const T> solution() const override { return host_.view(); }

    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls) override {
        if constexpr (keeps_rhs<S>)
            return walls;
        else
            return solver_->faces(walls, field_->stream());
    }

    /// In double L u takes the memory of the solution, on the device and on the host. In single both solution and
    /// solver are given up first, and a solver in double takes their place.
    void apply_operator(const Applied& applied) override {
        if constexpr (keeps_rhs<S>) {
            refuse_operator();
        } else if constexpr (sizeof(T) == sizeof(double)) {
            solver_->apply(field_->view(), field_->view(), 1.0, field_->stream());
            field_->download(task_.write_planes,
                             [&](Index first, FieldView<const double> planes) { keep(first, planes); });
            applied(host_.view(), 0, host_.extents()[0]);
            host_ = Field<T>();
        } else {
            solver_.reset();
            boundary_.reset();
            field_.reset();
            Field<double> u = widened(std::move(host_));
            apply_in_double(task_, u);
            applied(u.view(), 0, u.extents()[0]);
        }
    }

private:
    [[nodiscard]] Index most_planes() const { return std::max(task_.read_planes, task_.write_planes); }

    /// What is not there: at first, and after apply_operator().
    void take_memory() {
        const Extents points = task_.problem.grid.points();
        if (!field_) field_.emplace(points, most_planes());
        if (keeps_rhs<S> && !rhs_) rhs_.emplace(points, most_planes());
        if (!boundary_) boundary_.emplace(points, given_);
        if (!solver_) solver_.emplace(task_.problem, task_.options);
        if (task_.keep && host_.data() == nullptr) host_ = Field<T>(points);
    }

    [[nodiscard]] DeviceField<T>& rhs() { return keeps_rhs<S> ? *rhs_ : *field_; }

    /// Kernels are loaded when they run for the first time, which is no part of a solve.
    void warm_up() {
        fill_on_device(rhs().view().data, 0, field_bytes(task_.problem, sizeof(T)), field_->stream());
        solve(T(1));
    }

    void keep(Index first, FieldView<const T> planes) {
        std::copy_n(planes.data, planes.size(), host_.view().slab(first, planes.extents[0]).data);
    }

    DeviceScope scope_;
    SolveTask task_;
    BoundaryData<T> given_;
    Field<T> host_;  ///< the solution, filled while it is written
    std::optional<DeviceField<T>> field_;
    std::optional<DeviceBoundary<T>> boundary_;
    std::optional<DeviceField<T>> rhs_;  ///< where the solution does not take its place
    std::optional<S> solver_;
};

}  // namespace poisson3d::app
