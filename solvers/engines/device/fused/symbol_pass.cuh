// The kernels of the middle pass of padded lines: run_symbol_block with barriers.
#pragma once

#include "pass.cuh"
#include "symbol_pass.hpp"

namespace poisson3d::fused {

namespace {

template <class Variant, class T>
__global__ void __maxnreg__(128)
    symbol_kernel(const __grid_constant__ Task<T> task, const __grid_constant__ Symbol<T> symbol) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_symbol_block<Variant>(task, symbol, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                              reinterpret_cast<Complex<T>*>(memory), BlockBarrier{});
}

template <class Variant, class T>
void launch_symbol_blocks(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape,
                          bool early, Stream stream) {
    const auto kernel = &symbol_kernel<Variant, T>;
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(max_shared())),
        "shared memory of a pass over padded lines");
    cuda::launch_after_previous(
        kernel,
        {dim3(static_cast<unsigned>(all_blocks(task, early).chunks), static_cast<unsigned>(groups)),
         dim3(static_cast<unsigned>(shape.threads)), shape.bytes, cuda::queue(stream)},
        early, task, symbol);
}

}  // namespace

template <Kind kind, Outer outer, class T>
void launch_symbol_kernel(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape,
                          bool early, Stream stream) {
    launch_symbol_blocks<KernelVariant<kind, outer>>(task, symbol, groups, shape, early, stream);
}

}  // namespace poisson3d::fused
