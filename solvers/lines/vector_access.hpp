// Accesses of 16 bytes to real numbers, the first of which stands at a multiple of 16 bytes. Host and device share
// this file.
#pragma once

#include <cstddef>

#include "host_device.hpp"

namespace poisson3d::lines {

/// As many numbers as 16 bytes hold: of a table, which kernels never write; of shared memory.
template <class T>
POISSON3D_HD void load_table_vector(const T* from, T* z) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
        const float4 v = __ldg(reinterpret_cast<const float4*>(from));
        z[0] = v.x, z[1] = v.y, z[2] = v.z, z[3] = v.w;
    } else {
        const double2 v = __ldg(reinterpret_cast<const double2*>(from));
        z[0] = v.x, z[1] = v.y;
    }
#else
    for (std::size_t i = 0; i < 16 / sizeof(T); ++i) z[i] = from[i];
#endif
}
/// … of a field, which the first-level cache does not keep.
template <class T>
POISSON3D_HD void load_field_vector(const T* from, T* z) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
        const float4 v = __ldcg(reinterpret_cast<const float4*>(from));
        z[0] = v.x, z[1] = v.y, z[2] = v.z, z[3] = v.w;
    } else {
        const double2 v = __ldcg(reinterpret_cast<const double2*>(from));
        z[0] = v.x, z[1] = v.y;
    }
#else
    for (std::size_t i = 0; i < 16 / sizeof(T); ++i) z[i] = from[i];
#endif
}
template <class T>
POISSON3D_HD void load_vector(const T* from, T* z) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
        const float4 v = *reinterpret_cast<const float4*>(from);
        z[0] = v.x, z[1] = v.y, z[2] = v.z, z[3] = v.w;
    } else {
        const double2 v = *reinterpret_cast<const double2*>(from);
        z[0] = v.x, z[1] = v.y;
    }
#else
    for (std::size_t i = 0; i < 16 / sizeof(T); ++i) z[i] = from[i];
#endif
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
