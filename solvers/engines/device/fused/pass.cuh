// The kernels of the fused passes: run_block with barriers, for one kind of line and one type.
#pragma once

#include "block_threads.hpp"
#include "cuda/launch_after_previous.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

/// Four blocks of 128 threads share a multiprocessor with 128 registers each: what butterfly pairs of radix 8 need
/// in double.
template <class T, class F>
constexpr int registers = sizeof(T) == 8 ? 128 : 96;

/// How many blocks, at least, leave a part of a multiprocessor's memory to the first-level cache. Three beside a
/// large cache are faster than four beside a small one (832³), two are slower than three (836³, 1012³).
template <class F>
constexpr int fewest_beside_cache = 3;

/// Matrices are multiplied in double in any case.
template <class Variant, class T, class F>
constexpr int kernel_registers = Variant::outer == Outer::matrix_steps ? 128 : registers<T, F>;

struct BlockBarrier {
    __device__ __forceinline__ void operator()() const { __syncthreads(); }
};

template <Role role, Movement movement, class Variant, class T, class F>
__global__ void __maxnreg__((kernel_registers<Variant, T, F>))
    pass_kernel(const __grid_constant__ PassTask<T, F> task, int first_chunk, int first_slow) {
    extern __shared__ unsigned char memory[];
    cuda::wait_for_previous();
    unsigned char* const lines = Variant::outer == Outer::matrix_steps ? kept_in_shared(memory + 0) : memory;
    const BlockPosition<T> block =
        position_of(task, first_chunk + static_cast<int>(blockIdx.x), first_slow + static_cast<int>(blockIdx.y),
                    static_cast<int>(blockIdx.z), reinterpret_cast<Complex<T>*>(lines));
    run_block<role, movement, Variant>(task, block, BlockBarrier{});
}

template <Role role, Movement movement, class Variant, class T, class F>
void launch_blocks(const PassTask<T, F>& task, const BlockShape& shape, const Blocks& blocks, Stream stream) {
    const auto kernel = &pass_kernel<role, movement, Variant, T, F>;
    constexpr std::size_t always_allowed = std::size_t{48} << 10;
    // As much as there is: another thread may launch the same kernel with other blocks at this moment.
    if (shape.bytes > always_allowed)
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(max_shared())),
                    "shared memory of a fused pass");
    const int wanted =
        shared_memory_wanted(shape.bytes, kernel_registers<Variant, T, F>, shape.threads, fewest_beside_cache<F>);
    // Kernels of known lines have blocks of one size, others of several.
    if (wanted >= 0 || std::is_same_v<F, Compact>)
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, wanted),
                    "shared memory of all blocks of a fused pass");
    cuda::launch_after_previous(kernel,
                                {dim3(static_cast<unsigned>(blocks.chunks), static_cast<unsigned>(blocks.slow),
                                      static_cast<unsigned>(task.fields)),
                                 dim3(static_cast<unsigned>(shape.threads)), shape.bytes, cuda::queue(stream)},
                                blocks.early, task, blocks.first_chunk, blocks.first_slow);
}

}  // namespace

template <Kind kind, Outer outer, class T>
void launch_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                   Stream stream) {
    with_kernel<outer>(role, movement, [&]<Role which, Movement how>() {
        launch_blocks<which, how, KernelVariant<kind, outer>>(task, shape, blocks, stream);
    });
}

}  // namespace poisson3d::fused
