// Work that a warp shares: its threads wait for each other, not for those of other warps. On the host one thread is
// all lanes of the only warp. Host and device share this file.
#pragma once

#include "host_device.hpp"

namespace poisson3d::lines {

/// The warps of a block of `threads` on a device; on the host there is one.
template <int threads>
struct Warps {
#ifdef __CUDA_ARCH__
    static_assert(threads % 32 == 0);
    /// Compilers see that all threads of a warp have the same one.
    static __device__ __forceinline__ int index() {
        return __shfl_sync(0xffffffffU, BlockThreads::index() >> 5, 0);
    }
    static __device__ __forceinline__ int count() {
        return threads >> 5;
    }
#else
    static int index() {
        return 0;
    }
    static int count() {
        return 1;
    }
#endif
};

/// body(unit) for so many units by the lanes of a warp, which then wait for each other.
template <int units, class Body>
POISSON3D_HD void for_lanes(const Body& body) {
#ifdef __CUDA_ARCH__
    POISSON3D_ROLLED
    for (int unit = BlockThreads::index() & 31; unit < units; unit += 32) body(unit);
    __syncwarp();
#else
    for (int unit = 0; unit < units; ++unit) body(unit);
#endif
}

}  // namespace poisson3d::lines
