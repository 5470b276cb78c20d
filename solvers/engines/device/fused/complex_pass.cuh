// The kernels of complex lines: run_complex_block and run_complex_symbol with barriers.
#pragma once

#include "complex_symbol.hpp"
#include "pass.cuh"
#include "square_lines.hpp"

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

template <bool slots, int r, class T>
__global__ void __launch_bounds__(SquareLine<T, r>::threads, square_blocks<r, T>)
    square_symbol_kernel(const __grid_constant__ ComplexTask<T> task,
                         const __grid_constant__ SummedSymbol<T> symbol) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    run_square_symbol<slots, r>(task, symbol, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                                reinterpret_cast<T*>(memory), BlockBarrier{});
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
void launch_complex_blocks(ComplexPass pass, const ComplexTask<T, Line>& task, int chunks, const BlockShape& shape,
                           bool early, Stream stream) {
    with_complex_pass(pass, [&]<ComplexPass which>() {
        launch_complex(&complex_kernel<which, half, T, Line>, chunks, task.slow, shape, early, stream, task);
    });
}

template <int r, class T>
void launch_square_symbol_blocks(bool slots, const ComplexTask<T>& task, const SummedSymbol<T>& symbol, int chunks,
                                 int groups, const BlockShape& shape, bool early, Stream stream) {
    const auto launch = [&]<bool which>() {
        launch_complex(&square_symbol_kernel<which, r, T>, chunks, groups, shape, early, stream, task, symbol);
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
