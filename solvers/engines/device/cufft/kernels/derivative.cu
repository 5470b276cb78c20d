// The modes of a derivative: threads along lines, each with a few lines, for which it reads the table once.
#include "launch_derivative.hpp"
#include "line_grid.cuh"

namespace poisson3d::cufft {

namespace {

using namespace device;

constexpr int each = 4;  // lines of a thread

template <class T>
__global__ void __launch_bounds__(max_threads) derivative_kernel(DerivativeTask<T> task, LineGrid grid) {
    const auto [slot, first] = mine(grid);
    if (slot >= task.count) return;
    const std::int32_t source = task.source[slot];
    const T factor = task.factor[slot];
#pragma unroll
    for (int r = 0; r < each; ++r) {
        const Index line = first + r * grid.across;
        if (line >= task.lines) return;
        task.out[line * task.pitch + slot] = factor * task.in[line * task.pitch + source];
    }
}

}  // namespace

template <class T>
void launch_derivative(const DerivativeTask<T>& task, Stream stream) {
    const LineGrid grid = line_grid(task.count, task.lines, each);
    derivative_kernel<T><<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), "launch of the modes of a derivative");
}

template void launch_derivative(const DerivativeTask<float>&, Stream);
template void launch_derivative(const DerivativeTask<double>&, Stream);

}  // namespace poisson3d::cufft
