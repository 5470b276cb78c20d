// What stands one step beyond an end of an axis that is transformed: the one place that knows the rules of the
// second-order discretization there (chain.hpp has those of one that is eliminated). The stencil, what boundary
// data adds to the right-hand side, and the gradient are made of it.
//
//            Dirichlet       Neumann                  g the data of the face, h the spacing, the same at both ends;
//   cell     2g − u          u + h g                  u the last unknown, u_inner the one before it: the other side
//   node     g               u_inner + 2h g           of the face
//
// Periodic: the other end.
#pragma once

#include <array>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// weight · u[index] + Σ data_s g_s, s the lower and the upper face. Indices count stored points.
struct Ghost {
    Index index = 0;
    double weight = 0.0;
    std::array<double, 2> data{};
};

/// The value next to the first (side 0) or the last unknown (side 1) of a valid axis on its outer side. A node on a
/// Dirichlet face is a stored point like any other.
Ghost beyond(const Axis& axis, int side) noexcept;

/// The same in terms of unknowns: what refers to a node on a Dirichlet face, the ghost itself or what it mirrors,
/// is its data; `index` is then that of an unknown, with weight 0.
Ghost beyond_of_unknowns(const Axis& axis, int side) noexcept;

}  // namespace poisson3d
