// Where a pass reads and writes: the distances in memory of a PassTask.
//
// Every pass works on u as it lies. Lines along z are neighbours' samples; V lines along y or x that are neighbours
// in z are rows of a cache line or two each, as far apart as the axis demands. A block of lines is read whole
// before it is written, to where it was, so there is no other field, and nothing has to be turned.
#pragma once

#include "engine.hpp"
#include "kernels.hpp"
#include "layout.hpp"

namespace poisson3d::host {

/// Offset of the first unknown in a field of the caller with these strides.
inline Index first_unknown(const Layout& layout, const Strides& strides) {
    Index offset = 0;
    for (int a = 0; a < 3; ++a) offset += layout.kinds[a].first * strides[a];
    return offset;
}

/// The axis across which the lines of a block along `along` lie. Blocks across z are best, but where z is thin they
/// are nearly empty.
inline int axis_across(const Extents& lines, int along, int block) {
    const int across = along == 2 ? 1 : 2;
    const int other = 3 - along - across;
    return along != 2 && lines[across] < block && lines[other] > lines[across] ? other : across;
}

/// A pass of make_schedule_in_place().
template <class T>
PassTask<T> task_in_place(const Layout& layout, const Pass& pass, FieldView<const T> f, FieldView<T> u) {
    const int along = pass.axis();
    const int across = axis_across(layout.unknowns, along, kernels<T>().lines);
    const int slow = 3 - along - across;
    PassTask<T> task;
    const Strides& in = pass.from == Buffer::input ? f.strides : u.strides;
    task.direction = pass.direction;
    task.in = (pass.from == Buffer::input ? f.data : u.data) + first_unknown(layout, in);
    task.out = u.data + first_unknown(layout, u.strides);
    task.slow = layout.unknowns[slow];
    task.lines = layout.unknowns[across];
    task.in_slow = in[slow], task.in_line = in[across], task.in_sample = in[along];
    task.out_slow = u.strides[slow], task.out_line = u.strides[across], task.out_sample = u.strides[along];
    if (pass.direction == Direction::backward && along == 2) {
        const AxisKind& kind = layout.kinds[along];  // Dirichlet nodes at the ends of lines
        task.zero_below = kind.first > 0;
        task.zero_above = kind.first + kind.unknowns < kind.points;
    }
    return task;
}

}  // namespace poisson3d::host
