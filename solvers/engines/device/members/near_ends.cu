#include "cuda/launch_after_previous.hpp"
#include "near_ends.hpp"

namespace poisson3d::members {

namespace {

constexpr int block_threads = 128;

/// Blocks of one end of neighbouring lines: a row of the field is read as a whole.
template <class T>
__global__ void __launch_bounds__(block_threads) near_ends_kernel(const __grid_constant__ NearEndsTask<T> task) {
    cuda::wait_for_previous();
    const Index line = static_cast<Index>(blockIdx.x) * block_threads + threadIdx.x;
    if (line >= task.lines) return;
    const auto slow = static_cast<Index>(blockIdx.y);
    if (blockIdx.z == 0)
        task.template reduce<true>(slow, line);
    else
        task.template reduce<false>(slow, line);
}

}  // namespace

template <class T>
void launch_near_ends(const NearEndsTask<T>& task, bool early, Stream stream) {
    const dim3 blocks(cuda::blocks(cuda::divide_up(task.lines, Index{block_threads})),
                      static_cast<unsigned>(task.slow_count), 2);
    cuda::launch_after_previous(&near_ends_kernel<T>, {blocks, dim3(block_threads), 0, cuda::queue(stream)}, early,
                                task);
}

template void launch_near_ends(const NearEndsTask<float>&, bool, Stream);
template void launch_near_ends(const NearEndsTask<double>&, bool, Stream);

}  // namespace poisson3d::members
