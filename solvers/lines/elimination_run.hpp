// A run of an eliminated line (elimination.hpp), node by node: links first, which do not depend on b, then
// currents, or both at once.
#pragma once

#include "memory_access.hpp"

namespace poisson3d::lines {

/// 1/d for division by what follows: three operations where a quotient takes five, within 1 eps.
POISSON3D_HD double reciprocal(double d) {
#ifdef __CUDA_ARCH__
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
    const double e = fma(-d, r, 1.0);
    return fma(fma(e, e, e), r, r);
#else
    return 1.0 / d;
#endif
}
POISSON3D_HD float reciprocal(float d) {
    return quotient(1.0F, d);
}
/// Of a pack, lane by lane.
template <class V>
POISSON3D_HD V reciprocal(V x) {
    return Scalar<V>(1) / x;
}

template <class V>
POISSON3D_HD V quotient(V n, V d) {
    return n / d;
}

/// Within 1 eps, without the branches and calls of the built-in one: an approximate reciprocal root (22 bits), a
/// Newton step for it and one for the root.
POISSON3D_HD double square_root(double x) {
#ifdef __CUDA_ARCH__
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double half = 0.5 * r, e = fma(-half * x, r, 0.5);
    const double root = x * fma(e, r, r), rest = fma(-root, root, x);
    return x > 0.0 ? fma(rest, half, root) : 0.0;
#else
    return __builtin_sqrt(x);
#endif
}
POISSON3D_HD float square_root(float x) {
#ifdef __CUDA_ARCH__
    return sqrtf(x);
#else
    return __builtin_sqrtf(x);
#endif
}

/// u = rest + left · u_left + next · u_next, where left and next are the links times the inverse of the pivot, and
/// rest is the current times it.
template <class V>
struct EliminatedNode {
    V left, next, inverse;
};
template <class V>
struct NodeWithRest : EliminatedNode<V> {
    V rest;
};

/// Links and excesses of a run on its way from left to right: of its current node, and what those before it gave
/// to the left neighbour.
template <class V>
struct RunOfLinks {
    V tie, excess;  ///< k, s
    V left_excess{};

    /// Eliminates the current node. The next one, tied to it by `link`, is then the current one.
    template <class Link>
    POISSON3D_HD EliminatedNode<V> step(Link link, V next_excess) {
        const V inverse = reciprocal(tie + excess + link);
        const EliminatedNode<V> node{inverse * tie, inverse * link, inverse};
        left_excess = left_excess + node.left * excess;
        tie = node.left * link;
        excess = next_excess + node.next * excess;
        return node;
    }
};

/// Currents of a run whose nodes are eliminated.
template <class V>
struct RunOfCurrents {
    V current;  ///< b
    V left_current{};

    /// Returns the rest of the current node. The next one is then the current one.
    POISSON3D_HD V step(const EliminatedNode<V>& node, V next_current) {
        const V rest = node.inverse * current;
        left_current = left_current + node.left * current;
        current = next_current + node.next * current;
        return rest;
    }
};

/// Both at once.
template <class V>
struct Run : RunOfLinks<V>, RunOfCurrents<V> {
    template <class Link>
    POISSON3D_HD NodeWithRest<V> step(Link link, V next_excess, V next_current) {
        const EliminatedNode<V> node = RunOfLinks<V>::step(link, next_excess);
        return {node, RunOfCurrents<V>::step(node, next_current)};
    }
};

}  // namespace poisson3d::lines
