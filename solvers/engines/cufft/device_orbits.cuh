// What the sweep kernels share: aligned complex loads, orbits in registers, launches.
#pragma once

#include "cuda/batch.cuh"
#include "cuda/launch.hpp"
#include "orbit_ops.hpp"
#include "sweeps.hpp"

namespace poisson3d::cufft {

using cuda::blocks;
using cuda::check;
using cuda::divide_up;
using cuda::queue;

template <class T>
struct VectorOf;
template <>
struct VectorOf<float> {
    using Type = float2;
};
template <>
struct VectorOf<double> {
    using Type = double2;
};

/// One access of 8 or 16 bytes.
template <class T>
__device__ __forceinline__ Complex<T> load(const Complex<T>* from) {
    const auto v = *reinterpret_cast<const typename VectorOf<T>::Type*>(from);
    return {v.x, v.y};
}
/// The same for fields, which pass by: the first-level cache is left to the tables.
template <class T>
__device__ __forceinline__ Complex<T> load_field(const Complex<T>* from) {
    const auto v = __ldcg(reinterpret_cast<const typename VectorOf<T>::Type*>(from));
    return {v.x, v.y};
}
template <class T>
__device__ __forceinline__ void store(Complex<T>* to, Complex<T> z) {
    *reinterpret_cast<typename VectorOf<T>::Type*>(to) = {z.re, z.im};
}

/// n/d to the last bit or nearly so, without the branches of the built-in division (2.5 times as long in a sweep
/// that divides every element): an approximate reciprocal, two Newton steps, one correction. d is an ordinary
/// number whose reciprocal is one, too.
__device__ __forceinline__ double quotient(double n, double d) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
    r = fma(fma(-d, r, 1.0), r, r);
    r = fma(fma(-d, r, 1.0), r, r);
    const double q = n * r;
    return fma(fma(-d, q, n), r, q);
}
__device__ __forceinline__ float quotient(float n, float d) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(d));
    const float q = n * r;
    return fmaf(fmaf(-d, q, n), r, q);
}

/// z to position `at` of a line that FFTs read (none if negative); mirrored as well where the FFT wants the
/// extension.
template <class T>
__device__ __forceinline__ void store_position(Complex<T>* line, int at, Complex<T> z, const Mirror& mirror) {
    if (at < 0) return;
    store(line + at, z);
    if (mirror.half == 0) return;
    const int j = at - mirror.row;
    if (j <= 0 || j >= mirror.half) return;
    store(line + mirror.row + 2 * mirror.half - j, mirror.sine ? Complex<T>{-z.re, -z.im} : z);
    if (mirror.sine && j == 1) {
        store(line + mirror.row, Complex<T>{0, 0});
        store(line + mirror.row + mirror.half, Complex<T>{0, 0});
    }
}

/// Coefficients of one orbit: a PairMap for size 2, size/2 − 1 numbers α otherwise.
template <class T, int size>
struct Coefficients {
    static constexpr int count = size == 2 ? 4 : size / 2 - 1;
    Complex<T> value[count];

    __device__ __forceinline__ void read(const Orbits<T>& orbits, int o) {
#pragma unroll
        for (int i = 0; i < count; ++i)
            value[i] = load(orbits.coefficients + static_cast<Index>(i) * orbits.count + o);
    }
};

template <class T>
__device__ __forceinline__ PairMap<T> pair_map(const Coefficients<T, 2>& c) {
    return {c.value[0], c.value[1], c.value[2], c.value[3]};
}

/// FFT outputs to samples or modes.
template <class T, int size>
__device__ __forceinline__ void post(const Coefficients<T, size>& c, bool sine, Complex<T> (&z)[size]) {
    if constexpr (size == 2)
        apply(pair_map(c), z[0], z[1]);
    else
        type_one_post<size>(sine, c.value, z);
}

/// Samples or modes to FFT inputs.
template <class T, int size>
__device__ __forceinline__ void pre(const Coefficients<T, size>& c, bool sine, Complex<T> (&z)[size]) {
    if constexpr (size == 2)
        apply(pair_map(c), z[0], z[1]);
    else
        type_one_pre<size>(sine, c.value, z);
}

template <class T, int size>
struct Places {
    std::int32_t index[size];

    __device__ __forceinline__ void read(const std::int32_t* table, int count, int o, bool valid) {
#pragma unroll
        for (int s = 0; s < size; ++s) index[s] = valid ? table[static_cast<Index>(s) * count + o] : -1;
    }
};

/// Calls body.template operator()<size>() for the orbit sizes there are.
template <class Body>
void with_orbit_size(int size, const Body& body) {
    switch (size) {
        case 2: return body.template operator()<2>();
        case 4: return body.template operator()<4>();
        case 8: return body.template operator()<8>();
        default: return body.template operator()<16>();
    }
}

}  // namespace poisson3d::cufft
