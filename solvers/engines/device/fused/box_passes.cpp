#include "box_passes.hpp"

#include <algorithm>
#include <cstdint>

#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
FusedAxis<T> make_axis(const Problem& problem, const std::array<LineMethod, 3>& methods, Index fields,
                       const BatchRoom& room, int a) {
    const auto across = [&](int step) { return axis_kind(problem.grid.axes[(a + step) % 3]).unknowns; };
    return {problem.grid.axes[a], problem.discretization, methods[a], {across(1), across(2)}, fields, room};
}

/// Whether every line starts at a multiple of two elements.
template <class T>
bool aligned(const T* data, Index slow, Index line, Index field) {
    return reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0 && slow % 2 == 0 && line % 2 == 0 &&
           field % 2 == 0;
}

}  // namespace

template <class T>
BoxPasses<T>::BoxPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, Index fields,
                        const BatchRoom& room)
    : problem_(problem),
      fields_(fields),
      axes_{make_axis<T>(problem, methods, fields, room, 0), make_axis<T>(problem, methods, fields, room, 1),
            make_axis<T>(problem, methods, fields, room, 2)} {
    for (const FusedAxis<T>& axis : axes_) round_trip_ *= axis.round_trip();
}

template <class T>
void BoxPasses<T>::reserve(device::WorkspaceLayout& layout) {
    const bool gauge = singular(problem_) && problem_.gauge.point;
    gauge_offset_ = layout.take(gauge ? static_cast<std::size_t>(fields_ * gauge_size()) * sizeof(T) : 0);
    std::size_t fft = 0;
    for (FusedAxis<T>& axis : axes_) {
        axis.reserve(layout);
        fft = std::max(fft, axis.fft_bytes());
    }
    fft_offset_ = layout.take(std::max<std::size_t>(fft, 1));  // cuFFT fails where an area of no bytes is its data
}

template <class T>
std::size_t BoxPasses<T>::lines_bytes() const {
    std::size_t most = 0;
    for (const FusedAxis<T>& axis : axes_) most = std::max(most, axis.lines_bytes());
    return most;
}

template <class T>
void BoxPasses<T>::bind(std::byte* workspace) {
    for (FusedAxis<T>& axis : axes_) {
        axis.upload(workspace);
        axis.share(workspace + fft_offset_);
    }
    gauge_ = reinterpret_cast<T*>(workspace + gauge_offset_);
    synchronize();
}

template <class T>
Index BoxPasses<T>::first_unknown(const Strides& strides) const {
    Index offset = 0;
    for (int a = 0; a < 3; ++a) offset += axes_[a].kind().first * strides[a];
    return offset;
}

template <class T>
PassTask<T> BoxPasses<T>::first(const Call<T>& call, Removed* removed, Stream stream) const {
    const FieldView<const T>& f = call.f;
    PassTask<T> task = axes_[2].forward(unknowns(1), unknowns(0));
    task.in = f.data + first_unknown(f.strides);
    task.in_slow = f.strides[1];
    task.in_line = f.strides[0];
    task.fields = call.fields;
    task.in_field = call.f_next;
    task.vectors_in = task.in_map.neighbours && aligned(task.in, task.in_slow, task.in_line, task.in_field);
    task.scale = static_cast<T>(call.scale);
    task.boundary = call.boundary;
    if (singular(problem_)) {
        // The constant is removed anyway: taken out here, it costs no digits of the rest.
        device::launch_typical_value(f.data, f.strides, f.extents, &removed->shift, call.fields, call.f_next,
                                     removed_numbers, stream);
        task.subtract = &removed->shift.high;
        task.subtract_field = removed_numbers;
    }
    return task;
}

template <class T>
PassTask<T> BoxPasses<T>::middle(const Call<T>& call, Removed* removed) const {
    PassTask<T> task = axes_[1].both(unknowns(2), unknowns(0));
    task.lambda_slow = axes_[2].eigenvalues();
    task.lambda_lanes = axes_[0].eigenvalues();
    task.shift_by = static_cast<T>(-problem_.helmholtz);
    task.factor = static_cast<T>(call.restore / round_trip_);
    task.multiply = call.operation == ModeOperation::multiply;
    task.fields = call.fields;
    if (singular(problem_)) task.removed = &removed->mean;
    task.removed_field = removed_numbers;
    return task;
}

template <class T>
PassTask<T> BoxPasses<T>::last(const Call<T>& call) const {
    const FieldView<T>& u = call.u;
    PassTask<T> task = axes_[2].backward(unknowns(0), unknowns(1));
    task.out = u.data + first_unknown(u.strides);
    task.out_slow = u.strides[0];
    task.out_line = u.strides[1];
    task.fields = call.fields;
    task.out_field = call.u_next;
    task.vectors_out = task.out_map.neighbours && aligned(task.out, task.out_slow, task.out_line, task.out_field);
    const AxisKind& kind = axes_[2].kind();
    task.below = static_cast<int>(kind.first);
    task.above = static_cast<int>(kind.points - kind.first - kind.unknowns);
    task.samples = kind.unknowns;
    task.boundary = call.boundary;
    return task;
}

template <class T>
void BoxPasses<T>::finish(const Call<T>& call, PassTask<T> task, T* lines, Stream stream) const {
    if (call.operation == ModeOperation::divide && singular(problem_) && problem_.gauge.point)
        subtract_gauge(task, lines, stream);
    axes_[2].run(Role::last, task, lines, stream);
    device::write_dirichlet_planes(call, stream);
}

/// Takes the value that the last pass would give the gauge point from all it gives. It comes by the same
/// arithmetic: the block of the point alone, written elsewhere.
template <class T>
void BoxPasses<T>::subtract_gauge(PassTask<T>& task, T* lines, Stream stream) const {
    const auto [i, j, k] = *problem_.gauge.point;  // singular: every point is an unknown
    const Index line = j / (2 * task.count) * 2 * task.count;
    PassTask<T> block = task;
    block.out_slow = 0;
    block.out_line = unknowns(2);
    block.out_field = gauge_size();
    block.out = gauge_ - line * block.out_line;
    block.vectors_out = false;
    axes_[2].run_block(Role::last, block, i, j, lines, stream);
    task.subtract = gauge_ + (j - line) * block.out_line + k;
    task.subtract_field = block.out_field;
}

template class BoxPasses<float>;
template class BoxPasses<double>;

}  // namespace poisson3d::fused
