// What it takes to differentiate through a solve: its transpose is one more solve.
//
// With W, the product of the control volumes of a point along the three axes, the operator is its own adjoint in
// the inner product ⟨u, v⟩ = Σ W u v (summation by parts). So is S, which makes u of f with nothing on the faces:
//
//     Sᵀ = W S W⁻¹,    0 at Dirichlet nodes,    Sᵀ = S where all control volumes are the same.
//
// If constants are in the null space, S removes the mean of f and makes that of u zero, both weighted with W, and
// the same holds. Where u is zero at a point p instead (gauge), S = (1 − 1 e_pᵀ) S_mean, so
// Sᵀ v = S_meanᵀ (v − e_p Σ v).
//
// Data g of a face is added, times a factor B, to the right-hand side of the unknowns next to it, and stands in u
// itself at Dirichlet nodes: the transpose of u(g) is B (Sᵀ v)(those unknowns), and v at those nodes.
// Source: Giles and Pierce, Flow, Turbulence and Combustion 65 (2000), for discrete adjoints.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/export.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

struct Adjoint {
    /// Control volumes of the stored points of each axis, in units of length: h, and h/2 at Neumann and Robin
    /// nodes; half the sum of the steps beside nodes, the widths of cells, custom.weights; 0 at Dirichlet nodes.
    std::array<std::vector<double>, 3> volumes;
    /// B of each face [axis][lower, upper]: −2/h² (Dirichlet) and −1/h (Neumann) for cells, −1/h² and −2/h for
    /// nodes, of Robin faces and steps that differ accordingly; 0 where an axis is periodic. `spectral` has no
    /// data.
    std::array<std::array<double, 2>, 3> data{};
};

/// λ and the gauge do not matter. Throws what validate(problem.grid) does.
POISSON3D_API Adjoint adjoint(const Problem& problem);

}  // namespace poisson3d
