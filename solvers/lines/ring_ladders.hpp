// Rings of conductances (chain.hpp) for one μ, by elimination of one node after the other. One that is eliminated
// has links k to a node that stays and w to the next one, and x to ground:
//
//     s = k + w + x      next: x := w x/s − μD, k := k w/s      what stays: x_0 += k x/s
//
// Eigenvalues below μ are as many as pivots s are negative. Where all but node 0 and a node j are eliminated, from
// node 0 in both directions, a link T and grounds X_0 and X_j are left; a mode with v_j = 1 misses
//
//     γ_j = X_j + T X_0/(T + X_0)
//
// there (ladder.hpp), and D_j/|γ_j| is largest where most is seen of the modes whose eigenvalues are next to μ.
//
// Near an eigenvalue of a part of the ring, terms of these sums cancel: counts tell two eigenvalues apart if they
// are not nearer than about the root of the rounding, relative, and modes are found otherwise (cut_ring.hpp).
#pragma once

#include "ladder.hpp"

namespace poisson3d::lines {

/// In units where none is far from 1. links[j] is between nodes j − 1 and j, links[0] = links[n] closes the ring.
/// Grounded: its last node is 0 in every mode, as ground is for the ends of a chain; no number says what its volume
/// is.
struct RingView {
    int nodes;
    const double *links, *volumes;
    bool grounded = false;
};

/// A node with links w and k, x to ground: k and x over their sum.
template <class V>
struct TiedNode {
    V tie, ground, pivot;

    POISSON3D_HD TiedNode(V w, V k, V x) {
        pivot = pivot_of((w + k) + x, w + magnitude(k));
        const V inverse = all<V>(1.0) / pivot;
        tie = inverse * k;
        ground = inverse * x;
    }
};

/// Eigenvalues below `each` of `shifts`, which are independent work for the processor.
template <class V, int together>
POISSON3D_HD void count_below(const RingView& ring, const V* shifts, V* below) {
    const V none = all<V>(0.0), one = all<V>(1.0);
    const int n = ring.nodes;
    V x[together], tie[together], last[together];
    POISSON3D_UNROLL
    for (int i = 0; i < together; ++i) {
        x[i] = -(shifts[i] * all<V>(ring.volumes[0]));
        last[i] = -(shifts[i] * all<V>(ring.volumes[n - 1]));
        tie[i] = all<V>(ring.links[0]);
        below[i] = none;
    }
    const auto eliminate = [&](int i, V link) __attribute__((always_inline)) {
        const TiedNode<V> node(link, tie[i], x[i]);
        below[i] = below[i] + chosen(less(node.pivot, none), one, none);
        last[i] = multiplied_and_added(tie[i], node.ground, last[i]);
        x[i] = node.ground * link;
        tie[i] = node.tie * link;
    };
    for (int j = 0; j + 2 < n; ++j) {
        const V link = all<V>(ring.links[j + 1]), volume = all<V>(ring.volumes[j + 1]);
        POISSON3D_UNROLL
        for (int i = 0; i < together; ++i) {
            eliminate(i, link);
            x[i] = x[i] - shifts[i] * volume;
        }
    }
    POISSON3D_UNROLL
    for (int i = 0; i < together; ++i) {
        if (n > 1) {  // both links of the last but one go to the last
            tie[i] = tie[i] + all<V>(ring.links[n - 1]);
            eliminate(i, none);
        }
        below[i] = below[i] + chosen(less(last[i], none), one, none);
    }
}

/// What those before a node leave: the tie to node 0, and what they add to the ground of both.
template <class V>
struct Eliminated {
    V tie, here, first;

    /// Past a node, with `link` to the next one.
    POISSON3D_HD void pass(V mu, V volume, V link) {
        const TiedNode<V> node(link, tie, here - mu * volume);
        first = multiplied_and_added(tie, node.ground, first);
        tie = node.tie * link;
        here = node.ground * link;
    }
};

/// Of all nodes the one of largest D/|γ|. scratch: three numbers a node.
template <class V>
POISSON3D_HD V clearest_node(const RingView& ring, V mu, V* scratch) {
    const int n = ring.nodes;
    const V none = all<V>(0.0);
    Eliminated<V> left{all<V>(ring.links[1]), none, none};
    for (int j = 1; j < n; ++j) {
        scratch[3L * j] = left.tie;
        scratch[3L * j + 1] = left.here;
        scratch[3L * j + 2] = left.first;
        if (j + 1 < n) left.pass(mu, all<V>(ring.volumes[j]), all<V>(ring.links[j + 1]));
    }
    Eliminated<V> right{all<V>(ring.links[n]), none, none};
    const V volume_of_first = all<V>(ring.volumes[0]);
    V best = none, least = none, best_volume = none;
    const auto compare = [&](double node, V volume, V missing) __attribute__((always_inline)) {
        missing = magnitude(missing);
        const auto better = less(missing * best_volume, least * volume);
        best = chosen(better, all<V>(node), best);
        least = chosen(better, missing, least);
        best_volume = chosen(better, volume, best_volume);
    };
    for (int j = n - 1; j > 0; --j) {
        const V volume = all<V>(ring.volumes[j]);
        const V tie = scratch[3L * j] + right.tie;
        const V here = scratch[3L * j + 1] + right.here - mu * volume;
        const V first = scratch[3L * j + 2] + right.first - mu * volume_of_first;
        const V missing = here + in_series(tie, first).conductance;
        if (j == n - 1) {
            best = all<V>(static_cast<double>(j));
            least = magnitude(missing);
            best_volume = volume;
        }
        compare(static_cast<double>(j), volume, missing);
        if (j == 1)
            compare(0.0, volume_of_first, first + in_series(tie, here).conductance);
        else
            right.pass(mu, volume, all<V>(ring.links[j]));
    }
    return best;
}

}  // namespace poisson3d::lines
