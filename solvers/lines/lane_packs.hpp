// What ladder.hpp, double_double.hpp and the ladders of rings ask of a pack of SIMD lanes, found by its namespace;
// and two packs as one number of twice as many lanes, so that a chain of operations has another one beside it.
#pragma once

#ifdef __FMA__
#include <immintrin.h>
#endif

#include "simd/lanes.hpp"

namespace poisson3d::POISSON3D_ISA {

using P = Pack<double>;

POISSON3D_INLINE P spread(double x, const P*) {
    return P::all(x);
}
POISSON3D_INLINE P::Mask less(P a, P b) {
    return a.v < b.v;
}
POISSON3D_INLINE P chosen(P::Mask which, P a, P b) {
    return {which ? a.v : b.v};
}
POISSON3D_INLINE P magnitude(P a) {
    return chosen(less(a, P::all(0.0)), -a, a);
}

#if defined(__AVX512F__)
POISSON3D_INLINE P product_and_sum(P a, P b, P c) {
    return {_mm512_fmadd_pd(a.v, b.v, c.v)};
}
#elif defined(__FMA__)
POISSON3D_INLINE P product_and_sum(P a, P b, P c) {
    return {_mm256_fmadd_pd(a.v, b.v, c.v)};
}
#elif defined(__FP_FAST_FMA)
POISSON3D_INLINE P product_and_sum(P a, P b, P c) {
    for (int l = 0; l < P::lanes; ++l) a.v[l] = __builtin_fma(a.v[l], b.v[l], c.v[l]);
    return a;
}
#else
/// With halves of 26 digits, whose products are exact (Dekker): c is near −ab, or small.
POISSON3D_INLINE P product_and_sum(P a, P b, P c) {
    const auto upper = [](P x) __attribute__((always_inline)) {
        const P shifted = 134217729.0 * x;
        return shifted - (shifted - x);
    };
    const P a1 = upper(a), a2 = a - a1, b1 = upper(b), b2 = b - b1;
    return (((a1 * b1 + c) + a1 * b2) + a2 * b1) + a2 * b2;
}
#endif

/// ab + c, rounded once or twice.
POISSON3D_INLINE P multiplied_and_added(P a, P b, P c) {
#if defined(__FMA__) || defined(__FP_FAST_FMA)
    return product_and_sum(a, b, c);
#else
    return a * b + c;
#endif
}

struct Packs {
    static constexpr int lanes = 2 * P::lanes;
    struct Mask {
        P::Mask first, second;
    };

    P first, second;

    static POISSON3D_INLINE Packs load_loose(const double* p) {
        return {P::load_loose(p), P::load_loose(p + P::lanes)};
    }
    POISSON3D_INLINE void store_loose(double* p) const {
        first.store_loose(p);
        second.store_loose(p + P::lanes);
    }

    friend POISSON3D_INLINE Packs operator+(Packs a, Packs b) { return {a.first + b.first, a.second + b.second}; }
    friend POISSON3D_INLINE Packs operator-(Packs a, Packs b) { return {a.first - b.first, a.second - b.second}; }
    friend POISSON3D_INLINE Packs operator-(Packs a) { return {-a.first, -a.second}; }
    friend POISSON3D_INLINE Packs operator*(Packs a, Packs b) { return {a.first * b.first, a.second * b.second}; }
    friend POISSON3D_INLINE Packs operator/(Packs a, Packs b) { return {a.first / b.first, a.second / b.second}; }
    friend POISSON3D_INLINE Packs operator*(double s, Packs a) { return {s * a.first, s * a.second}; }
    friend POISSON3D_INLINE Packs operator*(Packs a, double s) { return {a.first * s, a.second * s}; }
};

POISSON3D_INLINE Packs spread(double x, const Packs*) {
    return {P::all(x), P::all(x)};
}
POISSON3D_INLINE Packs::Mask less(Packs a, Packs b) {
    return {less(a.first, b.first), less(a.second, b.second)};
}
POISSON3D_INLINE Packs chosen(Packs::Mask which, Packs a, Packs b) {
    return {chosen(which.first, a.first, b.first), chosen(which.second, a.second, b.second)};
}
POISSON3D_INLINE Packs magnitude(Packs a) {
    return {magnitude(a.first), magnitude(a.second)};
}
POISSON3D_INLINE Packs root_of(Packs a) {
    return {square_root(a.first), square_root(a.second)};
}
POISSON3D_INLINE Packs product_and_sum(Packs a, Packs b, Packs c) {
    return {product_and_sum(a.first, b.first, c.first), product_and_sum(a.second, b.second, c.second)};
}
POISSON3D_INLINE Packs multiplied_and_added(Packs a, Packs b, Packs c) {
    return {multiplied_and_added(a.first, b.first, c.first), multiplied_and_added(a.second, b.second, c.second)};
}
POISSON3D_INLINE Packs::Mask both(Packs::Mask a, Packs::Mask b) {
    return {a.first & b.first, a.second & b.second};
}
POISSON3D_INLINE Packs::Mask either(Packs::Mask a, Packs::Mask b) {
    return {a.first | b.first, a.second | b.second};
}
/// Whether one lane of them all is.
POISSON3D_INLINE bool any(Packs::Mask which) {
    const P::Mask merged = which.first | which.second;
    bool found = false;
    for (int l = 0; l < P::lanes; ++l) found = found || merged[l] != 0;
    return found;
}
POISSON3D_INLINE Packs from_lanes(const double* p, const Packs*) {
    return Packs::load_loose(p);
}
POISSON3D_INLINE void to_lanes(Packs a, double* p) {
    a.store_loose(p);
}

}  // namespace poisson3d::POISSON3D_ISA
