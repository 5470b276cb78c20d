// The kernels of mixed precision. Sums go by parts of whole rows, one block each, and within a block by a tree:
// the same order every time.
#include "line_grid.cuh"
#include "refine.hpp"

namespace poisson3d::device {

namespace {

constexpr int team = max_threads;

/// Calls body(i, j, k) for this thread's points of a part: threads side by side along rows.
template <class Body>
__device__ __forceinline__ void for_each_point_of_part(const Extents& points, Index part, const Body& body) {
    const auto [first, end] = rows_of_part(points, part);
    for (Index n = threadIdx.x; n < (end - first) * points[2]; n += team) {
        const auto [row, k] = cuda::divide(n, points[2]);
        const auto [i, j] = cuda::divide(first + row, points[1]);
        body(i, j, k);
    }
}

__device__ __forceinline__ bool unknown(const Refinement& r, Index i, Index j, Index k) {
    return r.op.axis[0].unknown(i) && r.op.axis[1].unknown(j) && r.op.axis[2].unknown(k);
}
__device__ __forceinline__ double weight(const Refinement& r, Index i, Index j, Index k) {
    return weight_along(r, 0, i) * weight_along(r, 1, j) * weight_along(r, 2, k);
}

/// What all threads of a block have, in thread 0.
__device__ Partial sum_of_block(const Partial& mine) {
    __shared__ double largest[team];
    __shared__ double sum[team];
    const int t = static_cast<int>(threadIdx.x);
    largest[t] = mine.largest;
    sum[t] = mine.sum;
    for (int half = team / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t >= half) continue;
        largest[t] = fmax(largest[t], largest[t + half]);
        sum[t] += sum[t + half];
    }
    return {largest[t], sum[t]};
}

__device__ Partial sum_of_parts(const Partial* partials, Index count) {
    Partial mine;
    for (Index part = threadIdx.x; part < count; part += team) {
        mine.largest = fmax(mine.largest, partials[part].largest);
        mine.sum += partials[part].sum;
    }
    return sum_of_block(mine);
}

/// partials[part] := the largest magnitude and the weighted sum of value(i, j, k) at its unknowns.
template <class Value>
__device__ __forceinline__ void sum_up(const Refinement& r, Partial* partials, const Value& value) {
    Partial mine;
    for_each_point_of_part(r.points, blockIdx.x, [&](Index i, Index j, Index k) {
        if (!unknown(r, i, j, k)) return;
        const double x = value(i, j, k);
        mine.largest = fmax(mine.largest, fabs(x));
        mine.sum += weight(r, i, j, k) * x;
    });
    const Partial all = sum_of_block(mine);
    if (threadIdx.x == 0) partials[blockIdx.x] = all;
}

__device__ __forceinline__ double rhs_at(const Refinement& r, Index i, Index j, Index k) {
    return right_hand_side(r, r.f[i * r.f_x + j * r.f_y + k], i, j, k);
}
__device__ __forceinline__ float& single_at(const Refinement& r, Index i, Index j, Index k) {
    return r.single[(i * r.points[1] + j) * r.points[2] + k];
}

__global__ void __launch_bounds__(team) measure_kernel(const Refinement r, Partial* partials) {
    sum_up(r, partials, [&](Index i, Index j, Index k) { return rhs_at(r, i, j, k); });
}

__global__ void __launch_bounds__(team) sum_kernel(const Refinement r, Partial* partials) {
    sum_up(r, partials, [&](Index i, Index j, Index k) { return static_cast<double>(single_at(r, i, j, k)); });
}

__global__ void __launch_bounds__(team)
    measured_kernel(const Refinement r, const Partial* partials, Scalars* scalars) {
    const Partial all = sum_of_parts(partials, parts(r.points));
    if (threadIdx.x == 0) *scalars = measured(r, all);
}

__global__ void __launch_bounds__(team)
    excess_kernel(const Refinement r, const Partial* partials, Scalars* scalars) {
    const Partial all = sum_of_parts(partials, parts(r.points));
    if (threadIdx.x == 0) scalars->excess = all.sum / r.total;
}

template <bool first>
__global__ void __launch_bounds__(max_threads)
    residual_kernel(const Refinement r, const Scalars* scalars, LineGrid grid) {
    const Scalars s = *scalars;
    for_each_element(r.points, grid, [&](Index i, Index j, Index k) {
        if (!unknown(r, i, j, k)) return;
        double operated = 0.0;
        if constexpr (!first) operated = r.op.at(r.op.row<double>(r.u, r.u_x, r.u_y, i, j), k);
        single_at(r, i, j, k) = residual_of(r, s, first, rhs_at(r, i, j, k), operated);
    });
}

template <bool first>
__global__ void __launch_bounds__(max_threads)
    correct_kernel(const Refinement r, const Scalars* scalars, LineGrid grid) {
    const Scalars s = *scalars;
    for_each_element(r.points, grid, [&](Index i, Index j, Index k) {
        double& u = r.u[i * r.u_x + j * r.u_y + k];
        if (unknown(r, i, j, k))
            u = corrected(s, first, first ? 0.0 : u, single_at(r, i, j, k));
        else if (first)
            u = r.terms.held(i, j, k);
    });
}

unsigned blocks_of_parts(const Refinement& r) {
    return cuda::blocks(parts(r.points));
}

}  // namespace

void launch_measure(const Refinement& r, Partial* partials, Stream stream) {
    measure_kernel<<<blocks_of_parts(r), team, 0, queue(stream)>>>(r, partials);
    check(cudaGetLastError(), "launch of the size of a right-hand side");
}

void launch_measured(const Refinement& r, const Partial* partials, Scalars* scalars, Stream stream) {
    measured_kernel<<<1, team, 0, queue(stream)>>>(r, partials, scalars);
    check(cudaGetLastError(), "launch of the size of a right-hand side");
}

void launch_sum(const Refinement& r, Partial* partials, Stream stream) {
    sum_kernel<<<blocks_of_parts(r), team, 0, queue(stream)>>>(r, partials);
    check(cudaGetLastError(), "launch of the mean of a correction");
}

void launch_excess(const Refinement& r, const Partial* partials, Scalars* scalars, Stream stream) {
    excess_kernel<<<1, team, 0, queue(stream)>>>(r, partials, scalars);
    check(cudaGetLastError(), "launch of the mean of a correction");
}

void launch_residual(const Refinement& r, const Scalars* scalars, bool first, Stream stream) {
    const LineGrid grid = field_grid(r.points);
    auto* const kernel = first ? &residual_kernel<true> : &residual_kernel<false>;
    kernel<<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(r, scalars, grid);
    check(cudaGetLastError(), "launch of a residual");
}

void launch_correct(const Refinement& r, const Scalars* scalars, bool first, Stream stream) {
    const LineGrid grid = field_grid(r.points);
    auto* const kernel = first ? &correct_kernel<true> : &correct_kernel<false>;
    kernel<<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(r, scalars, grid);
    check(cudaGetLastError(), "launch of a correction");
}

}  // namespace poisson3d::device
