// The real line transforms, by FFTW's unnormalised definitions, and the few lines of arithmetic that turn a
// complex FFT into any of them. Host and device code share this file.
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

#ifdef __CUDACC__
#define POISSON3D_HD __host__ __device__ __forceinline__
#else
#define POISSON3D_HD inline __attribute__((always_inline))
#endif

/// Before a loop whose turns must become straight code, since they index registers: on the device, and in the inner
/// loops of the host; and before one that must not, for want of them.
#ifdef __CUDA_ARCH__
#define POISSON3D_UNROLL _Pragma("unroll")
#define POISSON3D_ROLLED _Pragma("unroll 1")
#elif defined(POISSON3D_ISA) && defined(__GNUC__) && !defined(__clang__)
#define POISSON3D_UNROLL _Pragma("GCC unroll 16")
#define POISSON3D_ROLLED
#else
#define POISSON3D_UNROLL
#define POISSON3D_ROLLED
#endif

namespace poisson3d {

/// FFTW's definitions (R2HC, HC2R, REDFT00, 10, 01, 11, RODFT00, 10, 01, 11), unnormalised.
enum class Transform : std::uint8_t { dft, inverse_dft, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

const char* name(Transform transform) noexcept;

/// What a number is multiplied with: itself for numbers, one lane for packs of SIMD lanes (which specialise this).
template <class V>
struct ScalarOf {
    using Type = V;
};
template <class V>
using Scalar = typename ScalarOf<V>::Type;

/// A complex number with the operations the steps need; T may be a pack of SIMD lanes.
template <class T>
struct Complex {
    T re, im;

    friend POISSON3D_HD Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    friend POISSON3D_HD Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
    friend POISSON3D_HD Complex operator*(Scalar<T> s, Complex a) { return {s * a.re, s * a.im}; }
    friend POISSON3D_HD Complex times_i(Complex a) { return {-a.im, a.re}; }
};

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
