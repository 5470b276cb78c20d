// Sweeps over whole fields in their own order: the typical value, values at walls.
#include "field_sweeps.hpp"
#include "line_grid.cuh"

namespace poisson3d::device {

namespace {

template <class T>
__global__ void __launch_bounds__(max_threads)
    held_kernel(T* out, Index stride_x, Index stride_y, const Extents begin, const Extents extents, LineGrid grid,
                const BoundaryTerms<T> terms, Index next) {
    const Index field = blockIdx.y;
    out += field * next;
    for_each_element(extents, grid, [&](Index i, Index j, Index k) {
        i += begin[0];
        j += begin[1];
        out[i * stride_x + j * stride_y + k] = terms.held(i, j, k, field);
    });
}

/// typical_value(), a warp a group: its lanes are those of the stretches.
template <class T>
__global__ void typical_value_kernel(const T* f, Strides strides, Extents extents, T* value, Index f_next,
                                     Index value_next) {
    constexpr int groups = Samples::groups, length = Samples::max_length;
    __shared__ T base, lanes[groups][length], sums[groups];
    f += blockIdx.x * f_next;
    const Samples samples(strides, extents);
    if (threadIdx.x == 0) base = base_of_samples(f, samples);
    __syncthreads();
    const int group = static_cast<int>(threadIdx.x) / length;
    const int lane = static_cast<int>(threadIdx.x) % length;
    const T weight = samples.weight<T>();
    T sum = 0;
    if (lane < samples.length()) {
#pragma unroll 8
        for (Index s = 0; s < samples.stretches(); ++s) sum += weight * (f[samples.first(group, s) + lane] - base);
    }
    lanes[group][lane] = sum;
    __syncthreads();
    if (lane == 0) {
        sum = 0;
        for (int l = 0; l < length; ++l) sum += lanes[group][l];
        sums[group] = sum;
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    const Constant<T> found = constant_of_samples(sums, base, samples);
    value[blockIdx.x * value_next] = found.high;
    value[blockIdx.x * value_next + 1] = found.low;
}

}  // namespace

template <class T>
void launch_held(const FieldView<T>& u, const Extents& begin, const Extents& end, const BoundaryTerms<T>& terms,
                 Index fields, Index next, Stream stream) {
    const Extents extents{end[0] - begin[0], end[1] - begin[1], end[2]};
    const LineGrid grid = field_grid(extents);
    const dim3 blocks(grid.blocks(), static_cast<unsigned>(fields));
    held_kernel<T><<<blocks, grid.threads(), 0, queue(stream)>>>(u.data, u.strides[0], u.strides[1], begin, extents,
                                                                 grid, terms, next);
    check(cudaGetLastError(), "launch of the values at a wall");
}

template <class T>
void launch_typical_value(const T* f, const Strides& strides, const Extents& extents, Constant<T>* value,
                          Index fields, Index f_next, Index value_next, Stream stream) {
    static_assert(sizeof(Constant<T>) == 2 * sizeof(T));
    typical_value_kernel<<<cuda::blocks(fields), Samples::groups * Samples::max_length, 0, queue(stream)>>>(
        f, strides, extents, &value->high, f_next, value_next);
    check(cudaGetLastError(), "launch of a typical value");
}

template void launch_held(const FieldView<float>&, const Extents&, const Extents&, const BoundaryTerms<float>&,
                          Index, Index, Stream);
template void launch_held(const FieldView<double>&, const Extents&, const Extents&, const BoundaryTerms<double>&,
                          Index, Index, Stream);
template void launch_typical_value(const float*, const Strides&, const Extents&, Constant<float>*, Index, Index,
                                   Index, Stream);
template void launch_typical_value(const double*, const Strides&, const Extents&, Constant<double>*, Index, Index,
                                   Index, Stream);

}  // namespace poisson3d::device
