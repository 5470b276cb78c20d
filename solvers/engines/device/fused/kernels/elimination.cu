// The kernel of an eliminated axis.
#include "cuda/launch_after_previous.hpp"
#include "elimination_pass.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

template <class T, int nodes>
struct BlockTeam {
    Section<T, nodes> section;
    template <class Body>
    __device__ __forceinline__ void each(const Body& body) {
        body(static_cast<int>(threadIdx.x), section);
    }
    __device__ __forceinline__ void wait() const { __syncthreads(); }
};

/// A line shared by all threads of a block.
template <class T>
struct BlockShare {
    int first, end;
    lines::Wide<T>* sums;  ///< one for each thread

    __device__ explicit BlockShare(int count, void* shared) : sums(static_cast<lines::Wide<T>*>(shared)) {
        const auto start = [&](unsigned thread) {
            return static_cast<int>(static_cast<Index>(count) * thread / blockDim.x);
        };
        first = start(threadIdx.x);
        end = start(threadIdx.x + 1);
    }

    /// By doubling: after each step a thread has the sum of twice as many up to its own.
    __device__ __noinline__ lines::SharedSum<T> sum(lines::Wide<T> mine) const {
        const unsigned t = threadIdx.x;
        sums[t] = mine;
        __syncthreads();
        for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
            const lines::Wide<T> other = t >= distance ? sums[t - distance] : lines::Wide<T>(0.0);
            __syncthreads();
            sums[t] = sums[t] + other;
            __syncthreads();
        }
        const lines::SharedSum<T> sum{t > 0 ? sums[t - 1] : lines::Wide<T>(0.0), sums[blockDim.x - 1]};
        __syncthreads();
        return sum;
    }
};

/// Its blocks come first: they take longest.
template <class T>
__device__ __noinline__ void constant_block(const EliminationTask<T>& task, void* shared) {
    BlockShare<T> share(task.chain.nodes, shared);
    solve_constant_line(task, blockIdx.z, threadIdx.x == 0, share);
}

template <class T, int nodes>
__global__ void __maxnreg__(64) elimination_kernel(const __grid_constant__ EliminationTask<T> task) {
    extern __shared__ __align__(16) unsigned char memory[];
    cuda::wait_for_previous();
    const int first = task.divides_constant() ? 1 : 0;
    const int chunk = static_cast<int>(blockIdx.x) - first;
    if (chunk < 0) {
        if (blockIdx.y == 0) constant_block(task, memory);
        return;
    }
    BlockTeam<T, nodes> team;
    eliminate_block<nodes>(task,
                           {static_cast<Index>(blockIdx.z), static_cast<Index>(blockIdx.y),
                            static_cast<Index>(chunk) << task.line_shift},
                           reinterpret_cast<T*>(memory), team);
}

}  // namespace

template <class T>
void launch_elimination(const EliminationTask<T>& task, bool early, Stream stream) {
    with_section(task, [&]<int nodes>() {
        const auto kernel = &elimination_kernel<T, nodes>;
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
             dim3(static_cast<unsigned>(task.threads())), bytes, cuda::queue(stream)},
            early, task);
    });
}

template void launch_elimination(const EliminationTask<float>&, bool, Stream);
template void launch_elimination(const EliminationTask<double>&, bool, Stream);

}  // namespace poisson3d::fused
