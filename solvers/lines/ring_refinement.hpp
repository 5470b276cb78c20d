// Modes of a ring from vectors V that are nearly theirs, with nodes held (cut_ring.hpp), as many as modes. What V
// misses of the equation is summed with twice the precision, all else with one:
//
//     R = (K − μD) V      N = Vᵀ D V      M = Vᵀ R      B = N⁻¹ M
//
//     (K − λD) U = D V B − R  with U = 0 at held nodes      V := V + U      M C = N C δ      modes V C, values μ +
//     δ
//
// λ, at which the ladders were, is near μ. Errors of V become as many times smaller as the next eigenvalue is
// further away than λ; what is missing afterwards is known without summing again: D U (λ − μ − B), and at held
// nodes what their arcs leave there. Then the modes are as far from the next one as rounding can tell.
#pragma once

#include "cut_ring.hpp"
#include "small_modes.hpp"

namespace poisson3d::lines {

/// Current through a link, of potentials that are next to each other.
template <class V>
POISSON3D_HD Doubled<V> current(V link, V here, V before) {
    const Doubled<V> apart = Doubled<V>::sum_of(here, -before);
    Doubled<V> current = Doubled<V>::product_of(link, apart.high);
    current.low = multiplied_and_added(link, apart.low, current.low);
    return current;
}

/// sum += ab for a with a second part.
template <class V>
POISSON3D_HD void add_product(Doubled<V>& sum, const Doubled<V>& a, V b) {
    const Doubled<V> product = Doubled<V>::product_of(a.high, b);
    const Doubled<V> next = Doubled<V>::sum_of(sum.high, product.high);
    sum = {next.high, sum.low + (next.low + multiplied_and_added(a.low, b, product.low))};
}

/// change(mode) := (K − μD) v of vector(mode), and N and M of it and itself.
template <class V>
POISSON3D_HD void find_residual(const CutRing<V>& ring, const Doubled<V>& mu, int mode,
                                const SmallModes<V>& small) {
    const V* const v = ring.vector(mode);
    V* const r = ring.change(mode);
    const V none = all<V>(0.0);
    Doubled<V> mass(none);
    V rest = none, here = v[0];
    const Doubled<V> closing = current(ring.links[0], here, v[ring.nodes - 1]);
    Doubled<V> in = closing;
    for (int t = 0; t < ring.nodes; ++t) {
        const bool last = t + 1 == ring.nodes;
        const V next = v[last ? 0 : t + 1];
        const Doubled<V> out = current(ring.links[t + 1], next, here);
        const Doubled<V> weight = Doubled<V>::product_of(ring.volumes[t], here);
        Doubled<V> part = Doubled<V>::product_of(mu.high, weight.high);
        part.low = part.low + multiplied_and_added(mu.high, weight.low, mu.low * weight.high);
        const Doubled<V> currents = Doubled<V>::sum_of(in.high, -out.high);
        const Doubled<V> missing = Doubled<V>::sum_of(currents.high, -part.high);
        const V residual = missing.high + (((missing.low + currents.low) + (in.low - out.low)) - part.low);
        r[t] = residual;
        rest = multiplied_and_added(here, residual, rest);
        add_product(mass, weight, here);
        in = out;
        here = next;
    }
    small.mass[small.at(mode, mode)] = mass;
    small.rest[small.at(mode, mode)] = rest;
}

/// N and M of two vectors, of which both residuals are known.
template <class V>
POISSON3D_HD void find_products(const CutRing<V>& ring, int a, int b, const SmallModes<V>& small) {
    const V* const v = ring.vector(a);
    const V* const w = ring.vector(b);
    const V* const r = ring.change(a);
    Doubled<V> mass(all<V>(0.0));
    V rest = all<V>(0.0);
    for (int t = 0; t < ring.nodes; ++t) {
        add_product(mass, Doubled<V>::product_of(ring.volumes[t], v[t]), w[t]);
        rest = multiplied_and_added(w[t], r[t], rest);
    }
    small.mass[small.at(a, b)] = mass;
    small.rest[small.at(a, b)] = rest;
}

/// What a change leaves.
template <class V>
struct Change {
    V size;     ///< Σ D u²
    V second;   ///< uᵀ (K − λD) u
    V missing;  ///< squares at held nodes
};

/// change(mode) := U from R.
template <class V>
POISSON3D_HD Change<V> solve_change(const CutRing<V>& ring, const SmallModes<V>& small, int mode) {
    V* const r = ring.change(mode);
    for (int other = 0; other < ring.modes; ++other) {
        if (other == mode) continue;
        const V* const v = ring.vector(other);
        const V share = small.share[small.at(other, mode)];
        for (int t = 0; t < ring.nodes; ++t) r[t] = r[t] - (share * ring.volumes[t]) * v[t];
    }
    const V* const v = ring.vector(mode);
    const V none = all<V>(0.0), share = small.share[small.at(mode, mode)];
    Change<V> of{none, none, none};
    V carried = none;
    for (int t = 1; t < ring.nodes; ++t) {
        const V inverse = ring.inverse[t];
        const V source = multiplied_and_added(share * ring.volumes[t], v[t], carried - r[t]);
        r[t] = source;
        const V part = inverse * source;
        of.second = multiplied_and_added(part, source, of.second);
        carried = ring.links[t + 1] * part;
    }
    const V at_first = multiplied_and_added(share * ring.volumes[0], v[0], carried - r[0]);
    V u = none;
    for (int t = ring.nodes - 1; t > 0; --t) {
        const V missing = multiplied_and_added(ring.links[t + 1], u, r[t]);
        u = ring.inverse[t] * missing;
        r[t] = u;
        of.size = multiplied_and_added(ring.volumes[t] * u, u, of.size);
        if (ring.modes > 1) {
            const V held = (all<V>(1.0) - ring.free[t]) * missing;
            const V square = chosen(less(none, ring.volumes[t]), held * held, none);  // not of ground
            of.missing = of.missing + square;
        }
    }
    r[0] = none;
    const V missing = multiplied_and_added(ring.links[1], u, at_first);
    of.missing = multiplied_and_added(missing, missing, of.missing);
    return of;
}

/// N of V + U.
template <class V>
POISSON3D_HD void add_changes(const CutRing<V>& ring, const SmallModes<V>& small) {
    for (int a = 0; a < ring.modes; ++a)
        for (int b = 0; b <= a; ++b) {
            const V *const v = ring.vector(a), *const w = ring.vector(b);
            const V *const p = ring.change(a), *const q = ring.change(b);
            V sum = all<V>(0.0);
            for (int t = 0; t < ring.nodes; ++t)
                sum = multiplied_and_added(
                    ring.volumes[t],
                    multiplied_and_added(v[t], q[t], multiplied_and_added(w[t], p[t], p[t] * q[t])), sum);
            Doubled<V>& mass = small.mass[small.at(a, b)];
            mass = quick_sum(mass, Doubled<V>(sum));
        }
}

/// V := V + U or, of several, (V + U) C, which is nearly orthonormal: rounded.
template <class V>
POISSON3D_HD void take_changes(const CutRing<V>& ring, const SmallModes<V>& small) {
    const int n = ring.nodes, m = ring.modes;
    for (int i = 0; i < m * n; ++i) ring.changes[i] = ring.vectors[i] + ring.changes[i];
    for (int a = 0; a < m; ++a)
        for (int t = 0; t < n; ++t) {
            V sum = ring.changes[t];
            if (m > 1) sum = sum * small.mixture[small.at(0, a)].high;
            for (int b = 1; b < m; ++b)
                sum = multiplied_and_added(small.mixture[small.at(b, a)].high, ring.change(b)[t], sum);
            ring.vector(a)[t] = sum;
        }
}

/// Node t of mode `mode` of (V + U) C.
template <class V>
POISSON3D_HD V mode_at(const CutRing<V>& ring, const SmallModes<V>& small, int mode, int t) {
    Doubled<V> sum(all<V>(0.0));
    for (int a = 0; a < ring.modes; ++a) {
        const Doubled<V> share = small.mixture[small.at(a, mode)];
        const V v = ring.vector(a)[t], u = ring.change(a)[t];
        add_product(sum, share, v);
        sum.low = multiplied_and_added(share.high, u, sum.low);
    }
    return sum.high + sum.low;
}

}  // namespace poisson3d::lines
