// The kernels of box_sweeps.hpp. A block has a tile of i, walks through it, and has 32 rows of j and 64 columns of
// k; a warp has 4 of these rows, a lane 2 numbers of each. Sums over i stay in registers. Those over k are numbers
// of each lane for two parts and 4 rows: halves are exchanged until each lane has the sum of one of them. Those
// over j meet in shared memory.
#include <algorithm>

#include "box_sweeps.hpp"
#include "cuda/check.hpp"
#include "cuda/launch.hpp"
#include "lane_sums.cuh"

namespace poisson3d::walled {

namespace {

constexpr int lanes = 32, warps = 8, threads = lanes * warps;
constexpr int rows = static_cast<int>(rows_of_tile) / warps, each = static_cast<int>(columns_of_tile) / lanes;
constexpr int numbers = 2 * rows;
constexpr int most = 65535;  ///< of a launch's second and third dimension

/// What a thread has of a tile of j and of columns of k.
template <class T>
struct Part {
    int lane, warp;
    int j[rows], k[each];
    bool row_there[rows], column_there[each];
    T lambda_j[rows], lambda_k[each];

    __device__ __forceinline__ Part(const BoxSweeps<T>& sweeps, const typename BoxAxis<T>::Tile& tile)
        : lane(static_cast<int>(threadIdx.x) % lanes), warp(static_cast<int>(threadIdx.x) / lanes) {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const Index place = tile.first + warp * rows + r;
            row_there[r] = place < tile.last;
            j[r] = sweeps.axes[1].order[row_there[r] ? place : tile.first];
            lambda_j[r] = sweeps.axes[1].eigenvalues[j[r]];
        }
#pragma unroll
        for (int c = 0; c < each; ++c) {
            const Index column = Index{blockIdx.x} * columns_of_tile + lane + c * lanes;
            column_there[c] = column < sweeps.axes[2].count;
            k[c] = column_there[c] ? static_cast<int>(column) : 0;
            lambda_k[c] = sweeps.axes[2].eigenvalues[k[c]];
        }
    }
};

template <class T>
__global__ void __launch_bounds__(threads, 2) sum_kernel(const __grid_constant__ BoxSweeps<T> sweeps) {
    __shared__ T columns[2][warps][columns_of_tile];
    const BoxAxis<T>&i_axis = sweeps.axes[0], &j_axis = sweeps.axes[1], &k_axis = sweeps.axes[2];
    const auto tile_of_j = j_axis.tile_at(blockIdx.y);
    const Part<T> mine(sweeps, tile_of_j);
    const T* row[rows];
    T number_j[rows], weight[2][each];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        row[r] = sweeps.field + mine.j[r] * sweeps.row;
        number_j[r] = mine.row_there[r] && j_axis.faces > 0 ? j_axis.sums[mine.j[r]] : T(0);
    }
#pragma unroll
    for (int c = 0; c < each; ++c) {
        const T number = mine.column_there[c] && k_axis.faces > 0 ? k_axis.sums[mine.k[c]] : T(0);
        const bool odd = k_axis.part(mine.k[c]) == 1;
        weight[0][c] = odd ? T(0) : number, weight[1][c] = odd ? number : T(0);
    }
    for (Index tile = blockIdx.z; tile < i_axis.tiles(); tile += gridDim.z) {
        const auto tile_of_i = i_axis.tile_at(tile);
        T up[rows][each] = {};
        int buffer = 0;
#pragma unroll 1
        for (Index place = tile_of_i.first; place < tile_of_i.last; ++place) {
            const Index i = i_axis.order[place];
            const T number_i = i_axis.faces > 0 ? i_axis.sums[i] : T(0);
            const T base = sweeps.shift + i_axis.eigenvalues[i];
            T value[rows][each], along[numbers] = {}, down[each] = {};
#pragma unroll
            for (int r = 0; r < rows; ++r)
#pragma unroll
                for (int c = 0; c < each; ++c)
                    value[r][c] =
                        mine.column_there[c] ? lines::load_field(row[r] + i * sweeps.slow + mine.k[c]) : T(0);
#pragma unroll
            for (int r = 0; r < rows; ++r)
#pragma unroll
                for (int c = 0; c < each; ++c) {
                    const T u = sweeps.divided(value[r][c], (base + mine.lambda_j[r]) + mine.lambda_k[c]);
                    up[r][c] += number_i * u;
                    down[c] += number_j[r] * u;
                    along[2 * r] += weight[0][c] * u;
                    along[2 * r + 1] += weight[1][c] * u;
                }
            if (k_axis.faces > 0) {
                sum_over_lanes<rows>(along, mine.lane);
#pragma unroll
                for (int width = numbers; width < lanes; width *= 2)
                    along[0] += __shfl_xor_sync(0xffffffffu, along[0], width);
                const int part = mine.lane % 2;
                const Index at = tile_of_j.first + mine.warp * rows + mine.lane / 2;
                if (mine.lane < numbers && part < k_axis.faces && at < tile_of_j.last)
                    sweeps.partial_of(2, blockIdx.x * k_axis.faces + part)[i * j_axis.count + j_axis.order[at]] =
                        along[0];
            }
            if (j_axis.faces > 0) {
#pragma unroll
                for (int c = 0; c < each; ++c) columns[buffer][mine.warp][mine.lane + c * lanes] = down[c];
                __syncthreads();  // one for two buffers: what is read now was written before it
                const int column = static_cast<int>(threadIdx.x);
                const Index k = Index{blockIdx.x} * columns_of_tile + column;
                if (column < columns_of_tile && k < k_axis.count) {
                    T sum = 0;
#pragma unroll
                    for (int w = 0; w < warps; ++w) sum += columns[buffer][w][column];
                    sweeps.partial_of(1, blockIdx.y)[i * k_axis.count + k] = sum;
                }
                buffer = 1 - buffer;
            }
        }
        __syncthreads();
        if (i_axis.faces == 0) continue;
        T* const to = sweeps.partial_of(0, tile);
#pragma unroll
        for (int r = 0; r < rows; ++r)
#pragma unroll
            for (int c = 0; c < each; ++c)
                if (mine.row_there[r] && mine.column_there[c]) to[mine.j[r] * k_axis.count + mine.k[c]] = up[r][c];
    }
}

template <class T>
__global__ void __launch_bounds__(threads, 2) divide_kernel(const __grid_constant__ BoxSweeps<T> sweeps) {
    const BoxAxis<T>&i_axis = sweeps.axes[0], &j_axis = sweeps.axes[1], &k_axis = sweeps.axes[2];
    const auto tile_of_j = j_axis.tile_at(blockIdx.y);
    const Part<T> mine(sweeps, tile_of_j);
    const T inverse = 1 / sweeps.restore;
    T* row[rows];
    const T* of_k_at[each];
    int place_j[rows], place_k[each];
    T term_j[rows], term_k[each];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        row[r] = sweeps.field + mine.j[r] * sweeps.row;
        place_j[r] = j_axis.place[mine.j[r]];
        term_j[r] = j_axis.faces > 0 ? inverse * j_axis.terms[mine.j[r]] : T(0);
    }
#pragma unroll
    for (int c = 0; c < each; ++c) {
        place_k[c] = k_axis.place[mine.k[c]];
        of_k_at[c] = sweeps.given(2, k_axis.part(mine.k[c]), 0);
        term_k[c] = k_axis.faces > 0 ? inverse * k_axis.terms[mine.k[c]] : T(0);
    }
    for (Index tile = blockIdx.z; tile < i_axis.tiles(); tile += gridDim.z) {
        const auto tile_of_i = i_axis.tile_at(tile);
        T of_i[rows][each] = {};
        if (i_axis.faces > 0)
#pragma unroll
            for (int r = 0; r < rows; ++r)
#pragma unroll
                for (int c = 0; c < each; ++c) of_i[r][c] = sweeps.given(0, tile_of_i.part, place_j[r])[place_k[c]];
#pragma unroll 1
        for (Index place = tile_of_i.first; place < tile_of_i.last; ++place) {
            const Index i = i_axis.order[place], place_i = i_axis.place[i];
            const T base = sweeps.shift + i_axis.eigenvalues[i];
            const T term_i = i_axis.faces > 0 ? inverse * i_axis.terms[i] : T(0);
            T value[rows][each], of_j[each] = {};
#pragma unroll
            for (int r = 0; r < rows; ++r)
#pragma unroll
                for (int c = 0; c < each; ++c)
                    value[r][c] = lines::load_field(row[r] + i * sweeps.slow + mine.k[c]);
            if (j_axis.faces > 0)
#pragma unroll
                for (int c = 0; c < each; ++c)
                    of_j[c] = lines::load_table(sweeps.given(1, tile_of_j.part, place_i) + place_k[c]);
#pragma unroll
            for (int r = 0; r < rows; ++r)
#pragma unroll
                for (int c = 0; c < each; ++c) {
                    T given = term_i * of_i[r][c] + term_j[r] * of_j[c];
                    if (k_axis.faces > 0)
                        given +=
                            term_k[c] * lines::load_table(of_k_at[c] + place_i * sweeps.parts[2].row + place_j[r]);
                    const T sum = value[r][c] + given;
                    const T u = sweeps.divided(sum, (base + mine.lambda_j[r]) + mine.lambda_k[c]);
                    if (mine.row_there[r] && mine.column_there[c]) row[r][i * sweeps.slow + mine.k[c]] = u;
                }
        }
    }
}

template <class T>
__global__ void gather_kernel(const __grid_constant__ BoxSweeps<T> sweeps) {
    const int job = static_cast<int>(blockIdx.z);
    if (!sweeps.has(job)) return;
    const Index e = Index{blockIdx.x} * threads + threadIdx.x;
    if (e >= sweeps.axes[sweeps.second_of(job / 2)].count) return;
    for (Index d = blockIdx.y; d < sweeps.axes[sweeps.first_of(job / 2)].count; d += gridDim.y)
        sweeps.gather(job, d, e);
}

template <class T>
dim3 tiles_of(const BoxSweeps<T>& sweeps) {
    return {cuda::blocks(sweeps.tiles_of_k()), cuda::blocks(sweeps.axes[1].tiles()),
            static_cast<unsigned>(std::min<Index>(sweeps.axes[0].tiles(), most))};
}

}  // namespace

template <class T>
void launch_box_sum(const BoxSweeps<T>& sweeps, Stream stream) {
    sum_kernel<<<tiles_of(sweeps), threads, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of sums over modes");
}

template <class T>
void launch_box_gather(const BoxSweeps<T>& sweeps, Stream stream) {
    Index d = 1, e = 1;
    for (int job = 0; job < sweeps.jobs; ++job) {
        d = std::max(d, sweeps.axes[sweeps.first_of(job / 2)].count);
        e = std::max(e, sweeps.axes[sweeps.second_of(job / 2)].count);
    }
    const dim3 grid(cuda::blocks(cuda::divide_up(e, Index{threads})),
                    static_cast<unsigned>(std::min<Index>(d, most)), BoxSweeps<T>::jobs);
    gather_kernel<<<grid, threads, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of sums that faces are given");
}

template <class T>
void launch_box_divide(const BoxSweeps<T>& sweeps, Stream stream) {
    divide_kernel<<<tiles_of(sweeps), threads, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of division by eigenvalues");
}

template void launch_box_sum(const BoxSweeps<float>&, Stream);
template void launch_box_sum(const BoxSweeps<double>&, Stream);
template void launch_box_gather(const BoxSweeps<float>&, Stream);
template void launch_box_gather(const BoxSweeps<double>&, Stream);
template void launch_box_divide(const BoxSweeps<float>&, Stream);
template void launch_box_divide(const BoxSweeps<double>&, Stream);

}  // namespace poisson3d::walled
