// Small DFTs in registers: b_k = Σ_j a_j e^{−2πi jk/r} for r = 2 … 13, 15, 16, 17, 19, 20, 23, in natural order.
// Host and device share this file.
#pragma once

#include "butterfly_roots.hpp"
#include "host_device.hpp"

namespace poisson3d::lines {

/// −i z
template <class T>
POISSON3D_HD Complex<T> times_minus_i(Complex<T> z) {
    return {z.im, -z.re};
}

template <class A, class B>
POISSON3D_HD auto product(Complex<A> a, Complex<B> b) -> Complex<decltype(a.re * b.re)> {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class T>
POISSON3D_HD void dft2(Complex<T>& a, Complex<T>& b) {
    const Complex<T> sum = a + b;
    b = a - b;
    a = sum;
}

/// `half`, here and below: elements of the upper half are zeros, which need not be set.
template <bool half = false, class T>
POISSON3D_HD void dft4(Complex<T>& a, Complex<T>& b, Complex<T>& c, Complex<T>& d) {
    if constexpr (half) {
        c = a;
        d = b;
    } else {
        dft2(a, c);
        dft2(b, d);
    }
    d = times_minus_i(d);
    dft2(a, b);
    dft2(c, d);
    const Complex<T> first = b;  // a, c, b, d stand for 0, 1, 2, 3
    b = c;
    c = first;
}

/// Two of four, united by the eighth roots of unity.
template <bool half, class T>
POISSON3D_HD void dft8(Complex<T> (&z)[8]) {
    constexpr auto h = static_cast<Scalar<T>>(0.707106781186547524400844362104849039L);  // 1/√2
    dft4<half>(z[0], z[2], z[4], z[6]);
    dft4<half>(z[1], z[3], z[5], z[7]);
    z[3] = h * Complex<T>{z[3].re + z[3].im, z[3].im - z[3].re};
    z[5] = times_minus_i(z[5]);
    z[7] = h * Complex<T>{z[7].im - z[7].re, -z[7].re - z[7].im};
    const Complex<T> even[4] = {z[0], z[2], z[4], z[6]};
    const Complex<T> odd[4] = {z[1], z[3], z[5], z[7]};
    POISSON3D_UNROLL
    for (int k = 0; k < 4; ++k) {
        z[k] = even[k] + odd[k];
        z[k + 4] = even[k] - odd[k];
    }
}

/// r = 2, 4, 8.
template <int r, bool half = false, class T>
POISSON3D_HD void dft_power(Complex<T> (&z)[r]) {
    if constexpr (r == 2 && half)
        z[1] = z[0];
    else if constexpr (r == 2)
        dft2(z[0], z[1]);
    else if constexpr (r == 4)
        dft4<half>(z[0], z[1], z[2], z[3]);
    else
        dft8<half>(z);
}

/// Odd r: sums of a_j and a_{r−j} are multiplied by cosines only, their differences by sines only.
template <int r, class T>
POISSON3D_HD void dft_odd(Complex<T> (&z)[r]) {
    using S = Scalar<T>;
    constexpr int half = (r - 1) / 2;
    Complex<T> sum[half], difference[half];
    const Complex<T> first = z[0];
    POISSON3D_UNROLL
    for (int j = 0; j < half; ++j) {
        sum[j] = z[j + 1] + z[r - 1 - j];
        difference[j] = times_minus_i(z[j + 1] - z[r - 1 - j]);
        z[0] = z[0] + sum[j];
    }
    POISSON3D_UNROLL
    for (int k = 1; k <= half; ++k) {
        Complex<T> even = first;
        Complex<T> odd{};
        POISSON3D_UNROLL
        for (int j = 1; j <= half; ++j) {
            const int power = j * k % r;
            const bool upper = power > half;
            const int angle = upper ? r - power : power;
            even = even + cosine<S, r>(angle) * sum[j - 1];
            odd = odd + (upper ? -sine<S, r>(angle) : sine<S, r>(angle)) * difference[j - 1];
        }
        z[k] = even + odd;
        z[r - k] = even - odd;
    }
}

/// a⁻¹ modulo n.
constexpr int inverse(int a, int n) {
    int b = 1;
    while (a * b % n != 1) ++b;
    return b;
}

/// r = p · m without a common factor, m = 2, 3 or 4, p odd: Good's mapping of indices (J. R. Statist. Soc. B 20,
/// 1958) needs no factors between the two: j = (p j₂ + m j₁) mod r, k ≡ k₁ mod p, k ≡ k₂ mod m.
template <int p, int m, class T>
POISSON3D_HD void dft_coprime(Complex<T> (&z)[p * m]) {
    constexpr int r = p * m;
    constexpr int for_column = m * inverse(m, p);
    constexpr int for_row = p * inverse(p, m);
    Complex<T> row[p][m];
    POISSON3D_UNROLL
    for (int j = 0; j < p; ++j) POISSON3D_UNROLL
    for (int i = 0; i < m; ++i) row[j][i] = z[(p * i + m * j) % r];
    POISSON3D_UNROLL
    for (int j = 0; j < p; ++j) {
        if constexpr (m == 3)
            dft_odd<3>(row[j]);
        else
            dft_power<m>(row[j]);
    }
    POISSON3D_UNROLL
    for (int i = 0; i < m; ++i) {
        Complex<T> column[p];
        POISSON3D_UNROLL
        for (int j = 0; j < p; ++j) column[j] = row[j][i];
        dft_odd<p>(column);
        POISSON3D_UNROLL
        for (int j = 0; j < p; ++j) z[(j * for_column + i * for_row) % r] = column[j];
    }
}

/// Three of three, with the ninth roots of unity between.
template <class T>
POISSON3D_HD void dft9(Complex<T> (&z)[9]) {
    using S = Scalar<T>;
    // e^{−2πi k/9}, k = 1, 2, 4
    constexpr Complex<S> one{static_cast<S>(0.766044443118978035202392650555416673L),
                             static_cast<S>(-0.642787609686539326322643409907263433L)};
    constexpr Complex<S> two{static_cast<S>(0.173648177666930348851716626769314796L),
                             static_cast<S>(-0.984807753012208059366743024589523014L)};
    constexpr Complex<S> four{static_cast<S>(-0.939692620785908384054109277324731470L),
                              static_cast<S>(-0.342020143325668733044099614682259581L)};
    Complex<T> column[3][3];
    POISSON3D_UNROLL
    for (int j = 0; j < 3; ++j) {
        POISSON3D_UNROLL
        for (int i = 0; i < 3; ++i) column[j][i] = z[j + 3 * i];
        dft_odd<3>(column[j]);
    }
    column[1][1] = product(column[1][1], one);
    column[1][2] = product(column[1][2], two);
    column[2][1] = product(column[2][1], two);
    column[2][2] = product(column[2][2], four);
    POISSON3D_UNROLL
    for (int k = 0; k < 3; ++k) {
        Complex<T> row[3] = {column[0][k], column[1][k], column[2][k]};
        dft_odd<3>(row);
        POISSON3D_UNROLL
        for (int m = 0; m < 3; ++m) z[k + 3 * m] = row[m];
    }
}

/// Four of four, with the sixteenth roots of unity between.
template <bool half, class T>
POISSON3D_HD void dft16(Complex<T> (&z)[16]) {
    using S = Scalar<T>;
    constexpr S c = static_cast<S>(0.923879532511286756128183189396788287L);  // cos π/8
    constexpr S s = static_cast<S>(0.382683432365089771728459984030398866L);  // sin π/8
    constexpr S h = static_cast<S>(0.707106781186547524400844362104849039L);
    POISSON3D_UNROLL
    for (int j = 0; j < 4; ++j) dft4<half>(z[j], z[j + 4], z[j + 8], z[j + 12]);
    // z[j + 4 k] is mode k of column j: times e^{−2πi jk/16}.
    const auto eighth = [](Complex<T> a) { return h * Complex<T>{a.re + a.im, a.im - a.re}; };
    z[5] = product(z[5], Complex<S>{c, -s});
    z[9] = eighth(z[9]);
    z[13] = product(z[13], Complex<S>{s, -c});
    z[6] = eighth(z[6]);
    z[10] = times_minus_i(z[10]);
    z[14] = times_minus_i(eighth(z[14]));
    z[7] = product(z[7], Complex<S>{s, -c});
    z[11] = times_minus_i(eighth(z[11]));
    z[15] = product(z[15], Complex<S>{-c, s});
    POISSON3D_UNROLL
    for (int k = 0; k < 4; ++k) dft4(z[4 * k], z[4 * k + 1], z[4 * k + 2], z[4 * k + 3]);
    // z[4 k + m] is mode k + 4 m.
    POISSON3D_UNROLL
    for (int k = 0; k < 4; ++k) POISSON3D_UNROLL
    for (int m = k + 1; m < 4; ++m) {
        const Complex<T> first = z[4 * k + m];
        z[4 * k + m] = z[4 * m + k];
        z[4 * m + k] = first;
    }
}

template <bool half = false, int r, class T>
POISSON3D_HD void dft(Complex<T> (&z)[r]) {
    constexpr bool power = r == 2 || r == 4 || r == 8 || r == 16;
    POISSON3D_UNROLL
    for (int k = (r + 1) / 2; half && !power && k < r; ++k) z[k] = Complex<T>{};
    if constexpr (r == 1)
        return;
    else if constexpr (r == 16)
        dft16<half>(z);
    else if constexpr (r == 6 || r == 10 || r == 14)
        dft_coprime<r / 2, 2>(z);
    else if constexpr (r == 12 || r == 20)
        dft_coprime<r / 4, 4>(z);
    else if constexpr (r == 15)
        dft_coprime<5, 3>(z);
    else if constexpr (r == 9)
        dft9(z);
    else if constexpr (power)
        dft_power<r, half>(z);
    else
        dft_odd<r>(z);
}

/// The factors w^k, k = 1 … r − 1, of a butterfly are made of so many roots; those are these powers of w. Where
/// loading costs more than multiplying (`few`), for r = 8 and 16 the powers of two are enough.
constexpr POISSON3D_HD bool powers_of_two(int r, bool few) {
    return few && (r == 8 || r == 16);
}
constexpr POISSON3D_HD int twiddles_of(int r, bool few) {
    return !powers_of_two(r, few) ? r - 1 : r == 16 ? 4 : 3;
}
constexpr POISSON3D_HD int twiddle_exponent(int r, int i, bool few) {
    return powers_of_two(r, few) ? 1 << i : i + 1;
}

template <int r, bool few, class T>
struct Twiddles {
    static constexpr int count = twiddles_of(r, few);
    Complex<T> root[count > 0 ? count : 1];

    template <class Load>
    POISSON3D_HD void read(const Load& load) {
        POISSON3D_UNROLL
        for (int i = 0; i < count; ++i) root[i] = load(i);
    }
    /// z_k := z_k w^k
    template <class V>
    POISSON3D_HD void apply(Complex<V> (&z)[r]) const {
        if constexpr (powers_of_two(r, few)) {
            Complex<T> power[r / 2];  // w^k, k < r/2
            power[0] = {1, 0};
            POISSON3D_UNROLL
            for (int k = 1; k < r / 2; ++k) {
                const int top = k >= 4 ? 2 : k >= 2 ? 1 : 0;
                power[k] = k == 1 << top ? root[top] : product(root[top], power[k - (1 << top)]);
                z[k] = product(z[k], power[k]);
            }
            POISSON3D_UNROLL
            for (int k = r / 2; k < r; ++k)
                z[k] = product(z[k], k == r / 2 ? root[count - 1] : product(root[count - 1], power[k - r / 2]));
        } else {
            POISSON3D_UNROLL
            for (int k = 1; k < r; ++k) z[k] = product(z[k], root[k - 1]);
        }
    }
};

}  // namespace poisson3d::lines
