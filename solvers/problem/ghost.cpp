#include "ghost.hpp"

#include "axis_kind.hpp"

namespace poisson3d {

namespace {

struct End {
    Index unknown;  ///< the outermost
    Index step;     ///< outwards
};

End end_of(const Axis& axis, int side) noexcept {
    const AxisKind kind = axis_kind(axis);
    return side == 0 ? End{kind.first, -1} : End{kind.first + kind.unknowns - 1, 1};
}

}  // namespace

Ghost beyond(const Axis& axis, int side) noexcept {
    const auto [end, step] = end_of(axis, side);
    if (axis.periodic()) return {end_of(axis, 1 - side).unknown, 1.0};
    const bool dirichlet = (side == 0 ? axis.lower : axis.upper) == Boundary::dirichlet;
    Ghost ghost;
    if (axis.centering == Centering::cell) {
        ghost = {end, dirichlet ? -1.0 : 1.0};
        ghost.data[side] = dirichlet ? 2.0 : axis.step();
    } else if (dirichlet) {
        ghost = {end + step, 1.0};
    } else {
        ghost = {end - step, 1.0};
        ghost.data[side] = 2.0 * axis.step();
    }
    return ghost;
}

Ghost beyond_of_unknowns(const Axis& axis, int side) noexcept {
    Ghost ghost = beyond(axis, side);
    const Index first = end_of(axis, 0).unknown;
    const Index last = end_of(axis, 1).unknown;
    if (ghost.index >= first && ghost.index <= last) return ghost;
    ghost.data[ghost.index < first ? 0 : 1] += ghost.weight;
    ghost.index = first;
    ghost.weight = 0.0;
    return ghost;
}

}  // namespace poisson3d
