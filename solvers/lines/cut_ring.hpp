// A ring of which some nodes are held, so that it falls into arcs, which are chains: their ladders (ladder.hpp),
// and what they answer to potentials of the held nodes and to currents into the others. From the first node of an
// arc on, x_t is what node t and those before it are to ground:
//
//     x_t = z_t − μ D_t      p_t = g_{t+1} + x_t      z_{t+1} = g_{t+1} x_t/p_t,  behind a held node g_{t+1}
//
//     (K − μ D) u = f:       c_t = f_t + (g_t/p_{t−1}) c_{t−1}      u_t = (c_t + g_{t+1} u_{t+1})/p_t
//
// where 1/p_t is 0 for held nodes, and c_t + g_{t+1} u_{t+1} what is missing there. Held nodes are chosen one after
// the other, each where most is left of the modes near μ: then no arc has a mode near μ by itself.
#pragma once

#include "ring_ladders.hpp"

namespace poisson3d::lines {

/// Numbers of a ring, each with lanes of its own, that begins with a held node. By mode and node: first all of mode
/// 0.
template <class V>
struct CutRing {
    int nodes, modes;
    V *links, *volumes;    ///< links[nodes] = links[0]; the volume of ground is 0
    V *free, *inverse;     ///< 0 for held nodes, else 1; 1/p
    V *vectors, *changes;  ///< by mode and node
    V* held;               ///< by mode: nodes that are held, as many

    [[nodiscard]] POISSON3D_HD V* vector(int mode) const { return vectors + static_cast<long>(mode) * nodes; }
    [[nodiscard]] POISSON3D_HD V* change(int mode) const { return changes + static_cast<long>(mode) * nodes; }
};

template <class V>
POISSON3D_HD V larger(V a, V b) {
    return chosen(less(a, b), b, a);
}

/// Where it is, one; elsewhere the other.
template <class V>
POISSON3D_HD V at_node(V node, int here, V there, V elsewhere) {
    return chosen(less(magnitude(node - all<V>(static_cast<double>(here))), all<V>(0.5)), there, elsewhere);
}

/// Fills `inverse`. The largest |g/p|: currents lose as many digits as it has, where a part of an arc has a mode.
template <class V>
POISSON3D_HD V climb(const CutRing<V>& ring, V mu) {
    const V half = all<V>(0.5), none = all<V>(0.0), one = all<V>(1.0);
    V growth = none;
    V z = ring.links[1];
    for (int t = 1; t < ring.nodes; ++t) {
        const V next = ring.links[t + 1];
        const V x = z - mu * ring.volumes[t];
        const auto held = less(ring.free[t], half);
        const V inverse = chosen(held, none, one / pivot_of(next + x, next));
        ring.inverse[t] = inverse;
        const V ratio = next * inverse;
        growth = larger(growth, magnitude(ratio));
        z = chosen(held, next, ratio * x);
    }
    return growth;
}

/// Chooses held node number `which`, by the ladders of the arcs between those before it.
template <class V>
POISSON3D_HD void hold_next(const CutRing<V>& ring, V mu, int which) {
    const V half = all<V>(0.5), none = all<V>(0.0);
    V* const before = ring.changes;
    V x = ring.links[1];
    for (int t = 1; t < ring.nodes; ++t) {
        const V next = ring.links[t + 1];
        x = x - mu * ring.volumes[t];
        before[t] = x;
        x = chosen(less(ring.free[t], half), next, in_series(next, x).conductance);
    }
    V behind = ring.links[ring.nodes];
    V best = none, least = none, best_volume = none;
    for (int t = ring.nodes - 1; t > 0; --t) {
        const V link = ring.links[t], volume = ring.volumes[t], free = ring.free[t];
        const V missing = magnitude(before[t] + behind);
        const auto better = less(missing * best_volume, least * (volume * free));
        const auto none_yet = less(best, half);
        const V here = all<V>(static_cast<double>(t));
        best = chosen(better, here, chosen(none_yet, here * free, best));
        least = chosen(better, missing, chosen(none_yet, missing, least));
        best_volume = chosen(better, volume, chosen(none_yet, volume, best_volume));
        behind = chosen(less(free, half), link, in_series(link, behind - mu * volume).conductance);
    }
    ring.held[which] = best;
    for (int t = 1; t < ring.nodes; ++t) ring.free[t] = at_node(best, t, none, ring.free[t]);
}

/// Of one or two vectors: Σ g Δv Δw and Σ D v w.
template <class V>
struct Products {
    V energy, mass;
};

/// vector(mode) := what a potential of 1 at its held node, and 0 at the others, is everywhere.
template <class V>
POISSON3D_HD Products<V> respond(const CutRing<V>& ring, int mode) {
    const V none = all<V>(0.0), one = all<V>(1.0), held = ring.held[mode];
    V* const v = ring.vector(mode);
    V* const currents = ring.change(mode);
    V current = mode == 0 ? ring.links[1] : none;
    for (int t = 1; t < ring.nodes; ++t) {
        const V next = ring.links[t + 1];
        currents[t] = current;
        current = (next * ring.inverse[t]) * current;
        if (mode > 0) current = at_node(held, t, next, current);
    }
    V u = mode == 0 ? one : none;
    v[0] = u;
    Products<V> of{none, mode == 0 ? ring.volumes[0] : none};
    for (int t = ring.nodes - 1; t > 0; --t) {
        const V next = ring.links[t + 1];
        V here = ring.inverse[t] * multiplied_and_added(next, u, currents[t]);
        if (mode > 0) here = at_node(held, t, one, here);
        v[t] = here;
        const V apart = u - here;
        of.energy = multiplied_and_added(next * apart, apart, of.energy);
        of.mass = multiplied_and_added(ring.volumes[t] * here, here, of.mass);
        u = here;
    }
    const V apart = u - v[0];
    of.energy = multiplied_and_added(ring.links[1] * apart, apart, of.energy);
    return of;
}

/// Of vectors `a` and `b`.
template <class V>
POISSON3D_HD Products<V> products(const CutRing<V>& ring, int a, int b) {
    const V* const v = ring.vector(a);
    const V* const w = ring.vector(b);
    Products<V> of{all<V>(0.0), all<V>(0.0)};
    V before_v = v[ring.nodes - 1], before_w = w[ring.nodes - 1];
    for (int t = 0; t < ring.nodes; ++t) {
        of.energy = multiplied_and_added(ring.links[t] * (v[t] - before_v), w[t] - before_w, of.energy);
        of.mass = multiplied_and_added(ring.volumes[t] * v[t], w[t], of.mass);
        before_v = v[t];
        before_w = w[t];
    }
    return of;
}

}  // namespace poisson3d::lines
