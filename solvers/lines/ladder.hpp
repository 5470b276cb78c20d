// K v = μ D v on a chain of conductances g and volumes D (chain.hpp), for one μ. Node j and all before it, seen
// from node j + 1, are one conductance to ground, x_j in series with g_{j+1}; so are node j and all behind it from
// the other side, y_j:
//
//     x_0 = G_0 − μ D_0         x_j = g_j x_{j−1}/(g_j + x_{j−1}) − μ D_j
//     y_{n−1} = G_1             y_j = g_{j+1} z/(g_{j+1} + z),  z = y_{j+1} − μ D_{j+1}
//
// As many eigenvalues lie below μ as the pivots g_j + x_{j−1} and the last, x_{n−1} + G_1, are negative
// (Sylvester). With v_r = 1, and v_j = v_{j+1} g/(g + x_j) before r and so on behind, currents balance at every
// node but r, where γ_r = x_r + y_r is missing. Of all r the one of least |γ_r|/D_r is taken; then μ + γ_r/Σ D v²
// is an eigenvalue up to the cube of the error of μ, and v its mode up to the error over the distance of the next
// eigenvalue.
//
// The matrix is never formed: rounding is as if each g and D had another last digit, which changes any eigenvalue,
// the least too, by that much of itself. Source: Dhillon and Parlett, "Multiple representations to compute
// orthogonal eigenvectors of symmetric tridiagonal matrices", Linear Algebra Appl. 387 (2004), for twisted
// factorisations and differential qd, which these ladders are for conductances.
//
// V is double or a pack of SIMD lanes, a μ in each, N a V or Doubled<V>.
#pragma once

#include "double_double.hpp"

namespace poisson3d::lines {

/// Links, volumes and grounds of a chain, in units where none is far from 1. links[j] is between nodes j − 1 and j.
struct LadderView {
    int nodes;
    const double *links, *volumes;
    double ground[2];
};

/// A pivot is at least this part of its link: next to nothing beside its rounding errors.
inline constexpr double least_pivot = 0x1p-150;

// What packs have as well, lane by lane.
POISSON3D_HD double spread(double x, const double*) {
    return x;
}
POISSON3D_HD bool less(double a, double b) {
    return a < b;
}
POISSON3D_HD double chosen(bool which, double a, double b) {
    return which ? a : b;
}
POISSON3D_HD double magnitude(double a) {
    return a < 0.0 ? -a : a;
}
POISSON3D_HD double root_of(double a) {
    return std::sqrt(a);
}
POISSON3D_HD double multiplied_and_added(double a, double b, double c) {
    return a * b + c;
}
POISSON3D_HD bool both(bool a, bool b) {
    return a && b;
}
POISSON3D_HD bool either(bool a, bool b) {
    return a || b;
}
POISSON3D_HD bool any(bool which) {
    return which;
}
POISSON3D_HD double from_lanes(const double* p, const double*) {
    return *p;
}
POISSON3D_HD void to_lanes(double a, double* p) {
    *p = a;
}

/// x in every lane.
template <class V>
POISSON3D_HD V all(double x) {
    return spread(x, static_cast<const V*>(nullptr));
}

template <class N>
struct NumberOf {
    using Single = N;
};
template <class V>
struct NumberOf<Doubled<V>> {
    using Single = V;
};
template <class N>
using Single = typename NumberOf<N>::Single;

template <class V>
POISSON3D_HD V leading(V x) {
    return x;
}
template <class V>
POISSON3D_HD V leading(const Doubled<V>& x) {
    return x.high;
}
template <class V>
POISSON3D_HD V sum(V a, V b) {
    return a + b;
}
template <class V>
POISSON3D_HD Doubled<V> sum(const Doubled<V>& a, const Doubled<V>& b) {
    return quick_sum(a, b);
}
template <class Mask, class V>
POISSON3D_HD Doubled<V> chosen(const Mask& which, const Doubled<V>& a, const Doubled<V>& b) {
    return {chosen(which, a.high, b.high), chosen(which, a.low, b.low)};
}

/// g/(g + x), and the two in series.
template <class N>
struct Series {
    N ratio, conductance;
    Single<N> pivot;
};

template <class V>
POISSON3D_HD V pivot_of(V sum, V link) {
    const V least = link * least_pivot;
    return chosen(less(magnitude(sum), least), least, sum);
}
template <class V>
POISSON3D_HD Series<V> in_series(V link, V x) {
    const V pivot = pivot_of(link + x, link);
    const V ratio = link / pivot;
    return {ratio, ratio * x, pivot};
}
/// The quotient by a reciprocal: its remainder is what the second part is made of.
template <class V>
POISSON3D_HD Series<Doubled<V>> in_series(V link, const Doubled<V>& x) {
    const Doubled<V> exact = quick_sum(Doubled<V>(link), x);
    const V pivot = pivot_of(exact.high, link);
    const V inverse = all<V>(1.0) / pivot;
    const V first = link * inverse;
    const Doubled<V> product = Doubled<V>::product_of(first, pivot);
    const V rest = ((link - product.high) - product.low) - first * exact.low;
    const Doubled<V> ratio = Doubled<V>::sum_of_ordered(first, rest * inverse);
    return {ratio, ratio * x, pivot};
}

/// Eigenvalues below `each` of `shifts`, which are independent work for the processor.
template <class N, int together>
POISSON3D_HD void count_below(const LadderView& chain, const N* shifts, Single<N>* below) {
    using V = Single<N>;
    const V none = all<V>(0.0), one = all<V>(1.0);
    N x[together];
    POISSON3D_UNROLL
    for (int i = 0; i < together; ++i) {
        x[i] = sum(N(all<V>(chain.ground[0])), -(shifts[i] * all<V>(chain.volumes[0])));
        below[i] = none;
    }
    for (int j = 1; j < chain.nodes; ++j) {
        const V link = all<V>(chain.links[j]), volume = all<V>(chain.volumes[j]);
        POISSON3D_UNROLL
        for (int i = 0; i < together; ++i) {
            const Series<N> series = in_series(link, x[i]);
            below[i] = below[i] + chosen(less(series.pivot, none), one, none);
            x[i] = sum(series.conductance, -(shifts[i] * volume));
        }
    }
    POISSON3D_UNROLL
    for (int i = 0; i < together; ++i) {
        const V last = leading(sum(x[i], N(all<V>(chain.ground[1]))));
        below[i] = below[i] + chosen(less(last, none), one, none);
    }
}

/// What both ladders leave at every node.
template <class N>
struct LadderScratch {
    N *before, *behind;              ///< x and y
    N *ratio_before, *ratio_behind;  ///< g/(g + x_j) of the link behind node j; g/(g + z_j) of the one before it
};

/// Fills the scratch.
template <class N>
POISSON3D_HD void both_ladders(const LadderView& chain, const N& shift, const LadderScratch<N>& scratch) {
    using V = Single<N>;
    const int n = chain.nodes;
    N x = sum(N(all<V>(chain.ground[0])), -(shift * all<V>(chain.volumes[0])));
    N y = N(all<V>(chain.ground[1]));
    scratch.before[0] = x;
    scratch.behind[n - 1] = y;
    for (int j = 1, i = n - 1; j < n; ++j, --i) {
        const Series<N> left = in_series(all<V>(chain.links[j]), x);
        const Series<N> right = in_series(all<V>(chain.links[i]), sum(y, -(shift * all<V>(chain.volumes[i]))));
        scratch.ratio_before[j - 1] = left.ratio;
        scratch.ratio_behind[i] = right.ratio;
        x = sum(left.conductance, -(shift * all<V>(chain.volumes[j])));
        y = right.conductance;
        scratch.before[j] = x;
        scratch.behind[i - 1] = y;
    }
}

/// The node r of least |γ|/D, and there γ and D.
template <class N>
struct Twist {
    Single<N> node, volume;
    N current;
};

template <class N>
POISSON3D_HD Twist<N> best_twist(const LadderView& chain, const LadderScratch<N>& scratch) {
    using V = Single<N>;
    Twist<N> best{all<V>(0.0), all<V>(chain.volumes[0]), sum(scratch.before[0], scratch.behind[0])};
    for (int j = 1; j < chain.nodes; ++j) {
        const N current = sum(scratch.before[j], scratch.behind[j]);
        const V volume = all<V>(chain.volumes[j]);
        const auto better =
            less(magnitude(leading(current)) * best.volume, magnitude(leading(best.current)) * volume);
        best.node = chosen(better, all<V>(static_cast<double>(j)), best.node);
        best.volume = chosen(better, volume, best.volume);
        best.current = chosen(better, current, best.current);
    }
    return best;
}

/// The mode with v = 1 at `node`, and Σ D v². Parts of it that are next to nothing are 0.
template <class N>
POISSON3D_HD N twisted_mode(const LadderView& chain, const LadderScratch<N>& scratch, Single<N> node, N* mode) {
    using V = Single<N>;
    const V none = all<V>(0.0), least = all<V>(0x1p-400);
    const N one = N(all<V>(1.0)), zero = N(none);
    const auto kept = [&](const N& v) { return chosen(less(magnitude(leading(v)), least), zero, v); };
    N v = zero;
    N norm = zero;
    for (int j = chain.nodes - 1; j >= 0; --j) {
        const V here = all<V>(static_cast<double>(j));
        if (j + 1 < chain.nodes) v = kept(v * scratch.ratio_before[j]);
        v = chosen(less(here, node), v, chosen(less(node, here), zero, one));
        mode[j] = v;
    }
    for (int j = 0; j < chain.nodes; ++j) {
        const V here = all<V>(static_cast<double>(j));
        if (j > 0)
            v = chosen(less(node, here), kept(v * scratch.ratio_behind[j]), mode[j]);
        else
            v = mode[0];
        mode[j] = v;
        norm = sum(norm, (v * v) * all<V>(chain.volumes[j]));
    }
    return norm;
}

}  // namespace poisson3d::lines
