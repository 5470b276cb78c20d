// Problems with one, two and three free axes, of which members close faces by walls.
#pragma once

#include <array>

#include "poisson3d/free_space.hpp"
#include "problems.hpp"

namespace poisson3d::test {

/// Of an axis: free on both sides, on one beside each wall, and not free.
inline constexpr int ends_of_axis = 10;
inline void set_ends(Axis& axis, int number) {
    constexpr Boundary F = Boundary::free, D = Boundary::dirichlet, N = Boundary::neumann, P = Boundary::periodic;
    constexpr std::array<std::array<Boundary, 2>, ends_of_axis> ends{
        {{F, F}, {F, D}, {D, F}, {F, N}, {N, F}, {F, F}, {P, P}, {D, N}, {N, N}, {D, D}}};
    axis.lower = ends[static_cast<std::size_t>(number)][0];
    axis.upper = ends[static_cast<std::size_t>(number)][1];
}

/// All mixes are 1000, of which some have no free axis; cells and nodes and λ go through them at other periods.
inline Problem member_mix(int mix, const Extents& points) {
    Problem problem = make_problem({}, points, Discretization::second_order, mix % 3 == 1 ? 0.7 : 0.0);
    int rest = mix;
    for (std::size_t a = 0; a < 3; ++a, rest /= ends_of_axis) {
        set_ends(problem.grid.axes[a], rest % ends_of_axis);
        problem.grid.axes[a].centering =
            (mix / 7 + static_cast<int>(a) * mix) % 2 == 0 ? Centering::cell : Centering::node;
    }
    return problem;
}

}  // namespace poisson3d::test
