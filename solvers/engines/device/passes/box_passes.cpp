#include "box_passes.hpp"

#include "padded_axis.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::device {

template <class T, class F>
DeviceAxis<T, F>::DeviceAxis(const Axis& axis, Discretization discretization, LineMethod method,
                             ShapeRule<T, F> rule)
    : rule_(rule),
      has_tables_(has_ffts(method)),
      tables_(has_ffts(method) ? make_padded_tables<T, F>(axis, discretization, method, nullptr)
                               : make_axis_tables<T, F>(axis, discretization, method)) {}

template <class T, class F>
BlockShape DeviceAxis<T, F>::shape(Index lines) const {
    return rule_(tables_, lines);
}

/// visit(host array, where its device address goes), in the order in which they lie.
template <class T, class F>
template <class Visit>
void DeviceAxis<T, F>::for_each_array(const Visit& visit) {
    for_each_table(tables_, visit);
    visit(tables_.eigenvalues, eigenvalues_on_device_);
    visit(tables_.eigenvalue_pairs, eigenvalue_pairs_on_device_);
}

template <class T, class F>
void DeviceAxis<T, F>::reserve(WorkspaceLayout& layout) {
    WorkspaceLayout inside;
    for_each_array([&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
    offset_ = layout.take(inside.end());
}

template <class T, class F>
void DeviceAxis<T, F>::upload(std::byte* workspace) {
    WorkspaceLayout inside;
    for_each_array([&](const auto& array, auto& address) {
        const std::size_t bytes = array.size() * sizeof(array[0]);
        if (bytes == 0) return;  // null: there is no such table
        std::byte* const place = workspace + offset_ + inside.take(bytes);
        copy_to_device(place, array.data(), bytes);
        address = reinterpret_cast<decltype(address + 0)>(place);
    });
}

template <class T, class F>
PassTask<T, F> DeviceAxis<T, F>::task(Direction direction, Index slow, Index lines) const {
    PassTask<T, F> task;
    task.slow = slow;
    task.lines = lines;
    if (!has_tables_) return task;
    task.count = shape(lines).count;
    while (1 << task.shift < task.count) ++task.shift;
    task.kind = tables_.form;
    task.outer = tables_.outer;
    task.rows = tables_.plan.count * static_cast<int>(tables_.plan.length);
    task.pitch = tables_.plan.pitch;
    task.fft = tables_.plan.fft;
    task.chirp = tables_.chirp.view;
    task.real = tables_.real;
    task.folded = tables_.folded;
    task.symmetric = tables_.symmetric.view;
    task.mode_symmetric = tables_.mode_symmetric.view;
    const bool reads_samples = direction != Direction::backward;
    const bool writes_samples = direction != Direction::forward;
    task.in_butterflies = reads_samples ? tables_.samples.view : tables_.modes.view;
    task.in_map = reads_samples ? tables_.samples_in.view : tables_.modes_in.view;
    task.out_butterflies = writes_samples ? tables_.samples.view : tables_.modes.view;
    task.out_map = writes_samples ? tables_.samples_out.view : tables_.modes_out.view;
    if (direction != Direction::both) return task;
    task.mode_butterflies = tables_.modes.view;
    task.modes_out = tables_.modes_out.view;
    task.modes_in = tables_.modes_in.view;
    task.lambda_line = eigenvalue_pairs_on_device_;
    task.lambda_slots = eigenvalues_on_device_;
    return task;
}

template <class T, class F>
BoxPasses<T, F>::BoxPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, ShapeRule<T, F> rule,
                           Index fields)
    : problem_(problem),
      fields_(fields),
      axes_{DeviceAxis<T, F>(problem.grid.axes[0], problem.discretization, methods[0], rule),
            DeviceAxis<T, F>(problem.grid.axes[1], problem.discretization, methods[1], rule),
            DeviceAxis<T, F>(problem.grid.axes[2], problem.discretization, methods[2], rule)} {
    for (const DeviceAxis<T, F>& axis : axes_) round_trip_ *= axis.round_trip();
}

template <class T, class F>
void BoxPasses<T, F>::reserve(WorkspaceLayout& layout) {
    gauge_offset_ = layout.take(fixes_point() ? static_cast<std::size_t>(fields_ * gauge_size()) * sizeof(T) : 0);
    for (DeviceAxis<T, F>& axis : axes_) axis.reserve(layout);
}

template <class T, class F>
void BoxPasses<T, F>::bind(std::byte* workspace) {
    for (DeviceAxis<T, F>& axis : axes_) axis.upload(workspace);
    gauge_ = reinterpret_cast<T*>(workspace + gauge_offset_);
    synchronize();
}

template <class T, class F>
Index BoxPasses<T, F>::first_unknown(const Call<T>& call, const Strides& strides) {
    Index offset = 0;
    for (int a = 0; a < 3; ++a) offset += call.boundary.first[a] * strides[a];
    return offset;
}

template <class T, class F>
Role BoxPasses<T, F>::role(const Pass& pass, const Call<T>& call) {
    if (pass.from == Buffer::input) return call.boundary.any ? Role::first_with_data : Role::first;
    if (pass.to == Buffer::output) return Role::last;
    return pass.direction == Direction::both      ? Role::middle
           : pass.direction == Direction::forward ? Role::forward
                                                  : Role::backward;
}

template <class T, class F>
PassTask<T, F> BoxPasses<T, F>::task(const Pass& pass, const Call<T>& call, Removed* removed) const {
    const AcrossLines across = across_lines_of(pass);
    PassTask<T, F> task = axes_[pass.axis()].task(pass.direction, unknowns(across.slow), unknowns(across.line));
    task.fields = call.fields;
    if (pass.from == Buffer::input) read_right_hand_side(task, across, call, removed);
    if (pass.direction == Direction::both) divide_modes(task, across, call, removed);
    if (pass.to == Buffer::output) write_solution(task, across, call);
    return task;
}

template <class T, class F>
void BoxPasses<T, F>::start(const Call<T>& call, Removed* removed, Stream stream) const {
    // The constant is removed anyway: taken out first, it costs no digits of the rest.
    if (singular(problem_))
        launch_typical_value(call.f.data, call.f.strides, call.f.extents, &removed->shift, call.fields, call.f_next,
                             removed_numbers, stream);
}

template <class T, class F>
void BoxPasses<T, F>::read_right_hand_side(PassTask<T, F>& task, const AcrossLines& across, const Call<T>& call,
                                           Removed* removed) const {
    const FieldView<const T>& f = call.f;
    task.in = f.data + first_unknown(call, f.strides);
    task.in_slow = f.strides[across.slow];
    task.in_line = f.strides[across.line];
    task.in_field = call.f_next;
    task.vectors_in = task.in_map.neighbours && aligned(task.in, task.in_slow, task.in_line, task.in_field);
    task.boundary = call.boundary;
    task.counts_x = across.line == 0;
    read_scaled(task, call, removed);
}

template <class T, class F>
void BoxPasses<T, F>::divide_modes(PassTask<T, F>& task, const AcrossLines& across, const Call<T>& call,
                                   Removed* removed) const {
    task.lambda_slow = axes_[across.slow].eigenvalues();
    task.lambda_lanes = axes_[across.line].eigenvalues();
    task.shift_by = static_cast<T>(-problem_.helmholtz);
    task.factor = mode_factor(call);
    task.multiply = call.operation == ModeOperation::multiply;
    if (gauge_applies(problem_)) task.removed = &removed->mean;
    task.removed_field = removed_numbers;
}

template <class T, class F>
void BoxPasses<T, F>::write_solution(PassTask<T, F>& task, const AcrossLines& across, const Call<T>& call) const {
    const FieldView<T>& u = call.u;
    task.out = u.data + first_unknown(call, u.strides);
    task.out_slow = u.strides[across.slow];
    task.out_line = u.strides[across.line];
    task.counts_x = across.line == 0;
    task.out_field = call.u_next;
    task.vectors_out = task.out_map.in_twos() && aligned(task.out, task.out_slow, task.out_line, task.out_field);
    task.below = static_cast<int>(call.boundary.first[2]);
    task.above = static_cast<int>(u.extents[2] - 1 - call.boundary.last[2]);
    task.samples = unknowns(2);
    task.boundary = call.boundary;
}

template <class T, class F>
std::optional<BlockOfPoint<T, F>> BoxPasses<T, F>::gauge(const Call<T>& call, PassTask<T, F>& last) const {
    if (call.operation != ModeOperation::divide || !fixes_point()) return {};
    const auto [x, y, z] = *problem_.gauge.point;  // singular: every point is an unknown
    const Index slow = last.counts_x ? y : x, point = last.counts_x ? x : y;
    const Index line = point / (2 * last.count) * 2 * last.count;
    PassTask<T, F> block = last;
    block.out_slow = 0;
    block.out_line = unknowns(2);
    block.out_field = gauge_size();
    block.out = gauge_ - line * block.out_line;
    block.vectors_out = false;
    last.subtract = gauge_ + (point - line) * block.out_line + z;
    last.subtract_field = block.out_field;
    return {{block, slow, point}};
}

template <class T, class F>
void BoxPasses<T, F>::read_scaled(PassTask<T, F>& task, const Call<T>& call, const Removed* removed) const {
    task.scale = static_cast<T>(call.scale);
    if (!singular(problem_)) return;
    task.subtract = &removed->shift.high;
    task.subtract_field = removed_numbers;
}

template <class T, class F>
RightHandSide<T> BoxPasses<T, F>::right_hand_side(const Call<T>& call, const Removed* removed) const {
    RightHandSide<T> task;
    task.f = {call.f.data + first_unknown(call, call.f.strides), unknowns(), call.f.strides};
    task.f_next = call.f_next;
    task.scale = static_cast<T>(call.scale);
    task.boundary = call.boundary;
    if (!singular(problem_)) return task;
    task.subtract = &removed->shift.high;
    task.subtract_next = removed_numbers;
    return task;
}

template <class T, class F>
void BoxPasses<T, F>::fix_gauge(const Call<T>& call, Stream stream) const {
    if (call.operation != ModeOperation::divide || !fixes_point()) return;
    launch_subtract_value_at(*problem_.gauge.point, call.u, gauge_, call.fields, call.u_next, stream);
}

template class DeviceAxis<float, Compact>;
template class DeviceAxis<double, Compact>;
template class DeviceAxis<float, Plain>;
template class DeviceAxis<double, Plain>;
template class BoxPasses<float, Compact>;
template class BoxPasses<double, Compact>;
template class BoxPasses<float, Plain>;
template class BoxPasses<double, Plain>;

}  // namespace poisson3d::device
