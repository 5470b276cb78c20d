// Rings of conductances (chain.hpp) for one μ. A node that is eliminated has links k to the last node, which is the
// left neighbour of the first, and w to the next one, and x to ground:
//
//     s = k + w + x      next: x := w x/s − μD, k := k w/s      last: x_last += k x/s
//
// With nodes 0 and j held, the two arcs between are chains, whose ladders (ladder.hpp) from both ends give the
// symmetric system of what is missing there, and what a potential of 1 at either end is inside:
//
//     Γ_jj = z_j(arc from 0) + z_j(arc behind) − μ D_j      Γ_0j = −(T + T')      T = g Π g/(g + x)
//
// γ_j = Γ_jj − Γ_0j²/Γ_00 is what a mode with v_j = 1 misses. Where two eigenvalues are close, Γ c = δ N c, N the
// products Σ D of the two responses, has μ + δ near both. Nothing of it sums what cancels: T is a product.
// Counts, and the estimate of γ_j for all j at once, do: near an eigenvalue of a part of the ring they lose digits.
#pragma once

#include <vector>

#include "ladder.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

/// In units where none is far from 1. links[j] is between nodes j − 1 and j, links[0] = links[n] closes the ring.
struct Ring {
    std::vector<double> links, volumes;
    [[nodiscard]] int nodes() const { return static_cast<int>(volumes.size()); }
};

/// A node with links w and k, x to ground: k and x over their sum.
template <class N>
struct TiedNode {
    N tie, ground;
    double pivot;

    TiedNode(double w, const N& k, const N& x) {
        N s = sum(N(w), sum(k, x));
        const double least = (w + magnitude(leading(k))) * least_pivot;
        if (magnitude(leading(s)) < least) s = N(least);
        const N inverse = N(1.0) / s;
        tie = inverse * k;
        ground = inverse * x;
        pivot = leading(s);
    }
};

/// How many eigenvalues are below μ.
template <class N>
Index count_below(const Ring& ring, const N& mu) {
    const int n = ring.nodes();
    Index count = 0;
    N x = -(mu * ring.volumes[0]), k = N(ring.links[0]), last = -(mu * ring.volumes[n - 1]);
    for (int j = 0; j + 2 < n; ++j) {
        const TiedNode<N> node(ring.links[j + 1], k, x);
        if (node.pivot < 0.0) ++count;
        last = sum(last, k * node.ground);
        x = sum(node.ground * ring.links[j + 1], -(mu * ring.volumes[j + 1]));
        k = node.tie * ring.links[j + 1];
    }
    if (n > 1) {  // both links of the last but one go to the last
        const N both = sum(k, N(ring.links[n - 1]));
        const TiedNode<N> node(0.0, both, x);
        if (node.pivot < 0.0) ++count;
        last = sum(last, both * node.ground);
    }
    return leading(last) < 0.0 ? count + 1 : count;
}

/// Γ of nodes 0 and j.
struct HeldNodes {
    DoubleDouble first, mixed, second;
};

/// The chain between two nodes that are held.
struct Arc {
    DoubleDouble at_first, at_last, across;       ///< conductances into it, and T
    std::vector<DoubleDouble> of_first, of_last;  ///< by node: potentials for 1 at either end

    Arc(const Ring& ring, const DoubleDouble& mu, int first, int last);
};

/// For all j > 0, less exactly, by elimination from node 0 in both directions.
std::vector<HeldNodes> estimated_held_nodes(const Ring& ring, const DoubleDouble& mu);

}  // namespace poisson3d::lines
