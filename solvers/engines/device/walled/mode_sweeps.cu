// The kernels of mode_sweeps.hpp but sums (mode_sums.cu).
//
// add: a thread has one i, four k and 32 j, so that what the faces of j give is read once. add_planes: one k.
#include <algorithm>
#include <utility>

#include "cuda/check.hpp"
#include "cuda/launch.hpp"
#include "mode_sweeps.hpp"

namespace poisson3d::walled {

namespace {

constexpr int most = 65535;  ///< of a launch's second and third dimension
constexpr int rows_of_add = 32, columns_of_add = 4, threads_of_add = 128;

template <class T>
__global__ void __launch_bounds__(threads_of_add) add_kernel(const __grid_constant__ ModeSweeps<T> sweeps) {
    const SweptModes<T>&j_axis = sweeps.modes[0], &k_axis = sweeps.modes[1];
    const Index i = Index{blockIdx.x} * threads_of_add + threadIdx.x;
    if (i >= sweeps.middle.points) return;
    const bool ends = (sweeps.end[0] && i == 0) || (sweeps.end[1] && i == sweeps.middle.points - 1);
    const Index first_j = Index{blockIdx.z} * rows_of_add;
    const Index last_j = min(first_j + rows_of_add, j_axis.count);
    for (Index first_k = Index{blockIdx.y} * columns_of_add; first_k < k_axis.count;
         first_k += Index{gridDim.y} * columns_of_add) {
        T of_j[2][columns_of_add] = {}, term_k[columns_of_add] = {};
        bool odd_k[columns_of_add], there[columns_of_add];
#pragma unroll
        for (int c = 0; c < columns_of_add; ++c) {
            const Index k = first_k + c;
            there[c] = k < k_axis.count;
            odd_k[c] = there[c] && k_axis.part(k) == 1;
            if (!there[c]) continue;
            if (k_axis.faces > 0) term_k[c] = k_axis.terms[k];
#pragma unroll
            for (int part = 0; part < 2; ++part)
                if (part < j_axis.faces) of_j[part][c] = sweeps.spread_value(0, part, k, i);
        }
#pragma unroll 2
        for (Index j = first_j; j < last_j; ++j) {
            T* const at = sweeps.field + j * sweeps.field_j + first_k * sweeps.field_k + i;
            const T term_j = j_axis.faces > 0 ? j_axis.terms[j] : T(0);
            const bool odd_j = j_axis.part(j) == 1;
            const T even_of_k = k_axis.faces > 0 ? sweeps.spread_value(1, 0, j, i) : T(0);
            const T odd_of_k = k_axis.faces > 1 ? sweeps.spread_value(1, 1, j, i) : T(0);
            T value[columns_of_add];
#pragma unroll
            for (int c = 0; c < columns_of_add; ++c) value[c] = there[c] ? at[c * sweeps.field_k] : T(0);
#pragma unroll
            for (int c = 0; c < columns_of_add; ++c) {
                value[c] +=
                    term_j * (odd_j ? of_j[1][c] : of_j[0][c]) + term_k[c] * (odd_k[c] ? odd_of_k : even_of_k);
                if (ends && there[c]) value[c] += sweeps.at_ends(i, j, first_k + c);
            }
#pragma unroll
            for (int c = 0; c < columns_of_add; ++c)
                if (there[c]) at[c * sweeps.field_k] = value[c];
        }
    }
}

/// A thread has one k of a plane i and `rows_of_add` j.
template <class T>
__global__ void __launch_bounds__(threads_of_add) add_planes_kernel(const __grid_constant__ ModeSweeps<T> sweeps) {
    const SweptModes<T>&j_axis = sweeps.modes[0], &k_axis = sweeps.modes[1];
    const Index k = Index{blockIdx.x} * threads_of_add + threadIdx.x;
    if (k >= k_axis.count) return;
    const T term_k = k_axis.faces > 0 ? k_axis.terms[k] : T(0);
    const int part_k = k_axis.part(k);
    const Index first_j = Index{blockIdx.y} * rows_of_add;
    const Index last_j = min(first_j + rows_of_add, j_axis.count);
    for (Index i = sweeps.first_i + blockIdx.z; i < sweeps.last_i; i += gridDim.z) {
        const bool ends = (sweeps.end[0] && i == 0) || (sweeps.end[1] && i == sweeps.middle.points - 1);
        T of_j[2] = {};
#pragma unroll
        for (int part = 0; part < 2; ++part)
            if (part < j_axis.faces) of_j[part] = sweeps.plane_value(0, part, k, i);
        T* const at = sweeps.field + i * sweeps.field_i + k;
#pragma unroll 4
        for (Index j = first_j; j < last_j; ++j) {
            T value = at[j * sweeps.field_j];
            if (j_axis.faces > 0) value += j_axis.terms[j] * (j_axis.part(j) == 1 ? of_j[1] : of_j[0]);
            if (k_axis.faces > 0) value += term_k * sweeps.plane_value(1, part_k, j, i);
            if (ends) value += sweeps.at_ends(i, j, k);
            at[j * sweeps.field_j] = value;
        }
    }
}

template <class T>
__global__ void collect_kernel(const __grid_constant__ ModeSweeps<T> sweeps,
                               const __grid_constant__ ModeSweeps<T> to) {
    const int job = static_cast<int>(blockIdx.z);
    if (!sweeps.has(job)) return;
    const Index column = Index{blockIdx.x} * threads_of_add + threadIdx.x;
    if (column >= sweeps.gathered_columns(job)) return;
    for (Index row = blockIdx.y; row < sweeps.collected_rows(job); row += gridDim.y)
        sweeps.collect(to, job, row, column);
}

template <class T>
__global__ void gather_kernel(const __grid_constant__ ModeSweeps<T> sweeps) {
    const int job = static_cast<int>(blockIdx.z);
    if (!sweeps.has(job)) return;
    const Index column = Index{blockIdx.x} * threads_of_add + threadIdx.x;
    if (column >= sweeps.gathered_columns(job)) return;
    for (Index row = blockIdx.y; row < sweeps.gathered_rows(job); row += gridDim.y) sweeps.gather(job, row, column);
}

constexpr int side = 32, rows_of_spread = 8;  ///< of a block's tile; it has so many rows of threads

/// Where parts lie the other way round, a tile is turned in shared memory, so that both are read and written in
/// lines.
template <class T>
__global__ void __launch_bounds__(side* rows_of_spread)
    spread_kernel(const __grid_constant__ ModeSweeps<T> sweeps) {
    __shared__ T tile[side][side + 1];
    const int job = static_cast<int>(blockIdx.z);
    if (!sweeps.has(job)) return;
    const Index rows = sweeps.spread_rows(job), columns = sweeps.spread_columns(job);
    const bool turned = sweeps.spreads_columns(job);
    const int lane = static_cast<int>(threadIdx.x);
    const Index first_column = Index{blockIdx.x} * side;
    for (Index first_row = Index{blockIdx.y} * side; first_row < rows; first_row += Index{gridDim.y} * side) {
        if (turned) {
#pragma unroll
            for (int r = static_cast<int>(threadIdx.y); r < side; r += rows_of_spread)
                if (first_row + lane < rows && first_column + r < columns)
                    tile[lane][r] = sweeps.number_to_spread(job, first_row + lane, first_column + r);
            __syncthreads();
        }
#pragma unroll
        for (int r = static_cast<int>(threadIdx.y); r < side; r += rows_of_spread) {
            const Index row = first_row + r, column = first_column + lane;
            if (row < rows && column < columns)
                sweeps.spread_to(job, row, column) =
                    turned ? tile[r][lane] : sweeps.number_to_spread(job, row, column);
        }
        if (turned) __syncthreads();
    }
}

/// The most rows and columns that one of the jobs there are has.
template <class T, class Rows, class Columns>
std::pair<Index, Index> largest_job(const ModeSweeps<T>& sweeps, const Rows& rows, const Columns& columns) {
    std::pair<Index, Index> most_of{1, 1};
    for (int job = 0; job < ModeSweeps<T>::jobs; ++job)
        if (sweeps.has(job)) most_of = {std::max(most_of.first, rows(job)), std::max(most_of.second, columns(job))};
    return most_of;
}

}  // namespace

template <class T>
void launch_gather(const ModeSweeps<T>& sweeps, Stream stream) {
    const auto [rows, columns] = largest_job(
        sweeps, [&](int job) { return sweeps.gathered_rows(job); },
        [&](int job) { return sweeps.gathered_columns(job); });
    const dim3 grid(cuda::blocks(cuda::divide_up(columns, Index{threads_of_add})),
                    static_cast<unsigned>(std::min<Index>(rows, most)), ModeSweeps<T>::jobs);
    gather_kernel<<<grid, threads_of_add, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of faces from modes to parts");
}

template <class T>
void launch_spread(const ModeSweeps<T>& sweeps, Stream stream) {
    const auto [rows, columns] = largest_job(
        sweeps, [&](int job) { return sweeps.spread_rows(job); },
        [&](int job) { return sweeps.spread_columns(job); });
    const dim3 grid(cuda::blocks(cuda::divide_up(columns, Index{side})),
                    static_cast<unsigned>(std::min<Index>(cuda::divide_up(rows, Index{side}), most)),
                    ModeSweeps<T>::jobs);
    spread_kernel<<<grid, dim3(side, rows_of_spread), 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of faces from parts to modes");
}

template <class T>
void launch_add(const ModeSweeps<T>& sweeps, Stream stream) {
    const Index quads = cuda::divide_up(sweeps.modes[1].count, Index{columns_of_add});
    const dim3 grid(cuda::blocks(cuda::divide_up(sweeps.middle.points, Index{threads_of_add})),
                    static_cast<unsigned>(std::min<Index>(quads, most)),
                    cuda::blocks(cuda::divide_up(sweeps.modes[0].count, Index{rows_of_add})));
    add_kernel<<<grid, threads_of_add, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of what faces add to modes");
}

template <class T>
void launch_add_planes(const ModeSweeps<T>& sweeps, Stream stream) {
    const dim3 grid(cuda::blocks(cuda::divide_up(sweeps.modes[1].count, Index{threads_of_add})),
                    cuda::blocks(cuda::divide_up(sweeps.modes[0].count, Index{rows_of_add})),
                    static_cast<unsigned>(std::min<Index>(sweeps.last_i - sweeps.first_i, most)));
    add_planes_kernel<<<grid, threads_of_add, 0, cuda::queue(stream)>>>(sweeps);
    cuda::check(cudaGetLastError(), "launch of what faces add to modes of planes");
}

template <class T>
void launch_collect(const ModeSweeps<T>& sweeps, const ModeSweeps<T>& to, Stream stream) {
    const auto [rows, columns] = largest_job(
        sweeps, [&](int job) { return sweeps.collected_rows(job); },
        [&](int job) { return sweeps.gathered_columns(job); });
    const dim3 grid(cuda::blocks(cuda::divide_up(columns, Index{threads_of_add})),
                    static_cast<unsigned>(std::min<Index>(rows, most)), ModeSweeps<T>::jobs);
    collect_kernel<<<grid, threads_of_add, 0, cuda::queue(stream)>>>(sweeps, to);
    cuda::check(cudaGetLastError(), "launch of sums of a slab to those of all");
}

template void launch_gather(const ModeSweeps<float>&, Stream);
template void launch_gather(const ModeSweeps<double>&, Stream);
template void launch_spread(const ModeSweeps<float>&, Stream);
template void launch_spread(const ModeSweeps<double>&, Stream);
template void launch_add(const ModeSweeps<float>&, Stream);
template void launch_add(const ModeSweeps<double>&, Stream);
template void launch_collect(const ModeSweeps<float>&, const ModeSweeps<float>&, Stream);
template void launch_collect(const ModeSweeps<double>&, const ModeSweeps<double>&, Stream);
template void launch_add_planes(const ModeSweeps<float>&, Stream);
template void launch_add_planes(const ModeSweeps<double>&, Stream);

}  // namespace poisson3d::walled
