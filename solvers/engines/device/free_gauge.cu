// The kernels of free_gauge.hpp. A block adds up some rows, its threads side by side along them, then by a tree.
#include "free_gauge.hpp"
#include "line_grid.cuh"

namespace poisson3d::device {

namespace {

constexpr int team = max_threads;

/// What all threads of the block have, in thread 0.
__device__ double sum_of_block(double mine) {
    __shared__ double sums[team];
    const int t = static_cast<int>(threadIdx.x);
    sums[t] = mine;
    for (int half = team / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) sums[t] += sums[t + half];
    }
    return sums[t];
}

template <class T>
__global__ void partials_kernel(const __grid_constant__ WeightedMean<T> task) {
    const Index rows = task.u.extents[0] * task.u.extents[1], columns = task.u.extents[2];
    const Index first = rows * blockIdx.x / task.parts, end = rows * (blockIdx.x + 1) / task.parts;
    double mine = 0;
    for (Index n = threadIdx.x; n < (end - first) * columns; n += team) {
        const auto [row, k] = cuda::divide(n, columns);
        const auto [i, j] = cuda::divide(first + row, task.u.extents[1]);
        const double weight = task.weights[0][i] * task.weights[1][j] * task.weights[2][k];
        mine += weight * static_cast<double>(task.u.data[i * task.u.strides[0] + j * task.u.strides[1] + k]);
    }
    const double sum = sum_of_block(mine);
    if (threadIdx.x == 0) task.partials[blockIdx.x] = sum;
}

template <class T>
__global__ void mean_kernel(const __grid_constant__ WeightedMean<T> task) {
    double mine = 0;
    for (Index part = threadIdx.x; part < task.parts; part += team) mine += task.partials[part];
    const double sum = sum_of_block(mine);
    if (threadIdx.x == 0) *task.mean = static_cast<T>(sum / task.total);
}

}  // namespace

template <class T>
void launch_mean(const WeightedMean<T>& task, Stream stream) {
    partials_kernel<<<cuda::blocks(task.parts), team, 0, cuda::queue(stream)>>>(task);
    cuda::check(cudaGetLastError(), "launch of sums for the mean");
    mean_kernel<<<1, team, 0, cuda::queue(stream)>>>(task);
    cuda::check(cudaGetLastError(), "launch of the mean");
}

template void launch_mean(const WeightedMean<float>&, Stream);
template void launch_mean(const WeightedMean<double>&, Stream);

}  // namespace poisson3d::device
