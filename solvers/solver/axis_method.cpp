#include "poisson3d/axis_method.hpp"

#include <algorithm>

#include "axis_kind.hpp"
#include "closed_axis.hpp"
#include "free_faces.hpp"
#include "middle_axis.hpp"
#include "padded_axis.hpp"

namespace poisson3d {

const char* name(AxisWay way) noexcept {
    static constexpr const char* names[] = {"transformed", "eliminated", "multiplied", "padded", "closed"};
    return names[static_cast<int>(way)];
}

namespace {

Index largest_prime_factor(Index n) {
    Index largest = 1;
    for (Index p = 2; p * p <= n; ++p)
        for (; n % p == 0; n /= p) largest = p;
    return std::max(largest, n);
}

/// Of the axis that is transformed in the place of the caller's. A round trip is 2N, of a periodic axis N.
AxisMethod transform_of(const Axis& axis, AxisWay way) {
    const AxisKind kind = axis_kind(axis);
    const Index length = std::max<Index>(1, axis.periodic() ? kind.round_trip : kind.round_trip / 2);
    return {way, name(kind.forward), length, largest_prime_factor(length)};
}

}  // namespace

std::array<AxisMethod, 3> axis_methods(const Problem& problem, Middle middle) {
    validate(problem);
    if (unbounded_axes(problem.grid) > 0) validate_free_faces(problem);
    const bool spread = pads_free_axes(problem, middle);  // no axis is eliminated
    const bool closed =
        spread && middle != Middle::transform && problem.discretization == Discretization::second_order;
    const int eliminated = spread ? -1 : eliminated_axis(problem, middle);
    std::array<AxisMethod, 3> methods;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        if (a == eliminated)
            methods[a] = {AxisWay::eliminated, "", axis_kind(axis).unknowns, 1};
        else if (axis.unbounded())
            methods[a] = closed ? transform_of(lines::close_axis(axis).axis, AxisWay::closed)
                                : transform_of(lines::padded_axis(axis), AxisWay::padded);
        else if (has_fast_transform(axis))
            methods[a] = transform_of(axis, AxisWay::transformed);
        else
            methods[a] = {AxisWay::multiplied, "", axis_kind(axis).unknowns, 1};
    }
    return methods;
}

}  // namespace poisson3d
