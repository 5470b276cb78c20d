// The sums of mode_sweeps.hpp, next to the faces of two axes in modes: one sweep that reads a field and does
// nothing else, so that it has to keep memory busy all the time. There are few times as many blocks as fit on the
// device. A block has 128 × 128 modes of one plane after the other, a warp 16 rows of 128, a lane 4 numbers of
// each; while 4 rows are added up the next ones are on their way, and at the end of a plane those of the next
// plane. Sums over k, of two parts and 4 rows, are 8 numbers of each lane: halves are exchanged until each lane has
// the sum of one of them. Sums over j meet in shared memory.
#include <algorithm>

#include "cuda/check.hpp"
#include "cuda/launch.hpp"
#include "lane_sums.cuh"
#include "mode_sweeps.hpp"

namespace poisson3d::walled {

namespace {

constexpr int lanes = 32, warps = 8, threads = lanes * warps;
constexpr int blocks_together = 2, rounds = 4;  ///< of a multiprocessor; of these on the device
constexpr int tile = static_cast<int>(tile_of_sums);
constexpr int rows_of_warp = tile / warps, rows_at_once = 4;
constexpr int each = tile / lanes;  ///< numbers of a lane in a row

/// By part: the number of a slot, and 0.
template <class T>
struct Weight {
    T of[2];
};
template <class T>
__device__ __forceinline__ Weight<T> weight_of(const SweptModes<T>& axis, Index slot) {
    if (slot >= axis.count || axis.faces == 0) return {{T(0), T(0)}};
    const T number = axis.sums[slot];
    return axis.part(slot) == 0 ? Weight<T>{{number, T(0)}} : Weight<T>{{T(0), number}};
}

/// What a lane reads of some rows.
template <class T>
struct Rows {
    T of[rows_at_once][each];

    /// `rows` of them are there, and so many columns from the lane's first one on.
    __device__ __forceinline__ void read(const T* at, Index row, int rows, int columns) {
#pragma unroll
        for (int r = 0; r < rows_at_once; ++r)
#pragma unroll
            for (int c = 0; c < each; ++c)
                of[r][c] = r < rows && c * lanes < columns ? __ldcs(at + r * row + c * lanes) : T(0);
    }
};

template <class T>
__global__ void __launch_bounds__(threads, blocks_together)
    sum_kernel(const __grid_constant__ ModeSweeps<T> sweeps) {
    __shared__ T down_warps[2][warps][tile];
    __shared__ Weight<T> weight_of_row[tile];
    const SweptModes<T>&j_axis = sweeps.modes[0], &k_axis = sweeps.modes[1];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % lanes, warp = thread / lanes;
    const Index first_k = Index{blockIdx.x} * tile, first_j = Index{blockIdx.y} * tile;
    Weight<T> weight[each];
#pragma unroll
    for (int c = 0; c < each; ++c) weight[c] = weight_of(k_axis, first_k + lane + c * lanes);
    if (thread < tile) weight_of_row[thread] = weight_of(j_axis, first_j + thread);
    __syncthreads();

    const int first_row = warp * rows_of_warp;
    const int rows = static_cast<int>(min(j_axis.count - first_j, Index{tile})) - first_row;
    const int columns = static_cast<int>(min(k_axis.count - first_k, Index{tile})) - lane;
    const T* const field = sweeps.divided + (first_j + first_row) * sweeps.divided_j + first_k + lane;
    Rows<T> next;
    const auto read = [&](Index i, int row) {
        if (i < sweeps.middle.points)
            next.read(field + i * sweeps.divided_i + row * sweeps.divided_j, sweeps.divided_j, rows - row, columns);
    };
    read(blockIdx.z, 0);
    for (Index i = blockIdx.z; i < sweeps.middle.points; i += gridDim.z) {
        T down[2][each] = {};
#pragma unroll 1
        for (int row = 0; row < rows_of_warp; row += rows_at_once) {
            const Rows<T> value = next;
            const bool last = row + rows_at_once == rows_of_warp;
            read(last ? i + gridDim.z : i, last ? 0 : row + rows_at_once);
            T along[2 * rows_at_once] = {};
#pragma unroll
            for (int r = 0; r < rows_at_once; ++r) {
                const Weight<T> of_row = weight_of_row[first_row + row + r];
#pragma unroll
                for (int c = 0; c < each; ++c)
#pragma unroll
                    for (int part = 0; part < 2; ++part) {
                        along[2 * r + part] += weight[c].of[part] * value.of[r][c];
                        down[part][c] += of_row.of[part] * value.of[r][c];
                    }
            }
            if (k_axis.faces == 0) continue;
            sum_over_lanes<rows_at_once>(along, lane);
#pragma unroll
            for (int distance = 2 * rows_at_once; distance < lanes; distance *= 2)
                along[0] += __shfl_xor_sync(0xffffffffu, along[0], distance);
            const int part = lane % 2;
            if (lane < 2 * rows_at_once && part < k_axis.faces && row + lane / 2 < rows)
                k_axis.partial[sweeps.partial_at(1, blockIdx.x, part, i) + first_j + first_row + row + lane / 2] =
                    along[0];
        }
        if (j_axis.faces == 0) continue;
#pragma unroll
        for (int c = 0; c < each; ++c)
#pragma unroll
            for (int part = 0; part < 2; ++part) down_warps[part][warp][lane + c * lanes] = down[part][c];
        __syncthreads();
        const int part = thread / tile, column = thread % tile;
        if (part < j_axis.faces && first_k + column < k_axis.count) {
            T sum = 0;
#pragma unroll
            for (int w = 0; w < warps; ++w) sum += down_warps[part][w][column];
            j_axis.partial[sweeps.partial_at(0, blockIdx.y, part, i) + first_k + column] = sum;
        }
        __syncthreads();
    }
}

}  // namespace

template <class T>
void launch_sum(const ModeSweeps<T>& sweeps, Stream stream) {
    const Index across = sweeps.modes[1].tiles() * sweeps.modes[0].tiles();
    const Index together = std::max<Index>(rounds * blocks_together * cuda::multiprocessors() / across, 1);
    const Index planes = cuda::divide_up(sweeps.middle.points, together);  // of a block
    const dim3 grid(cuda::blocks(sweeps.modes[1].tiles()), cuda::blocks(sweeps.modes[0].tiles()),
                    static_cast<unsigned>(cuda::divide_up(sweeps.middle.points, planes)));
    sum_kernel<<<grid, threads, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of sums over modes");
}

template void launch_sum(const ModeSweeps<float>&, Stream);
template void launch_sum(const ModeSweeps<double>&, Stream);

}  // namespace poisson3d::walled
