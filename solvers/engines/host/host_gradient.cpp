#include "host_gradient.hpp"

#include <algorithm>

#include "engine.hpp"
#include "pass_tasks.hpp"

namespace poisson3d::host {

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

}  // namespace

template <class T>
HostGradient<T>::HostGradient(const Problem& problem, const Options& options) : team_(thread_count(options)) {
    if (problem.discretization == Discretization::spectral) plan(problem, options);
}

template <class T>
std::size_t HostGradient<T>::workspace_bytes(const Problem& problem, const Options& options) {
    if (problem.discretization != Discretization::spectral) return 0;
    return scratch_of<T>(problem).bytes() * static_cast<std::size_t>(thread_count(options));
}

template <class T>
void HostGradient<T>::plan(const Problem& problem, const Options& options) {
    scratch_ = scratch_of<T>(problem);
    bytes_ = workspace_bytes(problem, options);
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
const PlannedAxis<T>& HostGradient<T>::planned(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    return lines_.try_emplace({kind.forward, kind.unknowns}, axis, Discretization::spectral, team_).first->second;
}

template <class T>
void HostGradient<T>::central(const GradientTask<T>& task) {
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
void HostGradient<T>::spectral(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient) {
    for (int a = 0; a < 3; ++a)
        if (gradient[a].data != nullptr) derive(a, u, gradient[a]);
}

template <class T>
void HostGradient<T>::derive(int axis, FieldView<const T> u, FieldView<T> out) {
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
                           T* const places = reinterpret_cast<T*>(scratch + scratch_.rows);
                           for (Index unit = begin; unit < end; ++unit)
                               kernels<T>().block(task, unit / blocks, unit % blocks * block, rows, places);
                       });
}

template class HostGradient<float>;
template class HostGradient<double>;

}  // namespace poisson3d::host
