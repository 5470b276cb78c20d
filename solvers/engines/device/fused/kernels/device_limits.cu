#include "cuda/check.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

/// Compiled for what the passes are compiled for.
__global__ void compiled_like_passes() {}

int attribute(cudaDeviceAttr which, const char* what) {
    int device = 0;
    int value = 0;
    cuda::check(cudaGetDevice(&device), "current device");
    cuda::check(cudaDeviceGetAttribute(&value, which, device), what);
    return value;
}

}  // namespace

std::size_t max_shared() {
    return static_cast<std::size_t>(
        attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, "shared memory of the device"));
}

bool may_launch_early() {
    if (attribute(cudaDevAttrComputeCapabilityMajor, "compute capability of the device") < 9) return false;
    cudaFuncAttributes kernel{};
    cuda::check(cudaFuncGetAttributes(&kernel, compiled_like_passes), "what kernels are compiled for");
    return kernel.ptxVersion >= 90;
}

}  // namespace poisson3d::fused
