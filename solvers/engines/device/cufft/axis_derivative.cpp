#include "axis_derivative.hpp"

#include <algorithm>

#include "launch_derivative.hpp"
#include "padded_axis.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::cufft {

template <class T>
AxisDerivative<T>::Lines::Lines(const Axis& wanted, const std::array<Index, 2>& across, const BatchRoom& room)
    : axis(wanted, Discretization::spectral, LineMethod::whole_ffts, &phase_shape<T>),
      batches(axis, across, room) {}

namespace {

/// Points of a line, or modes of it and of its derivative if there are more.
Index row_of(const Axis& axis) {
    return std::max({axis.points, axis_kind(padded_axis(axis)).unknowns,
                     axis_kind(padded_axis(derivative_axis(axis))).unknowns});
}

/// Planes of a slab: as many as fit, the field cut into equal parts.
Index thickness_of(Index planes, std::size_t plane_bytes, std::size_t room) {
    const Index fit = std::max<Index>(1, static_cast<Index>(room / plane_bytes));
    const Index slabs = (planes + fit - 1) / fit;
    return (planes + slabs - 1) / slabs;
}

}  // namespace

template <class T>
AxisDerivative<T>::AxisDerivative(const Grid& grid, int axis, std::size_t room)
    : points_(grid.points()),
      axis_(axis),
      slow_(axis == 0 ? 1 : 0),
      line_(3 - axis - slow_),
      kind_there_(axis_kind(grid.axes[axis])),
      kind_back_(axis_kind(derivative_axis(grid.axes[axis]))),
      row_(row_of(grid.axes[axis])),
      thickness_(thickness_of(points_[slow_], static_cast<std::size_t>(points_[line_] * row_) * sizeof(T), room)),
      there_(grid.axes[axis], {thickness_, points_[line_]}, {room, room}) {
    const Axis& own = grid.axes[axis];
    if (!own.periodic())
        back_.emplace(derivative_axis(own), std::array{thickness_, points_[line_]}, BatchRoom{room, room});
    table_ =
        derivative_table<T>(padded_axis(own), there_.axis.mode_of(), back().axis.mode_of(), there_.axis.gain());
}

template <class T>
std::size_t AxisDerivative<T>::lines_bytes() const {
    return std::max(there_.batches.lines_bytes(), back().batches.lines_bytes());
}

template <class T>
std::size_t AxisDerivative<T>::fft_bytes() const {
    return std::max(there_.batches.fft_bytes(), back().batches.fft_bytes());
}

template <class T>
void AxisDerivative<T>::reserve(WorkspaceLayout& layout) {
    there_.axis.reserve(layout);
    if (back_) back_->axis.reserve(layout);
    source_offset_ = layout.take(table_.source.size() * sizeof(std::int32_t));
    factor_offset_ = layout.take(table_.factor.size() * sizeof(T));
}

template <class T>
void AxisDerivative<T>::bind(std::byte* workspace, const DerivativeAreas<T>& areas) {
    areas_ = areas;
    const auto bind_lines = [&](Lines& lines) {
        lines.axis.upload(workspace);
        lines.batches.bind(areas.lines, areas.fft);
    };
    bind_lines(there_);
    if (back_) bind_lines(*back_);
    copy_to_device(workspace + source_offset_, table_.source.data(), table_.source.size() * sizeof(std::int32_t));
    copy_to_device(workspace + factor_offset_, table_.factor.data(), table_.factor.size() * sizeof(T));
    source_ = reinterpret_cast<const std::int32_t*>(workspace + source_offset_);
    factor_ = reinterpret_cast<const T*>(workspace + factor_offset_);
    synchronize();
    if (!moves()) return;
    into_slab(dense_strides(points_));
    out_of_slab(dense_strides(points_));
}

template <class T>
const Transpose& AxisDerivative<T>::into_slab(const Strides& strides) {
    if (!in_.transpose || in_.strides != strides) {
        const Permutation order{slow_, line_, axis_};
        Extents slab = points_;
        slab[slow_] = thickness_;
        in_.transpose.emplace(TransposeProblem{slab, strides, {points_[line_] * row_, row_, 1}, order, sizeof(T)},
                              TransposeOptions{.backend = Backend::cuda});
        in_.strides = strides;
    }
    return *in_.transpose;
}

template <class T>
const Transpose& AxisDerivative<T>::out_of_slab(const Strides& strides) {
    if (!out_.transpose || out_.strides != strides) {
        const Extents slab{thickness_, points_[line_], points_[axis_]};
        out_.transpose.emplace(
            TransposeProblem{
                slab, {points_[line_] * row_, row_, 1}, strides, inverse({slow_, line_, axis_}), sizeof(T)},
            TransposeOptions{.backend = Backend::cuda});
        out_.strides = strides;
    }
    return *out_.transpose;
}

template <class T>
void AxisDerivative<T>::run(FieldView<const T> u, FieldView<T> component, Stream stream) {
    for (Index begin = 0; begin < points_[slow_]; begin += thickness_) {
        const Index plane = std::min(begin, points_[slow_] - thickness_);
        const T* const from = u.data + plane * u.strides[slow_];
        T* const to = component.data + plane * component.strides[slow_];
        const Place<T> first = in_slab(areas_.first);
        if (moves()) into_slab(u.strides).execute(from, first.data, stream);
        forward(moves() ? Place<const T>{first.data, first.slow, first.line}
                        : Place<const T>{from, u.strides[slow_], u.strides[line_]},
                stream);
        modes(stream);
        backward(
            moves() ? in_slab(areas_.second) : Place<T>{to, component.strides[slow_], component.strides[line_]},
            stream);
        if (moves()) out_of_slab(component.strides).execute(areas_.second, to, stream);
    }
}

/// Samples, to modes in the first slab.
template <class T>
void AxisDerivative<T>::forward(const Place<const T>& from, Stream stream) const {
    Task<T> task = there_.axis.task(Direction::forward, thickness_, points_[line_]);
    const Place<T> to = in_slab(areas_.first);
    task.in = from.data + kind_there_.first;
    task.in_slow = from.slow, task.in_line = from.line;
    task.out = to.data;
    task.out_slow = to.slow, task.out_line = to.line;
    there_.batches.run(Role::forward, task, stream);
}

/// Those of the derivative, from the first slab to the second.
template <class T>
void AxisDerivative<T>::modes(Stream stream) const {
    launch_derivative<T>(
        {areas_.first, areas_.second, thickness_ * points_[line_], row_, back().axis.unknowns(), source_, factor_},
        stream);
}

/// Modes in the second slab, to samples and the 0 of nodes at the ends of lines.
template <class T>
void AxisDerivative<T>::backward(const Place<T>& to, Stream stream) const {
    const Lines& lines = back();
    const AxisKind& kind = kind_back_;
    Task<T> task = lines.axis.task(Direction::backward, thickness_, points_[line_]);
    const Place<T> from = in_slab(areas_.second);
    task.in = from.data;
    task.in_slow = from.slow, task.in_line = from.line;
    task.out = to.data + kind.first;
    task.out_slow = to.slow, task.out_line = to.line;
    task.below = static_cast<int>(kind.first);
    task.above = static_cast<int>(kind.points - kind.first - kind.unknowns);
    task.samples = kind.unknowns;
    lines.batches.run(Role::last, task, stream);
}

template class AxisDerivative<float>;
template class AxisDerivative<double>;

}  // namespace poisson3d::cufft
