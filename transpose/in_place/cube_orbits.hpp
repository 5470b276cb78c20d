// The orbits of bricks in a cube whose axes rotate.
//
// A cube of m × m × m bricks is rotated in place by rotating bricks in themselves and moving brick (a, b, c) to
// (b, c, a), that to (c, a, b), and that to where the first was: an orbit of three bricks, or of one on the
// diagonal a = b = c. Hence (m³ − m)/3 + m = (m³ + 2m)/3 orbits. Of an orbit's bricks that one stands for it whose
// first index is the least, and, where two indices share the least, whose second is.
//
// Counted layer by layer: with first index a there are t = m − 1 − a larger ones, so t² orbits (a, b, c) with
// a < b, c, and t + 1 orbits (a, a, c) with a ≤ c; and the layers from a on are the orbits of a cube of t + 1.
//
// In memory an orbit's three bricks have their neighbours along three different axes of (a, b, c). If blocks took
// orbits layer by layer, the runs of one of the three would be continued a whole layer later, and the sectors in
// between be moved twice. So orbits are numbered in groups: the cube is cut into coarse bricks of side³ bricks
// each, and all orbits of a coarse orbit come one after the other. Where the coarse bricks are three different
// ones, every brick of the first has an orbit of its own; on the coarse diagonal the representatives are asked for.
//
// Exact for m < 2^20.
#pragma once

#include "poisson3d/block_order.hpp"

namespace poisson3d {

struct Brick {
    Index a = 0, b = 0, c = 0;

    friend constexpr POISSON3D_BLOCK_HD bool operator==(Brick p, Brick q) {
        return p.a == q.a && p.b == q.b && p.c == q.c;
    }
};

namespace cube {

constexpr POISSON3D_BLOCK_HD Brick next(Brick p) {
    return {p.b, p.c, p.a};
}

constexpr POISSON3D_BLOCK_HD bool is_representative(Brick p) {
    return p.a <= p.b && p.a <= p.c && !((p.a == p.b || p.a == p.c) && p.b > p.c);
}

/// Orbits of m × m × m bricks.
constexpr POISSON3D_BLOCK_HD Index orbits(Index m) {
    return (m * m * m + 2 * m) / 3;
}

/// ∛x to about one unit in the last place; callers correct the rest in integers.
constexpr POISSON3D_BLOCK_HD double root(double x) {
    if (__builtin_is_constant_evaluated()) {
        if (x <= 0) return 0;
        double r = x > 1 ? x : 1;
        double next = (2 * r + x / (r * r)) / 3;
        while (next < r) {  // Newton from above falls until rounding stops it
            r = next;
            next = (2 * r + x / (r * r)) / 3;
        }
        return r;
    }
#ifdef __CUDA_ARCH__
    return ::cbrt(x);
#else
    return __builtin_cbrt(x);
#endif
}

/// The t with orbits(t) ≤ k < orbits(t + 1).
constexpr POISSON3D_BLOCK_HD Index side_of(Index k) {
    Index t = static_cast<Index>(root(3 * static_cast<double>(k)));
    while (orbits(t) > k) --t;
    while (orbits(t + 1) <= k) ++t;
    return t;
}

/// The representative of orbit number k of m × m × m bricks.
constexpr POISSON3D_BLOCK_HD Brick orbit(Index m, Index k) {
    const Index t = side_of(orbits(m) - 1 - k);  // the layer's, found from the end: layers shrink
    const Index a = m - 1 - t;
    const Index inside = k - (orbits(m) - orbits(t + 1));
    if (inside <= t) return {a, a, a + inside};
    const Index rest = inside - (t + 1);
    const Index row = rest / t;
    return {a, a + 1 + row, a + 1 + (rest - row * t)};
}

/// How many numbers grouped orbits have. Some have no orbit: those beyond the cube's edge, and those on the coarse
/// diagonal whose orbit has another number.
constexpr POISSON3D_BLOCK_HD Index grouped_numbers(Index m, Index side) {
    return orbits((m + side - 1) / side) * side * side * side;
}

/// A brick of grouped orbit number k: its representative only where all three bricks lie in one coarse brick;
/// a = −1 where the number has no orbit.
constexpr POISSON3D_BLOCK_HD Brick grouped_orbit(Index m, Index side, Index k) {
    const Index volume = side * side * side;
    const Index group = k / volume;
    const Brick coarse = orbit((m + side - 1) / side, group);
    const Index inside = k - group * volume;
    const Index plane = inside / side;
    const Index slab = plane / side;
    const Brick p{coarse.a * side + slab, coarse.b * side + (plane - slab * side),
                  coarse.c * side + (inside - plane * side)};
    const bool within = p.a < m && p.b < m && p.c < m;
    const bool diagonal = coarse.a == coarse.b && coarse.b == coarse.c;
    if (!within || (diagonal && !is_representative(p))) return {-1, -1, -1};
    return p;
}

}  // namespace cube
}  // namespace poisson3d
