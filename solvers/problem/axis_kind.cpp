#include "axis_kind.hpp"

#include <algorithm>

#include "chain.hpp"

namespace poisson3d {

const char* name(Transform transform) noexcept {
    static constexpr const char* names[] = {"DFT",    "inverse DFT", "DCT-I",  "DCT-II",  "DCT-III",
                                            "DCT-IV", "DST-I",       "DST-II", "DST-III", "DST-IV"};
    return names[static_cast<int>(transform)];
}

namespace {

AxisKind kind_of_walls(const Axis& axis) noexcept {
    const Index n = axis.points;
    if (axis.periodic()) return {Transform::dft, Transform::inverse_dft, n, 0, n, n, true};
    const bool below = axis.lower == Boundary::dirichlet;
    const bool above = axis.upper == Boundary::dirichlet;
    if (axis.centering == Centering::cell) {
        if (below && above) return {Transform::dst2, Transform::dst3, n, 0, n, 2 * n, false};
        if (below) return {Transform::dst4, Transform::dst4, n, 0, n, 2 * n, false};
        if (above) return {Transform::dct4, Transform::dct4, n, 0, n, 2 * n, false};
        return {Transform::dct2, Transform::dct3, n, 0, n, 2 * n, true};
    }
    const Index trip = 2 * (n - 1);
    if (below && above) return {Transform::dst1, Transform::dst1, n, 1, n - 2, trip, false};
    if (below) return {Transform::dst3, Transform::dst2, n, 1, n - 1, trip, false};
    if (above) return {Transform::dct3, Transform::dct2, n, 0, n - 1, trip, false};
    return {Transform::dct1, Transform::dct1, n, 0, n, trip, true};
}

/// α > 0
bool grounded(const Axis& axis, int side) noexcept {
    const Boundary wall = side == 0 ? axis.lower : axis.upper;
    return wall == Boundary::dirichlet || (wall == Boundary::robin && axis.robin[side].alpha > 0.0);
}

}  // namespace

bool has_ground(const Axis& axis) noexcept {
    return grounded(axis, 0) || grounded(axis, 1);
}

AxisKind axis_kind(const Axis& axis) noexcept {
    AxisKind kind = kind_of_walls(axis);
    if (!has_fast_transform(axis)) {
        kind.round_trip = 1;
        kind.constant_mode = !has_ground(axis) && !axis.unbounded();
    }
    return kind;
}

std::vector<double> mean_weights(const Axis& axis) {
    std::vector<double> weights(static_cast<std::size_t>(axis.points), 1.0);
    if (!has_fast_transform(axis)) {
        const Chain chain = make_chain(axis);
        std::ranges::fill(weights, 0.0);
        std::ranges::copy(chain.volumes, weights.begin() + axis_kind(axis).first);
    } else if (axis.centering == Centering::node && !axis.periodic()) {
        weights.front() = axis.lower == Boundary::neumann ? 0.5 : 0.0;
        weights.back() = axis.upper == Boundary::neumann ? 0.5 : 0.0;
    }
    return weights;
}

}  // namespace poisson3d
