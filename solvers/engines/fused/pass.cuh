// The kernels of the fused passes: run_block with barriers, for one type.
#pragma once

#include "cuda/launch.hpp"
#include "launch.hpp"

namespace poisson3d::fused {

namespace {

inline constexpr int most_threads = 256;

template <Role role, int size, class T>
__global__ void __launch_bounds__(most_threads, size == 2   ? 3
                                                : size == 4 ? 2
                                                            : 1)
    pass_kernel(const __grid_constant__ PassTask<T> task, Index first, Index chunks) {
    extern __shared__ unsigned char memory[];
    auto* const lines = reinterpret_cast<Complex<T>*>(memory);
    run_block<role, size>(task,
                          place_of(task, first + blockIdx.x, chunks, lines, static_cast<int>(threadIdx.x),
                                   static_cast<int>(blockDim.x)),
                          [] { __syncthreads(); });
}

template <Role role, int size, class T>
void launch(const PassTask<T>& task, const BlockShape& shape, Index first, Index blocks, Stream stream) {
    const auto kernel = &pass_kernel<role, size, T>;
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.bytes)),
        "shared memory of a fused pass");
    kernel<<<cuda::blocks(blocks), shape.threads, shape.bytes, cuda::queue(stream)>>>(task, first, chunks_of(task));
    cuda::check(cudaGetLastError(), "launch of a fused pass");
}

}  // namespace

template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, Index first, Index blocks,
                 Stream stream) {
    with_mode_size(role, task, [&]<int size>() {
        switch (role) {
            case Role::first: return launch<Role::first, size>(task, shape, first, blocks, stream);
            case Role::first_with_data:
                return launch<Role::first_with_data, size>(task, shape, first, blocks, stream);
            case Role::forward: return launch<Role::forward, size>(task, shape, first, blocks, stream);
            case Role::middle: return launch<Role::middle, size>(task, shape, first, blocks, stream);
            case Role::backward: return launch<Role::backward, size>(task, shape, first, blocks, stream);
            case Role::last: return launch<Role::last, size>(task, shape, first, blocks, stream);
        }
    });
}

}  // namespace poisson3d::fused
