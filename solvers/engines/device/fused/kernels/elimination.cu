// The kernel of an eliminated axis.
#include "block_share.cuh"
#include "cuda/launch_after_previous.hpp"
#include "elimination_pass.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

/// Neighbouring threads have neighbouring sections of a row, or neighbouring lines.
template <class T, LineShape shape>
struct BlockTeam {
    static constexpr bool rows = shape == LineShape::rows;
    Section<T> section;
    template <class Body>
    __device__ __forceinline__ void each(const Body& body) {
        int x, y;  // read in each phase: addresses of one are then not kept in registers for another
        asm volatile("mov.u32 %0, %%tid.x;" : "=r"(x));
        asm volatile("mov.u32 %0, %%tid.y;" : "=r"(y));
        const int number = x + y * static_cast<int>(blockDim.x);
        body(rows ? EliminatingThread{x, y, number} : EliminatingThread{y, x, number}, section);
    }
    __device__ __forceinline__ void wait() const { __syncthreads(); }
    __device__ __forceinline__ void wait_for_warp() const { __syncwarp(); }
};

/// Its blocks come first: they take longest.
template <class T>
__device__ __noinline__ void constant_block(const EliminationTask<T>& task, void* shared) {
    BlockShare<T> share(task.chain.nodes, shared);
    solve_constant_line(task, blockIdx.z, share.number() == 0, share);
}

template <class T, LineShape shape, EliminationWork work, bool even>
__global__ void __maxnreg__((elimination_registers<T, shape, even>))
    elimination_kernel(const __grid_constant__ EliminationTask<T> task) {
    extern __shared__ __align__(16) unsigned char memory[];
    cuda::wait_for_previous();
    int chunk = static_cast<int>(blockIdx.x);
    if (!multiplies(work) && task.constant && --chunk < 0) {
        if (blockIdx.y > 0) return;
        if constexpr (of_part(work))
            move_constant_line(task, work == EliminationWork::reduce_part,
                               static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x),
                               static_cast<int>(blockDim.x * blockDim.y));
        else
            constant_block(task, memory);
        return;
    }
    BlockTeam<T, shape> team;
    eliminate_block<shape, work, even>(task,
                                       {static_cast<Index>(blockIdx.z), static_cast<Index>(blockIdx.y),
                                        static_cast<Index>(chunk) << task.line_shift},
                                       reinterpret_cast<T*>(memory), team);
}

}  // namespace

template <class T>
void launch_elimination(const EliminationTask<T>& task, bool early, Stream stream) {
    with_elimination(task, [&]<LineShape shape, EliminationWork work, bool even>() {
        const auto kernel = &elimination_kernel<T, shape, work, even>;
        const auto sections = static_cast<unsigned>(task.section_threads);
        const auto lines = static_cast<unsigned>(task.block_lines());
        const std::size_t bytes = elimination_bytes(task);
        constexpr std::size_t always_allowed = std::size_t{48} << 10;
        if (bytes > always_allowed)
            cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(max_shared())),
                        "shared memory of an eliminated axis");
        if constexpr (elimination_memory<shape> >= 0)
            cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                             elimination_memory<shape>),
                        "shared memory of all blocks of an eliminated axis");
        const Index chunks = (task.lines + task.block_lines() - 1) >> task.line_shift;
        cuda::launch_after_previous(
            kernel,
            {dim3(static_cast<unsigned>(chunks + (task.divides_constant() ? 1 : 0)),
                  static_cast<unsigned>(task.slow_count), static_cast<unsigned>(task.fields)),
             task.rows() ? dim3(sections, lines) : dim3(lines, sections), bytes, cuda::queue(stream)},
            early, task);
    });
}

template void launch_elimination(const EliminationTask<float>&, bool, Stream);
template void launch_elimination(const EliminationTask<double>&, bool, Stream);

}  // namespace poisson3d::fused
