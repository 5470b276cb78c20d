// What code that host and device share is made of: marks of functions and loops, complex numbers.
#pragma once

#ifdef __CUDACC__
#define POISSON3D_HD __host__ __device__ __forceinline__
#define POISSON3D_HD_CALLED __host__ __device__ __noinline__
#else
#define POISSON3D_HD inline __attribute__((always_inline))
#define POISSON3D_HD_CALLED inline
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

}  // namespace poisson3d
