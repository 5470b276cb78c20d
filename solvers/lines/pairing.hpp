// The few lines of arithmetic that turn a complex FFT into any real transform. Host and device code share this
// file.
//
// A complex line z = a + i b carries two real lines. A real-linear transform of a pair is the same transform of z,
// so everything below is written for complex lines. With Z the complex FFT of a (permuted) line, every transform
// of this project ends with
//
//     out_q = α_q Z_q + conj(α_q) Z_p          ("combine", p the partner of q, usually N − q)
//
// which for a real line is 2 Re(α_q Z_q); the inverse transforms begin with the transposed step
//
//     in_q = α_q C_q + conj(α_p) C_p           ("split")
//
// α is a table of N numbers and the only thing in which the kinds differ.
#pragma once

#include <cstdint>

#include "complex.hpp"

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

/// The partner of row q in a step on `rows` rows.
///   mirror:   q ↔ N − q, row 0 its own                              (one FFT of N = rows)
///   adjacent: 2j ↔ 2j + 1                                           (before two interleaved FFTs of M = rows/2)
///   cross:    2k ↔ 2((M − k) mod M) + 1                             (after them)
enum class Pairing : std::uint8_t { none, mirror, adjacent, cross };

constexpr POISSON3D_HD std::int64_t partner(Pairing pairing, std::int64_t q, std::int64_t rows) {
    const std::int64_t half = rows / 2;
    switch (pairing) {
        case Pairing::none: return q;
        case Pairing::mirror: return q == 0 ? 0 : rows - q;
        case Pairing::adjacent: return q ^ 1;
        case Pairing::cross: {
            const std::int64_t k = q / 2;
            return 2 * (k == 0 ? 0 : half - k) + (q % 2 == 0 ? 1 : 0);
        }
    }
    return q;
}

/// Makhoul's order (IEEE Trans. ASSP 28, 1980): where sample j of a type II line of n goes.
constexpr POISSON3D_HD std::int64_t makhoul_row(std::int64_t j, std::int64_t n) {
    return j % 2 == 0 ? j / 2 : n - 1 - j / 2;
}

}  // namespace poisson3d
