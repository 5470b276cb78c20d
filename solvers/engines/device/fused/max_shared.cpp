#include <cuda_runtime_api.h>

#include "cuda/check.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

std::size_t max_shared() {
    int device = 0;
    int bytes = 0;
    cuda::check(cudaGetDevice(&device), "current device");
    cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                "shared memory of the device");
    return static_cast<std::size_t>(bytes);
}

}  // namespace poisson3d::fused
