// The kernel of an eliminated axis.
#include "cuda/launch_after_previous.hpp"
#include "elimination_pass.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

/// Neighbouring threads have neighbouring sections of a row, or neighbouring lines.
template <class T, bool rows>
struct BlockTeam {
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
};

/// A line shared by all threads of a block.
template <class T>
struct BlockShare {
    int first, end;
    lines::Wide<T>* sums;  ///< one for each thread

    static __device__ unsigned number() { return threadIdx.x + threadIdx.y * blockDim.x; }
    static __device__ unsigned threads() { return blockDim.x * blockDim.y; }
    __device__ explicit BlockShare(int count, void* shared) : sums(static_cast<lines::Wide<T>*>(shared)) {
        const auto start = [&](unsigned thread) {
            return static_cast<int>(static_cast<Index>(count) * thread / threads());
        };
        first = start(number());
        end = start(number() + 1);
    }

    /// By doubling: after each step a thread has the sum of twice as many up to its own.
    __device__ __noinline__ lines::SharedSum<T> sum(lines::Wide<T> mine) const {
        const unsigned t = number();
        sums[t] = mine;
        __syncthreads();
        for (unsigned distance = 1; distance < threads(); distance *= 2) {
            const lines::Wide<T> other = t >= distance ? sums[t - distance] : lines::Wide<T>(0.0);
            __syncthreads();
            sums[t] = sums[t] + other;
            __syncthreads();
        }
        const lines::SharedSum<T> sum{t > 0 ? sums[t - 1] : lines::Wide<T>(0.0), sums[threads() - 1]};
        __syncthreads();
        return sum;
    }
};

/// Its blocks come first: they take longest.
template <class T>
__device__ __noinline__ void constant_block(const EliminationTask<T>& task, void* shared) {
    BlockShare<T> share(task.chain.nodes, shared);
    solve_constant_line(task, blockIdx.z, share.number() == 0, share);
}

template <class T, bool rows, bool multiply>
__global__ void __maxnreg__(64) elimination_kernel(const __grid_constant__ EliminationTask<T> task) {
    extern __shared__ __align__(16) unsigned char memory[];
    cuda::wait_for_previous();
    int chunk = static_cast<int>(blockIdx.x);
    if (!multiply && task.constant && --chunk < 0) {
        if (blockIdx.y == 0) constant_block(task, memory);
        return;
    }
    BlockTeam<T, rows> team;
    eliminate_block<rows, multiply>(task,
                                    {static_cast<Index>(blockIdx.z), static_cast<Index>(blockIdx.y),
                                     static_cast<Index>(chunk) << task.line_shift},
                                    reinterpret_cast<T*>(memory), team);
}

}  // namespace

template <class T>
void launch_elimination(const EliminationTask<T>& task, bool early, Stream stream) {
    with_elimination(task, [&]<bool rows, bool multiply>() {
        const auto kernel = &elimination_kernel<T, rows, multiply>;
        const auto sections = static_cast<unsigned>(task.section_threads);
        const auto lines = static_cast<unsigned>(task.block_lines());
        const std::size_t bytes = elimination_bytes(task);
        constexpr std::size_t always_allowed = std::size_t{48} << 10;
        if (bytes > always_allowed)
            cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(max_shared())),
                        "shared memory of an eliminated axis");
        const Index chunks = (task.lines + task.block_lines() - 1) >> task.line_shift;
        cuda::launch_after_previous(
            kernel,
            {dim3(static_cast<unsigned>(chunks + (task.divides_constant() ? 1 : 0)),
                  static_cast<unsigned>(task.slow_count), static_cast<unsigned>(task.fields)),
             rows ? dim3(sections, lines) : dim3(lines, sections), bytes, cuda::queue(stream)},
            early, task);
    });
}

template void launch_elimination(const EliminationTask<float>&, bool, Stream);
template void launch_elimination(const EliminationTask<double>&, bool, Stream);

}  // namespace poisson3d::fused
