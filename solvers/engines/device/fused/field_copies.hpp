// Copies from fields to shared memory which no register waits for; the host makes them at once.
#pragma once

#include "host_device.hpp"

namespace poisson3d::fused {

/// An element of a field into shared memory, which is there after wait_for_copies(); no register waits for it.
template <class X>
POISSON3D_HD void copy_field(X* to, const X* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (sizeof(X) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(sizeof(X))
                     : "memory");
#else
    *to = *from;
#endif
}
/// For those of this thread.
POISSON3D_HD void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace poisson3d::fused
