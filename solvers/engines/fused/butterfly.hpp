// Small DFTs in registers: b_k = Σ_j a_j e^{−2πi jk/r} for r = 2, 3, 4, 5, 7, 8, in natural order. Host and device
// share this file.
#pragma once

#include "transform.hpp"

namespace poisson3d::fused {

/// −i z
template <class T>
POISSON3D_HD Complex<T> turned(Complex<T> z) {
    return {z.im, -z.re};
}

template <class T>
POISSON3D_HD Complex<T> product(Complex<T> a, Complex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class T>
POISSON3D_HD void dft2(Complex<T>& a, Complex<T>& b) {
    const Complex<T> sum = a + b;
    b = a - b;
    a = sum;
}

template <class T>
POISSON3D_HD void dft4(Complex<T>& a, Complex<T>& b, Complex<T>& c, Complex<T>& d) {
    dft2(a, c);
    dft2(b, d);
    d = turned(d);
    dft2(a, b);
    dft2(c, d);
    const Complex<T> first = b;  // a, c, b, d stand for 0, 1, 2, 3
    b = c;
    c = first;
}

/// Two of four, united by the eighth roots of one.
template <class T>
POISSON3D_HD void dft8(Complex<T> (&z)[8]) {
    constexpr T half = static_cast<T>(0.707106781186547524400844362104849039L);  // 1/√2
    dft4(z[0], z[2], z[4], z[6]);
    dft4(z[1], z[3], z[5], z[7]);
    z[3] = half * Complex<T>{z[3].re + z[3].im, z[3].im - z[3].re};
    z[5] = turned(z[5]);
    z[7] = half * Complex<T>{z[7].im - z[7].re, -z[7].re - z[7].im};
    const Complex<T> even[4] = {z[0], z[2], z[4], z[6]};
    const Complex<T> odd[4] = {z[1], z[3], z[5], z[7]};
    for (int k = 0; k < 4; ++k) {
        z[k] = even[k] + odd[k];
        z[k + 4] = even[k] - odd[k];
    }
}

/// cos(2πk/r) and sin(2πk/r), k = 1 … (r−1)/2.
template <class T, int r>
POISSON3D_HD constexpr T cosine(int k) {
    if constexpr (r == 3) return T(-0.5L);
    if constexpr (r == 5)
        return k == 1 ? T(0.309016994374947424102293417182819059L) : T(-0.809016994374947424102293417182819059L);
    return k == 1   ? T(0.623489801858733530525004884004239811L)
           : k == 2 ? T(-0.222520933956314404288902564496794759L)
                    : T(-0.900968867902419126236102319507445051L);
}
template <class T, int r>
POISSON3D_HD constexpr T sine(int k) {
    if constexpr (r == 3) return T(0.866025403784438646763723170752936183L);
    if constexpr (r == 5)
        return k == 1 ? T(0.951056516295153572116439333379382143L) : T(0.587785252292473129168705954639072769L);
    return k == 1   ? T(0.781831482468029808708444526674057750L)
           : k == 2 ? T(0.974927912181823607018131682993931217L)
                    : T(0.433883739117558120475768332848358754L);
}

/// Odd r: sums and differences of a_j and a_{r−j} meet cosines and sines only.
template <int r, class T>
POISSON3D_HD void dft_odd(Complex<T> (&z)[r]) {
    constexpr int half = (r - 1) / 2;
    Complex<T> sum[half], difference[half];
    const Complex<T> first = z[0];
    POISSON3D_UNROLL
    for (int j = 0; j < half; ++j) {
        sum[j] = z[j + 1] + z[r - 1 - j];
        difference[j] = turned(z[j + 1] - z[r - 1 - j]);
        z[0] = z[0] + sum[j];
    }
    POISSON3D_UNROLL
    for (int k = 1; k <= half; ++k) {
        Complex<T> even = first;
        Complex<T> odd{0, 0};
        POISSON3D_UNROLL
        for (int j = 1; j <= half; ++j) {
            const int turn = j * k % r;
            const bool upper = turn > half;
            const int angle = upper ? r - turn : turn;
            even = even + cosine<T, r>(angle) * sum[j - 1];
            odd = odd + (upper ? -sine<T, r>(angle) : sine<T, r>(angle)) * difference[j - 1];
        }
        z[k] = even + odd;
        z[r - k] = even - odd;
    }
}

template <int r, class T>
POISSON3D_HD void dft(Complex<T> (&z)[r]) {
    if constexpr (r == 2)
        dft2(z[0], z[1]);
    else if constexpr (r == 4)
        dft4(z[0], z[1], z[2], z[3]);
    else if constexpr (r == 8)
        dft8(z);
    else
        dft_odd<r>(z);
}

/// The factors w^k, k = 1 … r − 1, of a butterfly. For r = 8 three are read and the others made of two of them.
template <int r, class T>
struct Twiddles {
    static constexpr int count = r == 8 ? 3 : r - 1;
    Complex<T> root[count];

    template <class Load>
    POISSON3D_HD void read(const Load& load) {
        POISSON3D_UNROLL
        for (int i = 0; i < count; ++i) root[i] = load(r == 8 ? 1 << i : i + 1);
    }
    /// z_k := z_k w^k
    POISSON3D_HD void apply(Complex<T> (&z)[r]) const {
        if constexpr (r == 8) {
            const Complex<T> w6 = product(root[1], root[2]);
            z[1] = product(z[1], root[0]);
            z[2] = product(z[2], root[1]);
            z[3] = product(z[3], product(root[0], root[1]));
            z[4] = product(z[4], root[2]);
            z[5] = product(z[5], product(root[0], root[2]));
            z[6] = product(z[6], w6);
            z[7] = product(z[7], product(root[0], w6));
        } else {
            POISSON3D_UNROLL
            for (int k = 1; k < r; ++k) z[k] = product(z[k], root[k - 1]);
        }
    }
};

}  // namespace poisson3d::fused
