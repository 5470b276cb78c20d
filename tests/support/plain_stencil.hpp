// The second-order operator as a plain loop in double: every value beyond an end by its ghost rule, nothing clever.
#pragma once

#include <array>

#include "axis_rules.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::test {

/// u at index j of an axis is weight · u[index]: j may lie one beyond the stored points or on a Dirichlet node.
struct Ghost {
    Index index;
    double weight;
};

inline Ghost ghost(const Axis& axis, Index j) {
    if (unknowns(axis).contain(j)) return {j, 1.0};
    const Index n = axis.points;
    if (axis.periodic()) return {(j + n) % n, 1.0};
    const Boundary boundary = j <= 0 ? axis.lower : axis.upper;
    if (axis.centering == Centering::cell) return {j < 0 ? 0 : n - 1, boundary == Boundary::dirichlet ? -1.0 : 1.0};
    if (boundary == Boundary::dirichlet) return {0, 0.0};
    return ghost(axis, j < 0 ? 1 : n - 2);  // the mirrored node, itself perhaps a Dirichlet node
}

/// ((∇² − λ) u)(i, j, k) for an unknown (i, j, k).
template <class T>
double plain_operator(const Problem& problem, FieldView<const T> u, Index i, Index j, Index k) {
    const std::array<Index, 3> at{i, j, k};
    const auto value = [&](std::array<Index, 3> index, double weight) {
        return weight == 0.0 ? 0.0 : weight * static_cast<double>(u(index[0], index[1], index[2]));
    };
    const double centre = value(at, 1.0);
    double sum = -problem.helmholtz * centre;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        double second = -2.0 * centre;
        for (const Index side : {-1, 1}) {
            const Ghost neighbour = ghost(axis, at[a] + side);
            std::array<Index, 3> index = at;
            index[a] = neighbour.index;
            second += value(index, neighbour.weight);
        }
        sum += second / (axis.spacing * axis.spacing);
    }
    return sum;
}

/// body(i, j, k) for every unknown.
template <class Body>
void for_each_unknown(const Grid& grid, Body body) {
    const std::array<Unknowns, 3> range{unknowns(grid.axes[0]), unknowns(grid.axes[1]), unknowns(grid.axes[2])};
    for (Index i = range[0].first; i < range[0].first + range[0].count; ++i)
        for (Index j = range[1].first; j < range[1].first + range[1].count; ++j)
            for (Index k = range[2].first; k < range[2].first + range[2].count; ++k) body(i, j, k);
}

inline Index unknown_count(const Grid& grid) {
    return unknowns(grid.axes[0]).count * unknowns(grid.axes[1]).count * unknowns(grid.axes[2]).count;
}

/// The mean over the unknowns with the weights of the axes.
template <class T>
double plain_mean(const Grid& grid, FieldView<const T> field) {
    Real sum = 0;
    Real total = 0;
    for_each_unknown(grid, [&](Index i, Index j, Index k) {
        const Real weight =
            mean_weight(grid.axes[0], i) * mean_weight(grid.axes[1], j) * mean_weight(grid.axes[2], k);
        sum += weight * static_cast<Real>(field(i, j, k));
        total += weight;
    });
    return static_cast<double>(sum / total);
}

}  // namespace poisson3d::test
