// Complex numbers of host and device.
#pragma once

#include "host_device.hpp"

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
