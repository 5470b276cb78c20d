// An axis as a network of conductances: the symmetric form of its second derivative, for any spacing.
//
// Times its control volume D_j, minus the second derivative at unknown j is the sum of currents out of a node,
//
//     −D_j u''_j = g_j (u_j − u_{j−1}) + g_{j+1} (u_j − u_{j+1}) + G_j u_j − current_j
//
//                    cells of widths w             nodes with steps h
//     D_j            w_j                           (h_{j−1} + h_j)/2, at a Neumann or Robin end half the one step
//     g_j            2/(w_{j−1} + w_j)             1/h_{j−1}
//     ρ, to a wall   w/2                           Dirichlet: the step to it; else 0
//
// A wall α u + β ∂u/∂n = γ ties its unknown to ground by G = α/(β + αρ) and feeds it γ/(β + αρ); Dirichlet is (1,
// 0), Neumann (0, 1). Nodes on Dirichlet faces are no unknowns. Beyond a free face steps go on as the last one, h,
// without end; with the value of u that stands for the face (boundary_data.hpp) as its data it is a wall with G and
// feed 2/h of cells, 1/h of nodes. Periodic: the chain is a ring. Axis::custom brings D and g itself; ρ is then
// 1/g. Source: Manteuffel and White, Math. Comp. 47 (1986), for the order on any grid.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d {

struct Chain {
    /// g_0 … g_n: g_j between unknowns j − 1 and j; g_0 = g_n closes a ring of two unknowns or more, else 0.
    std::vector<double> links;
    std::vector<double> volumes;     ///< D_j
    std::array<double, 2> ground{};  ///< G at the first and at the last unknown, which may be one
    std::array<double, 2> feed{};    ///< current for γ = 1
    std::array<double, 2> beyond{};  ///< the step beyond a free face; 0: the face is none
    std::array<double, 2> wall{};    ///< from the first and from the last unknown to a Neumann face
    bool ring = false;
};

/// Of a valid axis, uniform or not.
Chain make_chain(const Axis& axis);

/// 2 (g_j + g_{j+1} + G_j) / D_j, G the ground of unknown j: what stands in for 4/h² in the row of unknown j. No
/// eigenvalue is larger than the largest (Gershgorin).
std::vector<double> row_norms(const Chain& chain);

/// The first axis that no fast transform serves; −1 if there is none.
int first_uneven_axis(const Grid& grid) noexcept;

/// Of those axes the one with a free face, else the one with most unknowns, which would cost most as a matrix; −1
/// if there is none.
int uneven_axis_to_eliminate(const Grid& grid) noexcept;

}  // namespace poisson3d
