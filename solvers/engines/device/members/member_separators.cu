#include "block_share.cuh"
#include "cuda/launch.hpp"
#include "member_separators.hpp"

namespace poisson3d::members {

namespace {

constexpr int block_threads = 128;

template <class T, bool many>
__global__ void __launch_bounds__(block_threads) separators_kernel(const __grid_constant__ SeparatorTask<T> task) {
    __shared__ lines::Wide<T> sums[block_threads];
    Index block = blockIdx.x;
    if (task.constant && --block < 0) {
        const int nodes = task.constant_line.chain.nodes;
        fused::BlockShare<T> share(nodes, sums);
        for (int j = share.first; j < share.end; ++j) task.solution[j] = task.samples[j];
        const T mean = task.constant_line.solve(task.solution, Index{1}, T(1), share);
        if (threadIdx.x == 0) task.solution[nodes] = mean;
        return;
    }
    const Index line = block * block_threads + threadIdx.x;
    if (line >= task.separators.lines) return;
    if constexpr (many)
        task.separators.solve_many(line);
    else
        task.separators.solve_few(line);
}

}  // namespace

template <class T>
void launch_separators(const SeparatorTask<T>& task, Stream stream) {
    const Index blocks = cuda::divide_up(task.separators.lines, Index{block_threads}) + (task.constant ? 1 : 0);
    if (blocks == 0) return;
    auto* const kernel = task.separators.many() ? &separators_kernel<T, true> : &separators_kernel<T, false>;
    kernel<<<cuda::blocks(blocks), block_threads, 0, cuda::queue(stream)>>>(task);
    cuda::check(cudaGetLastError(), "launch of separators");
}

template void launch_separators(const SeparatorTask<float>&, Stream);
template void launch_separators(const SeparatorTask<double>&, Stream);

}  // namespace poisson3d::members
