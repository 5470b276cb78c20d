// Kernels that are launched before the one before them in their stream has ended, and then wait for it themselves:
// their blocks take the places of those that are done.
#pragma once

#include "cuda/launch.hpp"

namespace poisson3d::cuda {

/// Until all that is before the kernel in its stream has ended. From then on the next one may be launched.
__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Whether the code of a kernel that waits for the one before it, and so the device, is of compute capability 9.0.
template <class... Parameters>
bool may_launch_early(void (*kernel)(Parameters...)) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "what a kernel is compiled for");
    return attributes.ptxVersion >= 90;
}

struct LaunchShape {
    dim3 blocks, threads;
    std::size_t shared = 0;  ///< bytes
    cudaStream_t queue = nullptr;
};

/// `early`: if the device and the code of the kernel are of compute capability 9.0. Throws Error{device} when
/// refused.
template <class... Parameters, class... Arguments>
void launch_after_previous(void (*kernel)(Parameters...), const LaunchShape& shape, bool early,
                           const Arguments&... arguments) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = shape.blocks;
    config.blockDim = shape.threads;
    config.dynamicSmemBytes = shape.shared;
    config.stream = shape.queue;
    config.attrs = &attribute;
    config.numAttrs = early ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, arguments...), "launch of a pass");
}

}  // namespace poisson3d::cuda
