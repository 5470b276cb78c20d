#include "complex_planes.hpp"
#include "cuda/launch_after_previous.hpp"
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

/// Ten times the compute capability that kernels are compiled for.
int compiled_for() {
    cudaFuncAttributes kernel{};
    cuda::check(cudaFuncGetAttributes(&kernel, compiled_like_passes), "what kernels are compiled for");
    return kernel.ptxVersion;
}

}  // namespace

std::size_t max_shared() {
    return static_cast<std::size_t>(
        attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, "shared memory of the device"));
}

std::size_t cache_bytes() {
    return static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize, "second-level cache of the device"));
}

bool may_launch_early() {
    return cuda::may_launch_early(compiled_like_passes);
}

bool multiplies_doubles_fast() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        cudaGetLastError();
        return false;
    }
    return attribute(cudaDevAttrComputeCapabilityMajor, "compute capability of the device") >= 8 &&
           attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, "speed of doubles on the device") == 2 &&
           compiled_for() >= 80;
}

}  // namespace poisson3d::fused
