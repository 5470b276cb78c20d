// The kernels of the fused passes: run_block with barriers, for one kind of line and one type.
#pragma once

#include "cuda/launch.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

/// Four blocks of 128 threads share a multiprocessor with 128 registers each: what butterfly pairs of radix 8 need
/// in double.
template <class T>
constexpr int registers = sizeof(T) == 8 ? 128 : 96;

/// Until all that is before the kernel in its stream has ended. From then on the next one may be launched; its
/// blocks take the places of those that are done, and wait here.
__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

struct BlockBarrier {
    __device__ __forceinline__ void operator()() const { __syncthreads(); }
};

template <Role role, Movement movement, class Variant, class T>
__global__ void __maxnreg__(registers<T>)
    pass_kernel(const __grid_constant__ Task<T> task, int first_chunk, int first_slow) {
    extern __shared__ unsigned char memory[];
    wait_for_previous();
    const BlockPosition<T> block =
        position_of(task, first_chunk + static_cast<int>(blockIdx.x), first_slow + static_cast<int>(blockIdx.y),
                    static_cast<int>(blockIdx.z), reinterpret_cast<Complex<T>*>(memory));
    run_block<role, movement, Variant>(task, block, BlockBarrier{});
}

}  // namespace

template <Kind kind, Outer outer, class T>
void launch_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                   Stream stream) {
    with_kernel<outer>(role, movement, [&]<Role which, Movement how>() {
        const auto kernel = &pass_kernel<which, how, KernelVariant<kind, outer>, T>;
        constexpr std::size_t always_allowed = std::size_t{48} << 10;
        // As much as there is: another thread may launch the same kernel with other blocks at this moment.
        if (shape.bytes > always_allowed)
            cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(max_shared())),
                        "shared memory of a fused pass");
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(blocks.chunks), static_cast<unsigned>(blocks.slow),
                              static_cast<unsigned>(task.fields));
        config.blockDim = dim3(static_cast<unsigned>(shape.threads));
        config.dynamicSmemBytes = shape.bytes;
        config.stream = cuda::queue(stream);
        config.attrs = &early;
        config.numAttrs = blocks.early ? 1 : 0;
        cuda::check(cudaLaunchKernelEx(&config, kernel, task, blocks.first_chunk, blocks.first_slow),
                    "launch of a fused pass");
    });
}

}  // namespace poisson3d::fused
