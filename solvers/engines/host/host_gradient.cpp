#include "host_gradient.hpp"

#include <algorithm>

#include "engine.hpp"
#include "kernels.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::host {

namespace {

int thread_count(const Options& options) {
    return options.threads > 0 ? options.threads : available_threads();
}

/// Bytes of a row array that holds any line of any axis there and back.
template <class T>
std::size_t row_array_bytes(const Problem& problem) {
    Index rows = 0;
    for (const Axis& axis : problem.grid.axes) {
        const LineDerivative line = line_derivative(axis);
        rows = std::max(rows, line_plan_rows(line.there, line.points_in));
        if (line.points_out > 0) rows = std::max(rows, line_plan_rows(line.back, line.points_out));
    }
    const std::size_t bytes = static_cast<std::size_t>(rows) * sizeof(T) * kernels<T>().lines;
    constexpr std::size_t line = HostBuffer::alignment;
    return (bytes + line - 1) / line * line | line;  // an odd number of cache lines: the arrays share no cache sets
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

}  // namespace

template <class T>
HostGradient<T>::HostGradient(const Problem& problem, const Options& options)
    : team_(thread_count(options)), kernel_(derivative_kernel<T>()) {
    if (problem.discretization == Discretization::spectral) plan(problem, options);
}

template <class T>
std::size_t HostGradient<T>::workspace_bytes(const Problem& problem, const Options& options) {
    if (problem.discretization != Discretization::spectral) return 0;
    return 2 * row_array_bytes<T>(problem) * static_cast<std::size_t>(thread_count(options));
}

template <class T>
void HostGradient<T>::plan(const Problem& problem, const Options& options) {
    if (!row_fft_available())
        throw Error(ErrorCode::unsupported,
                    std::string("engine host cannot be used for a spectral gradient: ") + row_fft_library());
    scratch_bytes_ = row_array_bytes<T>(problem);
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
        PlannedDerivative& axis = axes_[a];
        axis.line = line_derivative(problem.grid.axes[a]);
        axis.factor.assign(axis.line.factor.begin(), axis.line.factor.end());
        axis.there = view(axis.line.there, axis.line.points_in, options.effort);
        if (axis.line.points_out > 0) axis.back = view(axis.line.back, axis.line.points_out, options.effort);
    }
}

template <class T>
const LineView<T>* HostGradient<T>::view(Transform transform, Index points, PlanEffort effort) {
    return lines_.try_emplace({transform, points}, transform, points, kernels<T>().lines, effort)
        .first->second.view();
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

/// Blocks of lines run along z, or along y where the lines themselves run along z.
template <class T>
void HostGradient<T>::derive(int axis, FieldView<const T> u, FieldView<T> out) {
    const PlannedDerivative& plan = axes_[axis];
    const int lines = axis == 2 ? 1 : 2;
    const int slow = axis == 0 ? 1 : 0;
    DerivativeTask<T> task;
    task.there = plan.there;
    task.back = plan.back;
    task.source = plan.line.source.data();
    task.factor = plan.factor.data();
    task.in = u.data + plan.line.first_in * u.strides[axis];
    task.out = out.data + plan.line.first_out * out.strides[axis];
    task.slow = u.extents[slow];
    task.lines = u.extents[lines];
    task.in_slow = u.strides[slow], task.in_line = u.strides[lines], task.in_sample = u.strides[axis];
    task.out_slow = out.strides[slow], task.out_line = out.strides[lines], task.out_sample = out.strides[axis];
    task.points_out = plan.line.points_out;
    task.zero_below = plan.line.zero_below;
    task.zero_above = plan.line.zero_above;
    const Index block = kernels<T>().lines;
    const Index blocks = (task.lines + block - 1) / block;
    team_.parallel_for(task.slow * blocks, chunk_of(task.slow, blocks, team_.size()),
                       [&](Index begin, Index end, int thread) {
                           std::byte* const scratch = base_ + 2 * scratch_bytes_ * static_cast<std::size_t>(thread);
                           T* const x = reinterpret_cast<T*>(scratch);
                           T* const y = reinterpret_cast<T*>(scratch + scratch_bytes_);
                           for (Index unit = begin; unit < end; ++unit)
                               kernel_(task, unit / blocks, unit % blocks * block, x, y);
                       });
}

template class HostGradient<float>;
template class HostGradient<double>;

}  // namespace poisson3d::host
