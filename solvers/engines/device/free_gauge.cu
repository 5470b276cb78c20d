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
    if (threadIdx.x != 0) return;
    const double mean = sum / task.total;
    *task.mean = static_cast<T>(mean);
    if (task.low != nullptr) *task.low = static_cast<T>(mean - static_cast<double>(*task.mean));
}

template <class T>
__global__ void mean_of_sums_kernel(const T* sums, int count, double total, T* mean) {
    double sum = 0;
    for (int m = 0; m < count; ++m) sum += static_cast<double>(sums[2 * m]) + static_cast<double>(sums[2 * m + 1]);
    *mean = static_cast<T>(sum / total);
}

}  // namespace

template <class T>
void launch_mean(const WeightedMean<T>& task, Stream stream) {
    partials_kernel<<<cuda::blocks(task.parts), team, 0, cuda::queue(stream)>>>(task);
    cuda::check(cudaGetLastError(), "launch of sums for the mean");
    mean_kernel<<<1, team, 0, cuda::queue(stream)>>>(task);
    cuda::check(cudaGetLastError(), "launch of the mean");
}

template <class T>
void launch_mean_of_sums(const T* sums, int count, double total, T* mean, Stream stream) {
    mean_of_sums_kernel<<<1, 1, 0, cuda::queue(stream)>>>(sums, count, total, mean);
    cuda::check(cudaGetLastError(), "launch of the mean of members");
}

template void launch_mean_of_sums(const float*, int, double, float*, Stream);
template void launch_mean_of_sums(const double*, int, double, double*, Stream);
template void launch_mean(const WeightedMean<float>&, Stream);
template void launch_mean(const WeightedMean<double>&, Stream);

}  // namespace poisson3d::device
