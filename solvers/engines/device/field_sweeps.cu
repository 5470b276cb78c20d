// Sweeps over whole fields in their own order: the typical value, the right-hand side, values at walls.
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
        k += begin[2];
        out[i * stride_x + j * stride_y + k] = terms.held(i, j, k, field);
    });
}

template <class T>
__global__ void __launch_bounds__(max_threads)
    right_hand_side_kernel(const __grid_constant__ RightHandSide<T> task, LineGrid grid) {
    T* const out = task.out.data + blockIdx.y * task.out_next;
    T value[each_rows];  // all are read before any is written: no load waits for a store
    int row = 0;
    for_each_element(task.out.extents, grid,
                     [&](Index i, Index j, Index k) { value[row++] = task.at(i, j, k, blockIdx.y); });
    row = 0;
    for_each_element(task.out.extents, grid, [&](Index i, Index j, Index k) {
        out[i * task.out.strides[0] + j * task.out.strides[1] + k] = value[row++];
    });
}

template <class T>
__global__ void value_at_kernel(const T* u, T* values, Index next) {
    values[blockIdx.x] = u[blockIdx.x * next];
}

template <class T>
__global__ void __launch_bounds__(max_threads)
    subtract_kernel(const FieldView<T> u, const T* values, LineGrid grid, Index next) {
    T* const field = u.data + blockIdx.y * next;
    const T value = values[blockIdx.y];
    for_each_element(u.extents, grid,
                     [&](Index i, Index j, Index k) { field[i * u.strides[0] + j * u.strides[1] + k] -= value; });
}

/// Where stretches of a batch of fields begin.
template <class T>
struct FieldStretches {
    const T* f;
    Strides strides;
    Extents extents;
    Index next;
    [[nodiscard]] __device__ Samples samples() const { return {strides, extents}; }
    [[nodiscard]] const __device__ T* stretch(const Samples& samples, int group, Index s) const {
        return f + blockIdx.x * next + samples.first(group, s);
    }
};

/// typical_value(), a warp a group: its lanes are those of the stretches.
template <class T, class Stretches>
__global__ void typical_value_kernel(const __grid_constant__ Stretches stretches, T* value, Index value_next) {
    constexpr int groups = Samples::groups, length = Samples::max_length;
    __shared__ T base, lanes[groups][length], sums[groups];
    const Samples samples = stretches.samples();
    const auto stretch = [&](int group, Index s) { return stretches.stretch(samples, group, s); };
    if (threadIdx.x == 0) base = base_of_samples<T>(stretch);
    __syncthreads();
    const int group = static_cast<int>(threadIdx.x) / length;
    const int lane = static_cast<int>(threadIdx.x) % length;
    const T weight = samples.weight<T>();
    T sum = 0;
    if (lane < samples.length()) {
#pragma unroll 8
        for (Index s = 0; s < samples.stretches(); ++s) sum += weight * (stretch(group, s)[lane] - base);
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

/// A thread a number of the samples of a box, those that lie in the planes and rows of f.
template <class T>
__global__ void __launch_bounds__(max_threads)
    samples_kernel(const FieldView<const T> f, Index first_plane, Index first_row, const SharedSamples<T> box,
                   T* numbers) {
    const Samples samples = box.samples();
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (number >= SharedSamples<T>::size(samples)) return;
    const auto [stretch, lane] = cuda::divide(number, static_cast<Index>(samples.length()));
    const auto [group, s] = cuda::divide(stretch, samples.stretches());
    const auto [row, k] = cuda::divide(samples.first(static_cast<int>(group), s) + lane, box.points[2]);
    const auto place = cuda::divide(row, box.points[1]);
    const Index i = place.quotient - first_plane, j = place.remainder - first_row;
    if (i >= 0 && i < f.extents[0] && j >= 0 && j < f.extents[1])
        numbers[box.place(samples, static_cast<int>(group), s) + lane] =
            f.data[i * f.strides[0] + j * f.strides[1] + k];
}

dim3 blocks_of(const LineGrid& grid, Index fields) {
    return {grid.blocks(), static_cast<unsigned>(fields)};
}

}  // namespace

template <class T>
void launch_right_hand_side(const RightHandSide<T>& task, Index fields, Stream stream) {
    const LineGrid grid = field_grid(task.out.extents);
    right_hand_side_kernel<<<blocks_of(grid, fields), grid.threads(), 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), "launch of a right-hand side");
}

template <class T>
void launch_subtract(const FieldView<T>& u, const T* values, Index fields, Index next, Stream stream) {
    const LineGrid grid = field_grid(u.extents);
    subtract_kernel<<<blocks_of(grid, fields), grid.threads(), 0, queue(stream)>>>(u, values, grid, next);
    check(cudaGetLastError(), "launch of a shift");
}

template <class T>
void launch_subtract_value_at(const std::array<Index, 3>& point, const FieldView<T>& u, T* values, Index fields,
                              Index next, Stream stream) {
    const T* const at = u.data + point[0] * u.strides[0] + point[1] * u.strides[1] + point[2];
    value_at_kernel<<<static_cast<unsigned>(fields), 1, 0, queue(stream)>>>(at, values, next);
    check(cudaGetLastError(), "launch of the value at a point");
    launch_subtract<T>(u, values, fields, next, stream);
}

template <class T>
void launch_held(const FieldView<T>& u, const Extents& begin, const Extents& end, const BoundaryTerms<T>& terms,
                 Index fields, Index next, Stream stream) {
    const Extents extents{end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]};
    const LineGrid grid = field_grid(extents);
    held_kernel<T><<<blocks_of(grid, fields), grid.threads(), 0, queue(stream)>>>(
        u.data, u.strides[0], u.strides[1], begin, extents, grid, terms, next);
    check(cudaGetLastError(), "launch of the values at a wall");
}

template <class T>
void launch_typical_value(const T* f, const Strides& strides, const Extents& extents, Constant<T>* value,
                          Index fields, Index f_next, Index value_next, Stream stream) {
    static_assert(sizeof(Constant<T>) == 2 * sizeof(T));
    typical_value_kernel<T><<<cuda::blocks(fields), Samples::groups * Samples::max_length, 0, queue(stream)>>>(
        FieldStretches<T>{f, strides, extents, f_next}, &value->high, value_next);
    check(cudaGetLastError(), "launch of a typical value");
}

template <class T>
void launch_typical_value(const SharedSamples<T>& samples, Constant<T>* value, Stream stream) {
    typical_value_kernel<T>
        <<<1, Samples::groups * Samples::max_length, 0, queue(stream)>>>(samples, &value->high, Index{0});
    check(cudaGetLastError(), "launch of a typical value");
}

template <class T>
void launch_samples(const FieldView<const T>& f, const std::array<Index, 2>& first, const SharedSamples<T>& box,
                    T* numbers, Stream stream) {
    const Index count = SharedSamples<T>::size(box.samples());
    samples_kernel<T><<<cuda::blocks(divide_up(count, Index{max_threads})), max_threads, 0, queue(stream)>>>(
        f, first[0], first[1], box, numbers);
    check(cudaGetLastError(), "launch of samples");
}

template void launch_held(const FieldView<float>&, const Extents&, const Extents&, const BoundaryTerms<float>&,
                          Index, Index, Stream);
template void launch_held(const FieldView<double>&, const Extents&, const Extents&, const BoundaryTerms<double>&,
                          Index, Index, Stream);
template void launch_typical_value(const float*, const Strides&, const Extents&, Constant<float>*, Index, Index,
                                   Index, Stream);
template void launch_typical_value(const double*, const Strides&, const Extents&, Constant<double>*, Index, Index,
                                   Index, Stream);
template void launch_typical_value(const SharedSamples<float>&, Constant<float>*, Stream);
template void launch_typical_value(const SharedSamples<double>&, Constant<double>*, Stream);
template void launch_samples(const FieldView<const float>&, const std::array<Index, 2>&,
                             const SharedSamples<float>&, float*, Stream);
template void launch_samples(const FieldView<const double>&, const std::array<Index, 2>&,
                             const SharedSamples<double>&, double*, Stream);
template void launch_subtract(const FieldView<float>&, const float*, Index, Index, Stream);
template void launch_subtract(const FieldView<double>&, const double*, Index, Index, Stream);
template void launch_right_hand_side(const RightHandSide<float>&, Index, Stream);
template void launch_subtract_value_at(const std::array<Index, 3>&, const FieldView<float>&, float*, Index, Index,
                                       Stream);
template void launch_right_hand_side(const RightHandSide<double>&, Index, Stream);
template void launch_subtract_value_at(const std::array<Index, 3>&, const FieldView<double>&, double*, Index, Index,
                                       Stream);

}  // namespace poisson3d::device
