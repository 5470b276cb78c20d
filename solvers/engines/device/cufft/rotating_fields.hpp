// Where everything stands on the way through the five passes, and the sweeps that lead from one place to the next.
//
// Two real lines make one complex line. Along z and x lines are paired over y, along y over z, so that pairs need
// to be made anew only before and after y:
//
//     first    [x][y pairs][z]     gather, FFT z                                        FFT z, scatter
//     second   [y pairs][z][x]            rotate, FFT x                      rotate, FFT x
//     first    [z pairs][x][y]                  rotate, FFT y, middle, FFT y
//
// The second field is a row of slabs, one per pair in y; a task works on some of them, which lie together.
#pragma once

#include <algorithm>

#include "device_axis.hpp"

namespace poisson3d::cufft {

/// Slabs first … first + count − 1 of the second field, the first of them at `base`.
template <class T>
struct Slabs {
    Index first = 0, count = 0;
    Complex<T>* base = nullptr;
};

template <class T>
class RotatingFields {
public:
    explicit RotatingFields(const Problem& problem)
        : x(make_axis_tables<T>(problem.grid.axes[0], problem.discretization, Listing::by_position)),
          y(make_axis_tables<T>(problem.grid.axes[1], problem.discretization, Listing::by_position)),
          z(make_axis_tables<T>(problem.grid.axes[2], problem.discretization, Listing::by_sample)) {}

    [[nodiscard]] static Index unknowns(const DeviceAxis<T>& axis) { return axis.tables.kind.unknowns; }
    [[nodiscard]] static Index rows(const DeviceAxis<T>& axis) { return axis.tables.rows; }
    [[nodiscard]] Index pairs_y() const { return y.tables.forward_pre.orbits; }
    [[nodiscard]] Index pairs_z() const { return (unknowns(z) + 1) / 2; }

    /// Lines along z and along y of the first field.
    [[nodiscard]] Index lines_z() const { return unknowns(x) * pairs_y(); }
    [[nodiscard]] Index lines_y() const { return pairs_z() * unknowns(x); }
    /// Elements of the first field, whichever of its two shapes is larger, and of a slab of the second.
    [[nodiscard]] Index first_size() const { return std::max(lines_z() * rows(z), lines_y() * rows(y)); }
    [[nodiscard]] Index slab() const { return unknowns(z) * rows(x); }

    /// What gather and scatter have in common; `field` is a view of all points.
    [[nodiscard]] LineTask<T> lines(Complex<T>* first, T* field, const Strides& strides) const {
        LineTask<T> task;
        task.field =
            field + x.tables.kind.first * strides[0] + y.tables.kind.first * strides[1] + z.tables.kind.first;
        task.stride_x = strides[0];
        task.stride_y = strides[1];
        task.work = first;
        task.pitch = rows(z);
        task.extent_x = unknowns(x);
        task.pairs = pairs_y();
        return task;
    }

    [[nodiscard]] LineTask<T> gather(Complex<T>* first, FieldView<const T> f) const {
        LineTask<T> task = lines(first, const_cast<T*>(f.data), f.strides);  // only read
        task.pair = y.forward_pre.in;
        task.z = z.forward_pre;
        task.mirror = z.tables.mirror;
        return task;
    }

    [[nodiscard]] LineTask<T> scatter(Complex<T>* first, FieldView<T> u) const {
        LineTask<T> task = lines(first, u.data, u.strides);
        task.pair = y.backward_post.out;
        task.z = z.backward_post;
        const AxisKind& kind = z.tables.kind;
        task.samples = kind.unknowns;
        task.below = kind.first;
        task.above = kind.points - kind.first - kind.unknowns;
        return task;
    }

    [[nodiscard]] RotateTask<T> z_to_x(Complex<T>* first, const Slabs<T>& slabs) const {
        RotateTask<T> task = between_z_and_x(slabs, z.forward_post, x.forward_pre);
        task.mirror = x.tables.mirror;
        task.in = first + slabs.first * rows(z);
        task.in_batch = rows(z);
        task.in_row = pairs_y() * rows(z);
        task.out = slabs.base;
        task.out_batch = slab();
        task.out_line = rows(x);
        return task;
    }

    [[nodiscard]] RotateTask<T> x_to_z(Complex<T>* first, const Slabs<T>& slabs) const {
        RotateTask<T> task = between_z_and_x(slabs, x.backward_post, z.backward_pre);
        task.mirror = z.tables.mirror;
        task.in = slabs.base;
        task.in_batch = slab();
        task.in_row = rows(x);
        task.out = first + slabs.first * rows(z);
        task.out_batch = rows(z);
        task.out_line = pairs_y() * rows(z);
        return task;
    }

    [[nodiscard]] RotateTask<T> x_to_y(Complex<T>* first, const Slabs<T>& slabs) const {
        RotateTask<T> task;
        task.repair = Repair::rows;
        task.in = slabs.base;
        task.in_batch = 2 * rows(x);
        task.in_half = rows(x);
        task.in_row = slab();
        task.out = first;
        task.out_batch = unknowns(x) * rows(y);
        task.out_line = rows(y);
        task.batches = pairs_z();
        task.halves = unknowns(z);
        task.columns = x.forward_post;
        task.column_count = task.columns.count;
        task.rows = y.forward_pre;
        task.mirror = y.tables.mirror;
        task.first_row = static_cast<int>(slabs.first);
        task.row_count = static_cast<int>(slabs.count);
        return task;
    }

    [[nodiscard]] RotateTask<T> y_to_x(Complex<T>* first, const Slabs<T>& slabs) const {
        RotateTask<T> task;
        task.repair = Repair::columns;
        task.in = first;
        task.in_batch = unknowns(x) * rows(y);
        task.in_row = rows(y);
        task.out = slabs.base;
        task.out_batch = 2 * rows(x);
        task.out_half = rows(x);
        task.out_line = slab();
        task.batches = pairs_z();
        task.halves = unknowns(z);
        task.columns = y.backward_post;
        task.first_column = static_cast<int>(slabs.first);
        task.column_count = static_cast<int>(slabs.count);
        task.rows = x.backward_pre;
        task.mirror = x.tables.mirror;
        task.row_count = task.rows.count;
        return task;
    }

    /// Everything but what depends on the problem and the operation.
    [[nodiscard]] MiddleTask<T> middle(Complex<T>* first) const {
        MiddleTask<T> task;
        task.work = first;
        task.pitch = rows(y);
        task.pairs = pairs_z();
        task.extent_x = unknowns(x);
        task.extent_z = unknowns(z);
        task.post = y.forward_post;
        task.pre = y.backward_pre;
        task.mirror = y.tables.mirror;
        task.lambda_x = x.eigenvalues;
        task.lambda_y = y.eigenvalues;
        task.lambda_z = z.eigenvalues;
        return task;
    }

    DeviceAxis<T> x, y, z;

private:
    RotateTask<T> between_z_and_x(const Slabs<T>& slabs, const Orbits<T>& columns, const Orbits<T>& rows) const {
        RotateTask<T> task;
        task.batches = slabs.count;
        task.columns = columns;
        task.rows = rows;
        task.column_count = columns.count;
        task.row_count = rows.count;
        return task;
    }
};

}  // namespace poisson3d::cufft
