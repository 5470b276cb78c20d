// A box on which swapped axes, a forgotten origin or a unit length would show.
#pragma once

#include <array>

#include "poisson3d/solver.hpp"

namespace poisson3d::test {

using Faces = std::array<std::array<Boundary, 2>, 3>;
inline constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann;

// A box with nothing equal: lengths 1.5, 2.5 and 0.8, origins that must not matter.
inline Problem make_problem(const Faces& faces, Centering centering, const Extents& points, double helmholtz) {
    constexpr std::array<double, 3> lengths{1.5, 2.5, 0.8}, origins{-3.0, 10.0, 0.25};
    Problem problem;
    problem.helmholtz = helmholtz;
    for (std::size_t a = 0; a < 3; ++a) {
        Axis& axis = problem.grid.axes[a];
        axis = {points[a], 1.0, origins[a], centering, faces[a][0], faces[a][1]};
        axis.spacing = lengths[a] / axis.length();
    }
    return problem;
}

}  // namespace poisson3d::test
