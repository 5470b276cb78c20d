// Accesses of 16 bytes to real numbers, the first of which stands at a multiple of 16 bytes. Host and device share
// this file.
#pragma once

#include <cstddef>
#include <type_traits>

#include "host_device.hpp"

namespace poisson3d::lines {

/// As many numbers as 16 bytes hold, on a device by load(vector).
template <class T, class Load>
POISSON3D_HD void load_vector_by([[maybe_unused]] const Load& load, const T* from, T* z) {
#ifdef __CUDA_ARCH__
    using Vector = std::conditional_t<sizeof(T) == 4, float4, double2>;
    const Vector v = load(reinterpret_cast<const Vector*>(from));
    z[0] = v.x, z[1] = v.y;
    if constexpr (sizeof(T) == 4) z[2] = v.z, z[3] = v.w;
#else
    for (std::size_t i = 0; i < 16 / sizeof(T); ++i) z[i] = from[i];
#endif
}

/// Of a table, which kernels never write; of a field, which the first-level cache does not keep; of shared memory.
template <class T>
POISSON3D_HD void load_table_vector(const T* from, T* z) {
    load_vector_by([](const auto* at) { return __ldg(at); }, from, z);
}
template <class T>
POISSON3D_HD void load_field_vector(const T* from, T* z) {
    load_vector_by([](const auto* at) { return __ldcg(at); }, from, z);
}
template <class T>
POISSON3D_HD void load_vector(const T* from, T* z) {
    load_vector_by([](const auto* at) { return *at; }, from, z);
}
template <class T>
POISSON3D_HD void store_vector(T* to, const T* z) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4)
        *reinterpret_cast<float4*>(to) = {z[0], z[1], z[2], z[3]};
    else
        *reinterpret_cast<double2*>(to) = {z[0], z[1]};
#else
    for (std::size_t i = 0; i < 16 / sizeof(T); ++i) to[i] = z[i];
#endif
}

}  // namespace poisson3d::lines
