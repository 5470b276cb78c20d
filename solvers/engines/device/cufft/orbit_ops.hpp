// The arithmetic around an FFT, on the few numbers that belong together (an orbit), in registers.
//
// Before and after its FFTs every line transform mixes only a handful of elements: a pair (q, N − q) for most
// kinds, 2^(L+1) elements for a type I line that is split L times. Those elements are an orbit. One thread holds an
// orbit and knows nothing of kinds: where the elements come from and go to, and the coefficients, stand in tables
// (orbit_tables.hpp). Host and device share this file.
#pragma once

#include <cmath>

#include "line_plan.hpp"

namespace poisson3d {

/// combine: (Z_q, Z_p) → (out_q, out_p). For a row that is its own partner pass two copies of it.
template <class T, class Z>
POISSON3D_HD void combine(Complex<T> alpha_q, Complex<T> alpha_p, Z& q, Z& p) {
    const Z sum = q + p;
    const Z difference = times_i(q - p);
    q = alpha_q.re * sum + alpha_q.im * difference;
    p = alpha_p.re * sum - alpha_p.im * difference;
}

/// split: (C_q, C_p) → (in_q, in_p), the transpose of combine.
template <class T, class Z>
POISSON3D_HD void split(Complex<T> alpha_q, Complex<T> alpha_p, Z& q, Z& p) {
    const Z even = alpha_q.re * q + alpha_p.re * p;
    const Z odd = times_i(alpha_q.im * q - alpha_p.im * p);
    q = even + odd;
    p = even - odd;
}

}  // namespace poisson3d

namespace poisson3d::cufft {

/// q' = a q + b p, p' = c p + d q. combine: (α_q, conj α_q, α_p, conj α_p); split: (α_q, conj α_p, α_p, conj α_q);
/// elements that go alone: b = d = 0.
template <class T>
struct PairMap {
    Complex<T> a, b, c, d;
};

/// x y + z w, each rounding where it is written: an element has the same bits wherever it is computed.
template <class T>
POISSON3D_HD Complex<T> sum_of_products(Complex<T> x, Complex<T> y, Complex<T> z, Complex<T> w) {
    using std::fma;
    return {fma(x.re, y.re, fma(-x.im, y.im, fma(z.re, w.re, -z.im * w.im))),
            fma(x.re, y.im, fma(x.im, y.re, fma(z.re, w.im, z.im * w.re)))};
}

template <class T>
POISSON3D_HD void apply(const PairMap<T>& map, Complex<T>& q, Complex<T>& p) {
    const Complex<T> first = sum_of_products(map.a, q, map.b, p);
    p = sum_of_products(map.c, p, map.d, q);
    q = first;
}

/// (a + i b, c + i d) ↔ (a + i c, b + i d): lines paired along one axis become lines paired along another.
template <class T>
POISSON3D_HD void repair(Complex<T>& first, Complex<T>& second) {
    const T b = first.im;
    first.im = second.re;
    second.re = b;
}

// Type I lines of half period N = 2^L n, split L times. Sample or mode index k runs over the period 0 … N.
//
//   X_k      = E_k + O_k      X_{N−k} = E_k − O_k      cosine:  E type I of the even samples (half period N/2),
//   X_k      = O_k + E_k      X_{N−k} = O_k − E_k      sine     O type II of the odd ones (length m = N/2)
//
// again for E, L times. An orbit is the set of modes that k → N/2^l − k (all l) maps onto each other; K_l, the part
// of it below N/2^l, has 2^(L+1−l) members, listed so that member i and member i + |K_l|/2 are k and N/2^l − k.
// What belongs to level l, |K_l| = s, stands in z[s … 2s); z[0], z[1] hold the type I line that is not split
// further. Forward: those, to modes in z (K_0). Backward is the transpose: modes to what goes into FFTs. Source:
// Swarztrauber, "Symmetric FFTs", Math. Comp. 47 (1986).

/// α of the partner m − q, from α_q = e^{−iπq/2m}: exactly −i conj(α_q).
template <class T>
POISSON3D_HD Complex<T> partner_alpha(Complex<T> alpha) {
    return {-alpha.im, -alpha.re};
}

template <class T>
POISSON3D_HD void exchange(Complex<T>& a, Complex<T>& b) {
    const Complex<T> first = a;
    a = b;
    b = first;
}

/// One level: z[0 … s) holds E, z[s … 2s) the FFT of the odd samples; alpha[i] belongs to pair (i, i + s/2).
template <int s, class T>
POISSON3D_HD void unite(bool sine, const Complex<T>* alpha, Complex<T>* z) {
    for (int i = 0; i < s / 2; ++i) {
        Complex<T>& q = z[s + i];
        Complex<T>& p = z[s + s / 2 + i];
        combine(alpha[i], partner_alpha(alpha[i]), q, p);
        if (sine) exchange(q, p);  // a type II sine has its modes in reverse
    }
    for (int i = 0; i < s; ++i) {
        const Complex<T> even = z[i];
        const Complex<T> odd = z[s + i];
        z[i] = odd + even;
        z[s + i] = sine ? odd - even : even - odd;
    }
}

/// The transpose of unite.
template <int s, class T>
POISSON3D_HD void divide(bool sine, const Complex<T>* alpha, Complex<T>* z) {
    for (int i = 0; i < s; ++i) {
        const Complex<T> sum = z[i] + z[s + i];
        const Complex<T> difference = z[i] - z[s + i];
        z[i] = sine ? difference : sum;
        z[s + i] = sine ? sum : difference;
    }
    for (int i = 0; i < s / 2; ++i) {
        Complex<T>& q = z[s + i];
        Complex<T>& p = z[s + s / 2 + i];
        if (sine) exchange(q, p);
        split(alpha[i], partner_alpha(alpha[i]), q, p);
    }
}

/// FFT outputs to modes; `size` = 2^(L+1) elements, size/2 − 1 numbers α, level L first.
template <int size, int s = 2, class T>
POISSON3D_HD void type_one_post(bool sine, const Complex<T>* alpha, Complex<T>* z) {
    if constexpr (s == 2 && size > 1) {
        if (sine) {  // the FFT of an odd extension is −i times the sine transform
            z[0] = times_i(z[0]);
            z[1] = times_i(z[1]);
        }
    }
    if constexpr (s < size) {
        unite<s>(sine, alpha + (s / 2 - 1), z);
        type_one_post<size, 2 * s>(sine, alpha, z);
    }
}

/// Modes to FFT inputs.
template <int size, class T>
POISSON3D_HD void type_one_pre(bool sine, const Complex<T>* alpha, Complex<T>* z) {
    if constexpr (size > 2) {
        constexpr int s = size / 2;
        divide<s>(sine, alpha + (s / 2 - 1), z);
        type_one_pre<s>(sine, alpha, z);
    }
}

}  // namespace poisson3d::cufft
