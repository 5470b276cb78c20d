#include "pass.cuh"

namespace poisson3d::fused {

std::size_t most_shared() {
    int device = 0;
    int bytes = 0;
    cuda::check(cudaGetDevice(&device), "current device");
    cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                "shared memory of the device");
    return static_cast<std::size_t>(bytes);
}

template void launch_pass(Role, const PassTask<double>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused
