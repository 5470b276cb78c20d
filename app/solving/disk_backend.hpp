// A solve of a field that is larger than memory: slabs of the right-hand side are transformed as they are read,
// what lies between the sweeps is in a scratch file beside the output, and slabs of the solution are written as
// they are done. Whatever needs the solution after that reads planes of the output.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "poisson3d/swap_file.hpp"
#include "process/interrupt.hpp"
#include "solving/disk_plan.hpp"
#include "solving/plane_window.hpp"
#include "solving/slabs.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// Interrupts end a solve between two pieces.
class SwapStore final : public SlabStore {
public:
    SwapStore(const std::string& output, std::uint64_t bytes) : file_(output, bytes) {}
    void write(std::uint64_t place, const void* from, std::size_t bytes) override {
        stop_if_interrupted();
        file_.write(place, from, bytes);
    }
    void read(std::uint64_t place, void* to, std::size_t bytes) override {
        stop_if_interrupted();
        file_.read(place, to, bytes);
    }
    [[nodiscard]] SwapFile& file() noexcept { return file_; }

private:
    SwapFile file_;
};

template <class T>
class DiskBackend final : public SolveBackend<T> {
public:
    using typename SolveBackend<T>::Applied;
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    DiskBackend(const SolveTask& task, const BoundaryData<T>& boundary) : task_(task), boundary_(boundary) {
        if (const std::string found = refused_on_disk(task); !found.empty())
            throw Error(ErrorCode::unsupported, "a field on disk is solved in slabs: " + found);
        if (on_gpu(task.options.engine))
            throw Error(ErrorCode::unsupported, "a field on disk is solved in slabs on the host: found --engine " +
                                                    std::string(name(task.options.engine)) +
                                                    ", wanted host or automatic");
        if (task.keep) window_.emplace(task.problem.grid.points());
        take();
        measure();
    }

    [[nodiscard]] Planned planned() const override {
        Planned plan;
        plan.memory = Memory::low;
        plan.workspace = static_cast<std::size_t>(plan_.buffers + plan_.workspace);
        plan.description = description_;
        plan.range = range_;
        plan.disk = disk_;
        return plan;
    }

    void use_output(const Fill& read_back) override { read_back_ = read_back; }

    /// Read, and transformed along the axes within planes.
    void read(const Fill& fill) override {
        if (!solver_) take();
        if (task_.keep) window_.emplace(task_.problem.grid.points());  // what it has is of another right-hand side
        solver_->forward(
            *store_,
            [&](Index first, FieldView<T> planes) {
                for_each_slab(planes.extents[0], task_.read_planes,
                              [&](Index at, Index count) { fill(first + at, planes.slab(at, count)); });
            },
            boundary_, static_cast<T>(task_.scale));
    }

    Solved solve(T /*scale*/) override {
        const Stopwatch watch;
        solver_->middle(*store_);
        return {solver_->result(), watch.seconds(), {}};
    }

    double copy_seconds() override { return 0.0; }

    /// Transformed back, and written.
    void write(const Take& take) override {
        solver_->backward(*store_, [&](Index first, FieldView<const T> planes) {
            for_each_slab(planes.extents[0], task_.write_planes,
                          [&](Index at, Index count) { take(first + at, planes.slab(at, count)); });
        });
    }

    [[nodiscard]] FieldView<const T> solution() const override { return window_->view(); }
    void bring(Index first, Index count) override {
        window_->bring(first, count, task_.problem.grid.axes[0].periodic(), read_back_);
    }
    [[nodiscard]] bool all_there() const override { return false; }

    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls) override { return walls; }

    /// In single precision solver and scratch file are given up, and those of double take their place.
    void apply_operator(const Applied& applied) override {
        if constexpr (std::is_same_v<T, double>) {
            multiply(*solver_, *store_, applied);
        } else {
            solver_.reset();
            store_.reset();
            SlabSolver<double> solver(task_.problem, slab_options(task_));
            SwapStore store(task_.output, solver.plan().store);
            multiply(solver, store, applied);
        }
    }

private:
    /// The plan before the file, so that missing memory is named first.
    void take() {
        solver_.emplace(task_.problem, slab_options(task_));
        plan_ = solver_->plan();
        store_ = std::make_unique<SwapStore>(task_.output, plan_.store);
        range_ = solver_->range();
        description_ = solver_->description() + ", disk for memory";
    }

    /// How long it will take, if the disk is all that does.
    void measure() {
        disk_.slabs = plan_.slabs, disk_.blocks = plan_.blocks, disk_.planes = plan_.planes;
        disk_.scratch = plan_.store;
        disk_.moved = bytes_moved(task_, plan_, sizeof(T));
        constexpr std::size_t least = std::size_t{1} << 20, most = std::size_t{64} << 20;
        const std::size_t sample = std::min<std::size_t>(most, plan_.store / 8);
        if (sample < least) return;
        disk_.rate = store_->file().measure_writing(sample / least * least);
    }

    void multiply(SlabSolver<double>& solver, SlabStore& store, const Applied& applied) {
        const Extents points = task_.problem.grid.points();
        const Index step = planes_of(points, sizeof(double));
        Field<T> narrow;
        window_.reset();
        solver.forward_product(store, [&](Index first, FieldView<double> planes) {
            for_each_slab(planes.extents[0], step, [&](Index at, Index count) {
                const FieldView<double> wide = planes.slab(at, count);
                if constexpr (std::is_same_v<T, double>) {
                    read_back_(first + at, wide);
                } else {
                    if (narrow.data() == nullptr) narrow = Field<T>({step, points[1], points[2]});
                    const FieldView<T> part = narrow.view().slab(0, count);
                    read_back_(first + at, part);
                    std::copy_n(part.data, part.size(), wide.data);
                }
            });
        });
        narrow = Field<T>();
        solver.middle(store);
        PlaneWindow<double> product(points);
        solver.backward(store, [&](Index first, FieldView<const double> planes) {
            for_each_slab(planes.extents[0], step, [&](Index at, Index count) {
                product.bring_only(first + at, planes.slab(at, count));
                applied(product.view(), first + at, count);
            });
        });
    }

    SolveTask task_;
    BoundaryData<T> boundary_;
    SlabPlan plan_;
    OnDisk disk_;
    Range range_;
    std::string description_;
    std::optional<SlabSolver<T>> solver_;
    std::unique_ptr<SwapStore> store_;
    std::optional<PlaneWindow<T>> window_;  ///< on the output
    Fill read_back_;
};

}  // namespace poisson3d::app
