#include "host_gradient.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "gradient_modes.hpp"
#include "layout.hpp"
#include "pass_tasks.hpp"
#include "planned_axis.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d {

namespace host {

namespace {

int thread_count(const Options& options) {
    return options.threads > 0 ? options.threads : available_threads();
}

/// Of the lines of all axes, there and back.
template <class T>
LineScratch scratch_of(const Problem& problem) {
    std::vector<Axis> axes;
    for (const Axis& axis : problem.grid.axes) {
        axes.push_back(axis);
        axes.push_back(derivative_axis(axis));
    }
    return line_scratch<T>(axes);
}

/// Whole slow indices per chunk where there are enough.
Index chunk_of(Index slow, Index units, int threads) {
    const Index chunks = Index{8} * threads;
    return slow >= chunks ? slow / chunks * units : std::max<Index>(1, slow * units / chunks);
}

/// out_k := factor (above_k − below_k)
template <class T>
void difference(const T* below, const T* above, T factor, Index count, T* out) {
    for (Index k = 0; k < count; ++k) out[k] = factor * (above[k] - below[k]);
}

/// Component c, 0 or 1, at all points of line (i, j); its index along that axis is `at`, its stride in u `stride`.
template <int c, class T>
void line_across(const GradientTask<T>& task, Index i, Index j, Index at, Index stride) {
    if (task.out[c] == nullptr) return;
    const Index count = task.rule[2].points;
    const T* const line = task.u + i * task.u_x + j * task.u_y;
    T* const out = task.line(c, i, j);
    if (task.rule[c].inside(at))
        difference(line - stride, line + stride, task.rule[c].factor, count, out);
    else
        for (Index k = 0; k < count; ++k) out[k] = task.template component<c>(i, j, k);
}

/// Component 2.
template <class T>
void line_along(const GradientTask<T>& task, Index i, Index j) {
    if (task.out[2] == nullptr) return;
    const Index count = task.rule[2].points;
    const T* const line = task.u + i * task.u_x + j * task.u_y;
    T* const out = task.line(2, i, j);
    out[0] = task.template component<2>(i, j, 0);
    if (count == 1) return;
    difference(line, line + 2, task.rule[2].factor, count - 2, out + 1);
    out[count - 1] = task.template component<2>(i, j, count - 1);
}

template <class T>
void set_to_zero(FieldView<T> out) {
    for (Index i = 0; i < out.extents[0]; ++i)
        for (Index j = 0; j < out.extents[1]; ++j) std::fill_n(&out(i, j, 0), out.extents[2], T(0));
}

template <class T>
class ThreadedGradient final : public HostGradient<T> {
public:
    ThreadedGradient(const Problem& problem, const Options& options) : team_(thread_count(options)) {
        if (problem.discretization == Discretization::spectral) plan(problem, options);
    }

    void central(const GradientTask<T>& task) override;
    void spectral(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient) override {
        for (int a = 0; a < 3; ++a)
            if (gradient[a].data != nullptr) derive(a, u, gradient[a]);
    }

    [[nodiscard]] int threads() const noexcept override { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return bytes_; }

private:
    struct PlannedDerivative {
        const PlannedAxis<T>* there = nullptr;
        const PlannedAxis<T>* back = nullptr;  ///< null: all derivatives are 0
        DerivativeTable<T> modes;
    };
    void plan(const Problem& problem, const Options& options);
    const PlannedAxis<T>& planned(const Axis& axis) {
        const AxisKind kind = axis_kind(axis);
        return lines_.try_emplace({kind.forward, kind.unknowns}, axis, Discretization::spectral, team_)
            .first->second;
    }
    void derive(int axis, FieldView<const T> u, FieldView<T> out);

    ThreadTeam team_;
    LineScratch scratch_;
    std::size_t bytes_ = 0;
    HostBuffer own_;
    std::byte* base_ = nullptr;
    std::map<std::pair<Transform, Index>, PlannedAxis<T>> lines_;  // axes of one kind and size share a plan
    std::array<PlannedDerivative, 3> axes_;
};

template <class T>
void ThreadedGradient<T>::plan(const Problem& problem, const Options& options) {
    scratch_ = scratch_of<T>(problem);
    bytes_ = host_gradient_bytes<T>(problem, options);
    if (options.workspace.empty()) {
        own_ = HostBuffer(bytes_);
        base_ = static_cast<std::byte*>(own_.data());
    } else {
        require_workspace(options.workspace, bytes_, HostBuffer::alignment);
        base_ = options.workspace.data();
    }
    std::fill(base_, base_ + bytes_, std::byte{0});
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        if (axis_kind(derivative_axis(axis)).unknowns == 0) continue;
        PlannedDerivative& derivative = axes_[a];
        derivative.there = &planned(axis);
        derivative.back = &planned(derivative_axis(axis));
        derivative.modes = derivative_table<T>(axis, derivative.there->mode_of(), derivative.back->mode_of(),
                                               derivative.there->gain());
    }
}

template <class T>
void ThreadedGradient<T>::central(const GradientTask<T>& task) {
    const Index rows = task.rule[1].points;
    team_.parallel_for(task.planes * rows, chunk_of(task.planes, rows, team_.size()),
                       [&](Index begin, Index end, int) {
                           for (Index row = begin; row < end; ++row) {
                               const Index i = task.first + row / rows;
                               const Index j = row % rows;
                               line_across<0>(task, i, j, i, task.u_x);
                               line_across<1>(task, i, j, j, task.u_y);
                               line_along(task, i, j);
                           }
                       });
}

template <class T>
void ThreadedGradient<T>::derive(int axis, FieldView<const T> u, FieldView<T> out) {
    const PlannedDerivative& plan = axes_[axis];
    if (plan.back == nullptr) return set_to_zero(out);
    const int block = kernels<T>().lines;
    const int across = axis_across(u.extents, axis, block);
    const int slow = 3 - axis - across;
    const AxisKind& back = plan.back->kind();
    PassTask<T> task;
    task.line = &plan.there->line();
    task.derivative = {&plan.back->line(), plan.modes.source.data(), plan.modes.factor.data()};
    task.in = u.data + plan.there->kind().first * u.strides[axis];
    task.out = out.data + back.first * out.strides[axis];
    task.slow = u.extents[slow];
    task.lines = u.extents[across];
    task.in_slow = u.strides[slow], task.in_line = u.strides[across], task.in_sample = u.strides[axis];
    task.out_slow = out.strides[slow], task.out_line = out.strides[across], task.out_sample = out.strides[axis];
    task.zero_below = back.first > 0;
    task.zero_above = back.first + back.unknowns < back.points;
    const Index blocks = (task.lines + block - 1) / block;
    team_.parallel_for(task.slow * blocks, chunk_of(task.slow, blocks, team_.size()),
                       [&](Index begin, Index end, int thread) {
                           std::byte* const scratch = base_ + scratch_.bytes() * static_cast<std::size_t>(thread);
                           T* const rows = reinterpret_cast<T*>(scratch);
                           T* const work = reinterpret_cast<T*>(scratch + scratch_.rows);
                           for (Index unit = begin; unit < end; ++unit)
                               kernels<T>().block(task, unit / blocks, unit % blocks * block, rows, work);
                       });
}

}  // namespace
}  // namespace host

template <class T>
std::unique_ptr<HostGradient<T>> make_host_gradient(const Problem& problem, const Options& options) {
    return std::make_unique<host::ThreadedGradient<T>>(problem, options);
}

template <class T>
std::size_t host_gradient_bytes(const Problem& problem, const Options& options) {
    if (problem.discretization != Discretization::spectral) return 0;
    return host::scratch_of<T>(problem).bytes() * static_cast<std::size_t>(host::thread_count(options));
}

template std::unique_ptr<HostGradient<float>> make_host_gradient(const Problem&, const Options&);
template std::unique_ptr<HostGradient<double>> make_host_gradient(const Problem&, const Options&);
template std::size_t host_gradient_bytes<float>(const Problem&, const Options&);
template std::size_t host_gradient_bytes<double>(const Problem&, const Options&);

}  // namespace poisson3d
