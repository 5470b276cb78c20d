// The kernels of complex lines: run_complex_block and run_complex_symbol with barriers.
#pragma once

#include "half_passes.hpp"
#include "pass.cuh"

namespace poisson3d::fused {

namespace {

template <ComplexPass pass, bool half, class T, class Line>
__global__ void __maxnreg__(128) complex_kernel(const __grid_constant__ ComplexTask<T, Line> task) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_complex_block<pass, half>(task, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                                  reinterpret_cast<Complex<T>*>(memory), BlockBarrier{});
}

template <bool slots, class T, class Line>
__global__ void __maxnreg__(128) complex_symbol_kernel(const __grid_constant__ ComplexTask<T, Line> task,
                                                       const __grid_constant__ SummedSymbol<T> symbol) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_complex_symbol<slots>(task, symbol, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                              reinterpret_cast<Complex<T>*>(memory), BlockBarrier{});
}

/// Barriers of blocks with halves of lines; each half has as many threads as butterflies, or divides a warp.
template <class Line>
struct HalvesBarrier : BlockBarrier {
    __device__ __forceinline__ void of_line() const {
        constexpr int threads = Line::butterflies;
        if constexpr (threads <= 32)
            __syncwarp();
        else
            asm volatile("bar.sync %0, %1;" ::"r"(1 + BlockThreads::index() / threads), "n"(threads) : "memory");
    }
};

/// 1024 threads share a multiprocessor.
template <bool back, class T, class Line>
__global__ void __maxnreg__(64) half_kernel(const __grid_constant__ ComplexTask<T, Line> task) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_half_columns<back>(task, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                           reinterpret_cast<Complex<T>*>(memory), HalvesBarrier<Line>{});
}
template <bool slots, class T, class Line>
__global__ void __maxnreg__(64) half_symbol_kernel(const __grid_constant__ ComplexTask<T, Line> task,
                                                   const __grid_constant__ SummedSymbol<T> symbol) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_half_symbol<slots>(task, symbol, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                           reinterpret_cast<Complex<T>*>(memory), HalvesBarrier<Line>{});
}

template <class Kernel, class... Arguments>
void launch_complex(const Kernel& kernel, int chunks, Index slow, const BlockShape& shape, bool early,
                    Stream stream, const Arguments&... arguments) {
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(max_shared())),
        "shared memory of a pass over complex lines");
    cuda::launch_after_previous(kernel,
                                {dim3(static_cast<unsigned>(chunks), static_cast<unsigned>(slow)),
                                 dim3(static_cast<unsigned>(shape.threads)), shape.bytes, cuda::queue(stream)},
                                early, arguments...);
}

template <bool half, class T, class Line>
void launch_complex_rows(ComplexPass pass, const ComplexTask<T, Line>& task, int chunks, const BlockShape& shape,
                         bool early, Stream stream) {
    if (pass == ComplexPass::rows_there)
        launch_complex(&complex_kernel<ComplexPass::rows_there, half, T, Line>, chunks, task.slow, shape, early,
                       stream, task);
    else
        launch_complex(&complex_kernel<ComplexPass::rows_back, half, T, Line>, chunks, task.slow, shape, early,
                       stream, task);
}

template <bool half, class T, class Line>
void launch_complex_blocks(ComplexPass pass, const ComplexTask<T, Line>& task, int chunks, const BlockShape& shape,
                           bool early, Stream stream) {
    with_complex_pass(pass, [&]<ComplexPass which>() {
        launch_complex(&complex_kernel<which, half, T, Line>, chunks, task.slow, shape, early, stream, task);
    });
}

template <class T, class Line>
void launch_complex_symbol_blocks(bool slots, const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol,
                                  int chunks, int groups, const BlockShape& shape, bool early, Stream stream) {
    const auto launch = [&]<bool which>() {
        launch_complex(&complex_symbol_kernel<which, T, Line>, chunks, groups, shape, early, stream, task, symbol);
    };
    slots ? launch.template operator()<true>() : launch.template operator()<false>();
}

template <class T, class Line>
void launch_half_columns(bool back, const ComplexTask<T, Line>& task, int chunks, const BlockShape& shape,
                         bool early, Stream stream) {
    launch_complex(back ? &half_kernel<true, T, Line> : &half_kernel<false, T, Line>, chunks, task.slow, shape,
                   early, stream, task);
}
template <class T, class Line>
void launch_half_symbol(bool slots, const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol, int chunks,
                        int groups, const BlockShape& shape, bool early, Stream stream) {
    launch_complex(slots ? &half_symbol_kernel<true, T, Line> : &half_symbol_kernel<false, T, Line>, chunks, groups,
                   shape, early, stream, task, symbol);
}

}  // namespace

}  // namespace poisson3d::fused
