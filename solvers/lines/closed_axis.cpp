#include "closed_axis.hpp"

#include <algorithm>

#include "axis_kind.hpp"
#include "axis_tables.hpp"
#include "transform_numbers.hpp"

namespace poisson3d::lines {

namespace {

Index largest_prime_of_lines(const Axis& axis) {
    Index rest = line_ffts(axis).length;
    Index largest = 1;
    for (Index p = 2; p * p <= rest; ++p)
        for (; rest % p == 0; rest /= p) largest = std::max(largest, p);
    return std::max(largest, rest);
}

/// Points of two free faces, closed as cells or as nodes.
Axis between_two(Axis axis) {
    Axis nodes = axis;
    axis.centering = Centering::cell;
    nodes.centering = Centering::node;
    nodes.points += 2;
    constexpr Index fast = 7;
    return largest_prime_of_lines(axis) > fast && largest_prime_of_lines(nodes) <= fast ? nodes : axis;
}

Axis walled(const Axis& axis, bool as_cells) {
    Axis closed{axis.points, axis.step(), axis.origin, axis.centering, axis.lower, axis.upper};
    const bool both = axis.lower == axis.upper;
    for (Boundary* const face : {&closed.lower, &closed.upper})
        if (*face == Boundary::free) *face = Boundary::dirichlet;
    if (both && as_cells) closed.centering = Centering::cell;
    if (both) return as_cells ? closed : between_two(closed);
    if (closed.centering == Centering::node) ++closed.points;
    return closed;
}

}  // namespace

ClosedAxis close_axis(const Axis& axis, bool as_cells) {
    ClosedAxis closed;
    closed.axis = axis;
    if (!axis.unbounded()) return closed;
    closed.axis = walled(axis, as_cells);
    closed.faces = axis.lower == axis.upper ? 2 : 1;
    closed.lower = axis.lower == Boundary::free;
    closed.mean = closed.axis.centering == Centering::cell;
    const double h = axis.step();
    closed.to_face = (closed.mean ? 2.0 : 1.0) / (h * h);
    const AxisKind kind = axis_kind(closed.axis);
    const Index in = closed.lower ? 0 : kind.unknowns - 1;
    const TransformNumbers forward(kind.forward, kind.unknowns);
    const TransformNumbers backward(kind.backward, kind.unknowns);
    // A single unknown on a Neumann wall has the value of the face on both its sides.
    const bool on_wall = kind.forward == Transform::dct3 || kind.forward == Transform::dst3;
    const bool both_sides = on_wall && kind.unknowns == 1;
    closed.taken = (both_sides ? -2.0 : -1.0) * closed.to_face;
    for (Index k = 0; k < kind.unknowns; ++k) {
        closed.sums.push_back(static_cast<double>(closed.faces * backward(in, k)));
        closed.terms.push_back(static_cast<double>(closed.taken * forward(k, in)));
    }
    return closed;
}

std::array<ClosedAxis, 3> close_axes(const Grid& grid) {
    return {close_axis(grid.axes[0]), close_axis(grid.axes[1]), close_axis(grid.axes[2])};
}

Problem close_faces(const Problem& problem) {
    Problem closed = problem;
    for (Axis& axis : closed.grid.axes) axis = close_axis(axis).axis;
    closed.gauge = {};
    return closed;
}

}  // namespace poisson3d::lines
