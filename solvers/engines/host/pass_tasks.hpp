// Where a pass reads and writes: the distances in memory of a PassTask, for both ways through the field.
//
// Rotating: a pass leaves its modes as the lines of the next (schedule.hpp), from one field to another.
//
// In place: every pass works on u as it lies. Lines along z are neighbours' samples; V lines along y or x that are
// neighbours in z are rows of one cache line each, as far apart as the axis demands. A block of lines is read whole
// before it is written, to where it was, so there is no other field, and nothing has to be turned.
#pragma once

#include "engine.hpp"
#include "layout.hpp"
#include "schedule.hpp"

namespace poisson3d::host {

/// Offset of the first unknown in a field of the caller with these strides.
inline Index first_unknown(const Layout& layout, const Strides& strides) {
    Index offset = 0;
    for (int a = 0; a < 3; ++a) offset += layout.kinds[a].first * strides[a];
    return offset;
}

/// Dirichlet nodes at the ends of the lines that the last pass writes.
template <class T>
void end_lines(const Layout& layout, int axis, PassTask<T>& task) {
    const AxisKind& kind = layout.kinds[axis];
    task.zero_below = kind.first > 0;
    task.zero_above = kind.first + kind.unknowns < kind.points;
}

/// A pass of make_schedule(). `first` and `second` are the internal fields.
template <class T>
PassTask<T> rotating_task(const Layout& layout, const Pass& pass, FieldView<const T> f, FieldView<T> u, T* first,
                          T* second) {
    PassTask<T> task;
    Strides in{};
    Strides out{};
    switch (pass.from) {
        case Place::input: in = f.strides, task.in = f.data + first_unknown(layout, in); break;
        case Place::output: in = u.strides, task.in = u.data + first_unknown(layout, in); break;
        case Place::first: in = layout.first_strides, task.in = first; break;
        case Place::second: in = layout.second_strides, task.in = second; break;
    }
    switch (pass.to) {
        case Place::input:
        case Place::output: out = u.strides, task.out = u.data + first_unknown(layout, out); break;
        case Place::first: out = layout.first_strides, task.out = first; break;
        case Place::second: out = layout.second_strides, task.out = second; break;
    }
    const Extents extents = permute(layout.unknowns, pass.order);
    // (a, b, c) → (b, c, a): blocks run across a at fixed b. Otherwise across b at fixed a.
    task.lanes = pass.movement == rotation ? 0 : 1;
    const int slow = 1 - task.lanes;
    task.slow = extents[slow];
    task.lines = extents[task.lanes];
    task.in_slow = in[slow];
    task.in_line = in[task.lanes];
    if (pass.movement == identity_order) {
        task.out_slow = out[0];
        task.out_line = out[1];
        end_lines(layout, pass.axis(), task);
    } else {
        task.out_slow = pass.movement == rotation ? out[0] : out[1];
        task.out_line = 1;
        task.out_sample = pass.movement == rotation ? out[1] : out[0];
    }
    return task;
}

/// A pass of make_schedule_in_place().
template <class T>
PassTask<T> task_in_place(const Layout& layout, const Pass& pass, FieldView<const T> f, FieldView<T> u) {
    const auto [slow, across, along] = pass.order;
    PassTask<T> task;
    const Strides& in = pass.from == Place::input ? f.strides : u.strides;
    task.in = (pass.from == Place::input ? f.data : u.data) + first_unknown(layout, in);
    task.out = u.data + first_unknown(layout, u.strides);
    task.lanes = 1;
    task.slow = layout.unknowns[slow];
    task.lines = layout.unknowns[across];
    task.in_slow = in[slow], task.in_line = in[across], task.in_sample = in[along];
    task.out_slow = u.strides[slow], task.out_line = u.strides[across], task.out_sample = u.strides[along];
    if (pass.direction == Direction::backward && along == 2) end_lines(layout, along, task);
    return task;
}

}  // namespace poisson3d::host
