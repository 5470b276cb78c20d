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

template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, const Blocks& blocks, Stream stream) {
    with_kind(task.kind, [&]<Kind kind>() { launch_kind<kind>(role, task, shape, blocks, stream); });
}

template void launch_pass(Role, const PassTask<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_pass(Role, const PassTask<double>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused
