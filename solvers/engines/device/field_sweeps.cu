// Sweeps over whole fields in their own order: the typical value, values at walls.
#include "field_sweeps.hpp"
#include "line_grid.cuh"

namespace poisson3d::device {

namespace {

template <class T>
__global__ void __launch_bounds__(max_threads) face_kernel(T* out, Index stride_x, Index stride_y, Extents extents,
                                                           LineGrid grid, FaceValues<T> face, Index next) {
    const Index field = blockIdx.y;
    // One of i and j is always 0.
    for_each_element(extents, grid, [&](Index i, Index j, Index k) {
        out[field * next + i * stride_x + j * stride_y + k] = value_at(face, i + j, k, field);
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
void launch_face(T* out, Index stride_x, Index stride_y, const Extents& extents, const FaceValues<T>& face,
                 Index fields, Index next, Stream stream) {
    const LineGrid grid = field_grid(extents);
    const dim3 blocks(grid.blocks(), static_cast<unsigned>(fields));
    face_kernel<T>
        <<<blocks, grid.threads(), 0, queue(stream)>>>(out, stride_x, stride_y, extents, grid, face, next);
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

template void launch_face(float*, Index, Index, const Extents&, const FaceValues<float>&, Index, Index, Stream);
template void launch_face(double*, Index, Index, const Extents&, const FaceValues<double>&, Index, Index, Stream);
template void launch_typical_value(const float*, const Strides&, const Extents&, Constant<float>*, Index, Index,
                                   Index, Stream);
template void launch_typical_value(const double*, const Strides&, const Extents&, Constant<double>*, Index, Index,
                                   Index, Stream);

}  // namespace poisson3d::device
