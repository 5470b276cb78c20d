// The kernels of complex lines: run_complex_block and run_complex_symbol with barriers.
#pragma once

#include <algorithm>

#include "complex_symbol.hpp"
#include "pass.cuh"
#include "square_pass.hpp"

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

/// Three blocks of doubles, or two of twice as many threads, share a multiprocessor.
template <int r, class T>
inline constexpr int square_blocks = sizeof(T) == 8 ? 3 : 2;

template <bool back, int r, class T>
__global__ void __launch_bounds__(SquareLine<T, r>::threads, square_blocks<r, T>)
    square_kernel(const __grid_constant__ ComplexTask<T> task, int chunks) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_square_blocks<back, r>(task, chunks, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x),
                               reinterpret_cast<T*>(memory), BlockBarrier{});
}

template <bool slots, int r, class T>
__global__ void __launch_bounds__(SquareLine<T, r>::threads, square_blocks<r, T>)
    square_symbol_kernel(const __grid_constant__ ComplexTask<T> task,
                         const __grid_constant__ SummedSymbol<T> symbol, int chunks, int groups) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_square_symbol<slots, r>(task, symbol, chunks, groups, static_cast<int>(blockIdx.x),
                                static_cast<int>(gridDim.x), reinterpret_cast<T*>(memory), BlockBarrier{});
}

template <class Kernel>
void allow_shared(const Kernel& kernel) {
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(max_shared())),
        "shared memory of a pass over complex lines");
}

template <class Kernel, class... Arguments>
void launch_complex(const Kernel& kernel, int chunks, Index slow, const BlockShape& shape, bool early,
                    Stream stream, const Arguments&... arguments) {
    allow_shared(kernel);
    cuda::launch_after_previous(kernel,
                                {dim3(static_cast<unsigned>(chunks), static_cast<unsigned>(slow)),
                                 dim3(static_cast<unsigned>(shape.threads)), shape.bytes, cuda::queue(stream)},
                                early, arguments...);
}

template <bool half, class T, class Line>
void launch_complex_blocks(ComplexPass pass, const ComplexTask<T, Line>& task, int chunks, const BlockShape& shape,
                           bool early, Stream stream) {
    with_complex_pass(pass, [&]<ComplexPass which>() {
        launch_complex(&complex_kernel<which, half, T, Line>, chunks, task.slow, shape, early, stream, task);
    });
}

template <int rows, class T>
void launch_known_rows(ComplexPass pass, const ComplexTask<T, KnownComplex<T, rows>>& task, int chunks,
                       const BlockShape& shape, bool early, Stream stream) {
    const auto launch = [&]<ComplexPass which>() {
        launch_complex(&complex_kernel<which, true, T, KnownComplex<T, rows>>, chunks, task.slow, shape, early,
                       stream, task);
    };
    pass == ComplexPass::rows_there ? launch.template operator()<ComplexPass::rows_there>()
                                    : launch.template operator()<ComplexPass::rows_back>();
}

/// As many of `blocks` as run at once.
template <class Kernel, class... Arguments>
void launch_blocks_that_stay(const Kernel& kernel, Index blocks, const BlockShape& shape, bool early, Stream stream,
                             const Arguments&... arguments) {
    allow_shared(kernel);
    int device = 0, processors = 0, each = 0;
    cuda::check(cudaGetDevice(&device), "current device");
    cuda::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                "multiprocessors of the device");
    cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, shape.threads, shape.bytes),
                "blocks of a pass over complex lines");
    const Index at_once = Index{processors} * std::max(each, 1);
    launch_complex(kernel, static_cast<int>(std::min(blocks, at_once)), 1, shape, early, stream, arguments...);
}

template <int r, class T>
void launch_square_blocks(bool back, const ComplexTask<T>& task, int chunks, const BlockShape& shape, bool early,
                          Stream stream) {
    const auto launch = [&]<bool which>() {
        launch_blocks_that_stay(&square_kernel<which, r, T>, Index{chunks} * task.slow, shape, early, stream, task,
                                chunks);
    };
    back ? launch.template operator()<true>() : launch.template operator()<false>();
}

template <int r, class T>
void launch_square_symbol_blocks(bool slots, const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int chunks,
                                 int groups, const BlockShape& shape, bool early, Stream stream) {
    const auto launch = [&]<bool which>() {
        launch_blocks_that_stay(&square_symbol_kernel<which, r, T>, Index{chunks} * groups, shape, early, stream,
                                task, symbol, chunks, groups);
    };
    slots ? launch.template operator()<true>() : launch.template operator()<false>();
}

template <class T, class Line>
void launch_complex_symbol_blocks(bool slots, const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol,
                                  int chunks, int groups, const BlockShape& shape, bool early, Stream stream) {
    const auto launch = [&]<bool which>() {
        launch_complex(&complex_symbol_kernel<which, T, Line>, chunks, groups, shape, early, stream, task, symbol);
    };
    slots ? launch.template operator()<true>() : launch.template operator()<false>();
}

}  // namespace

}  // namespace poisson3d::fused
