// Loads and stores of complex numbers, and division. On a device each is one access of 8 or 16 bytes, with the
// cache that suits it; on the host they are plain. Host and device share this file.
#pragma once

#include <type_traits>

#include "host_device.hpp"

namespace poisson3d::lines {

#ifdef __CUDACC__
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
#endif

/// One access of 8 or 16 bytes.
template <class T>
POISSON3D_HD Complex<T> load(const Complex<T>* from) {
#ifdef __CUDA_ARCH__
    const auto v = *reinterpret_cast<const typename VectorOf<T>::Type*>(from);
    return {v.x, v.y};
#else
    return *from;
#endif
}
template <class T>
POISSON3D_HD void store(Complex<T>* to, Complex<T> z) {
#ifdef __CUDA_ARCH__
    *reinterpret_cast<typename VectorOf<T>::Type*>(to) = {z.re, z.im};
#else
    *to = z;
#endif
}
/// The same for tables, which kernels never write: the compiler may move these loads.
template <class T>
POISSON3D_HD Complex<T> load_table(const Complex<T>* from) {
#ifdef __CUDA_ARCH__
    const auto v = __ldg(reinterpret_cast<const typename VectorOf<T>::Type*>(from));
    return {v.x, v.y};
#else
    return *from;
#endif
}
template <class T>
POISSON3D_HD T load_table(const T* from) {
#ifdef __CUDA_ARCH__
    return __ldg(from);
#else
    return *from;
#endif
}

/// Neighbours in a table, the first at a multiple of 16 bytes, by accesses of as many.
template <int count, class T>
POISSON3D_HD void load_table(const Complex<T>* from, Complex<T> (&z)[count]) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
        static_assert(count % 2 == 0);
        POISSON3D_UNROLL
        for (int i = 0; i < count; i += 2) {
            const float4 v = __ldg(reinterpret_cast<const float4*>(from + i));
            z[i] = {v.x, v.y};
            z[i + 1] = {v.z, v.w};
        }
    } else
#endif
    {
        POISSON3D_UNROLL
        for (int i = 0; i < count; ++i) z[i] = load_table(from + i);
    }
}

/// The same number or address, which compilers take for another one in every turn of a loop and each time it is
/// read: what follows from it is not computed early, to be kept in registers that there are not.
template <class X>
POISSON3D_HD X in_this_turn(X x) {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_integral_v<X>)
        asm volatile("" : "+r"(x));
    else if constexpr (sizeof(X) == 4)
        asm volatile("" : "+f"(x));
    else if constexpr (std::is_pointer_v<X>)
        asm volatile("" : "+l"(x));
    else
        asm volatile("" : "+d"(x));
#endif
    return x;
}
template <class T>
POISSON3D_HD Complex<T> in_this_turn(Complex<T> z) {
    return {in_this_turn(z.re), in_this_turn(z.im)};
}

/// The same address in shared memory, which stays in one register: with few of them compilers make it anew for
/// each access from what it follows from, for a block's from a special register that takes long to read.
template <class Number>
POISSON3D_HD Number* kept_in_shared(Number* at) {
#ifdef __CUDA_ARCH__
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(at));
    asm volatile("" : "+r"(address));
    return static_cast<Number*>(__cvta_shared_to_generic(address));
#else
    return at;
#endif
}

/// `at`, which a device knows only when it knows x, so that nothing is read from there before: registers hold no
/// more numbers. `none` is 0, which compilers must not know.
template <class Number, class T>
POISSON3D_HD const Number* after(const Number* at, [[maybe_unused]] T x, [[maybe_unused]] int none) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 8)
        return at + (none & __double2hiint(x));
    else
        return at + (none & __float_as_int(x));
#else
    return at;
#endif
}

/// Element `index` of those that are `stride` apart, index · sizeof(T) below 2^31. An index without a sign takes
/// two instructions.
template <class T, class Int>
POISSON3D_HD T* strided(T* first, Int index, std::int64_t stride) {
    using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    const auto bytes = static_cast<std::int64_t>(index * static_cast<Int>(sizeof(T)));
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(first) + bytes * stride);
}

/// The same for elements of fields, which pass by: the first-level cache is left to the tables.
template <class T>
POISSON3D_HD Complex<T> load_field(const Complex<T>* from) {
#ifdef __CUDA_ARCH__
    const auto v = __ldcg(reinterpret_cast<const typename VectorOf<T>::Type*>(from));
    return {v.x, v.y};
#else
    return *from;
#endif
}
/// 4, 8 or 16 bytes of a field to shared memory, past registers and, if 16, the first-level cache. The caller finds
/// them there after wait_for_copies(), others after a barrier behind that.
template <int bytes>
POISSON3D_HD void copy_to_shared(const void* from, void* to) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(bytes) : "memory");
#else
    __builtin_memcpy(to, from, bytes);
#endif
}
/// An element of a field.
template <class T>
POISSON3D_HD void copy_field(const Complex<T>* from, Complex<T>* to) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    // Neighbouring blocks want the rest of 128 bytes.
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (sizeof(*to) == 16)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 8;" ::"r"(address), "l"(from) : "memory");
#else
    *to = *from;
#endif
}
/// An element of a table, which the first-level cache keeps for other blocks.
template <class T>
POISSON3D_HD void copy_table(const Complex<T>* from, Complex<T>* to) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(sizeof(*to))
                 : "memory");
#else
    *to = *from;
#endif
}
POISSON3D_HD void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
/// One store of 8 or 16 bytes, which the compiler must not cut in two.
template <class T>
POISSON3D_HD void store_field(Complex<T>* to, Complex<T> z) {
#ifdef __CUDA_ARCH__
    typename VectorOf<T>::Type v;
    v.x = z.re, v.y = z.im;
    __stcg(reinterpret_cast<typename VectorOf<T>::Type*>(to), v);
#else
    *to = z;
#endif
}
template <class T>
POISSON3D_HD T load_field(const T* from) {
#ifdef __CUDA_ARCH__
    return __ldcg(from);
#else
    return *from;
#endif
}

/// n/d to the last bit or nearly so, without the branches of the built-in division (2.5 times as long in a sweep
/// that divides every element): an approximate reciprocal (20 bits), a Newton step, one correction. d is an
/// ordinary number whose reciprocal is one, too.
POISSON3D_HD double quotient(double n, double d) {
#ifdef __CUDA_ARCH__
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
    r = fma(fma(-d, r, 1.0), r, r);
    const double q = n * r;
    return fma(fma(-d, q, n), r, q);
#else
    return n / d;
#endif
}
POISSON3D_HD float quotient(float n, float d) {
#ifdef __CUDA_ARCH__
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(d));
    const float q = n * r;
    return fmaf(fmaf(-d, q, n), r, q);
#else
    return n / d;
#endif
}

}  // namespace poisson3d::lines
