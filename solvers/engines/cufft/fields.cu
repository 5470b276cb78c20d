// Sweeps over whole fields in their own order: shifting by a constant, values at walls, the modes of a periodic
// box.
#include "line_grid.cuh"

namespace poisson3d::cufft {

namespace {

template <class T>
__global__ void __launch_bounds__(most_threads)
    shift_kernel(const T* in, Index in_x, Index in_y, T* out, Index out_x, Index out_y, Extents extents,
                 LineGrid grid, const T* high, const T* low) {
    const T less = high != nullptr ? *high : T(0);
    const T rest = low != nullptr ? *low : T(0);
    for_each_element(extents, grid, [&](Index i, Index j, Index k) {
        out[i * out_x + j * out_y + k] = (in[i * in_x + j * in_y + k] - less) - rest;
    });
}

template <class T>
__global__ void __launch_bounds__(most_threads) face_kernel(T* out, Index stride_x, Index stride_y, Extents extents,
                                                            LineGrid grid, FaceValues<T> face, Index next) {
    const Index field = blockIdx.y;
    // One of i and j is always 0.
    for_each_element(extents, grid, [&](Index i, Index j, Index k) {
        out[field * next + i * stride_x + j * stride_y + k] = value_at(face, i + j, k, field);
    });
}

template <class T>
__global__ void __launch_bounds__(most_threads) periodic_kernel(const PeriodicTask<T> task, LineGrid grid) {
    const auto [k, first] = mine(grid);
    if (k >= task.extents[2]) return;
    const Index rows = task.extents[0] * task.extents[1];
    Complex<T> mode[each_rows];
#pragma unroll
    for (int r = 0; r < each_rows; ++r) {
        const Index row = first + r * grid.across;
        mode[r] = row < rows ? load_field(task.work + row * task.extents[2] + k) : Complex<T>{0, 0};
    }
    const T along = task.lambda_z[k] + task.shift;
#pragma unroll
    for (int r = 0; r < each_rows; ++r) {
        const Index row = first + r * grid.across;
        if (row >= rows) return;
        const auto [i, j] = cuda::divide(row, task.extents[1]);
        T sum = task.lambda_x[i] + task.lambda_y[j] + along;
        if (task.removed != nullptr && row == 0 && k == 0) {
            *task.removed = mode[r].re * task.factor;
            mode[r] = {0, 0};
            sum = T(1);  // anything but 0
        }
        const Complex<T> scaled = task.factor * mode[r];
        store(task.work + row * task.extents[2] + k,
              task.multiply ? sum * scaled : Complex<T>{quotient(scaled.re, sum), quotient(scaled.im, sum)});
    }
}

}  // namespace

template <class T>
void launch_shift(const T* in, Index in_x, Index in_y, T* out, Index out_x, Index out_y, const Extents& extents,
                  const T* high, const T* low, Stream stream) {
    const LineGrid grid = field_grid(extents);
    shift_kernel<T><<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(in, in_x, in_y, out, out_x, out_y, extents,
                                                                         grid, high, low);
    check(cudaGetLastError(), "launch of a shifted copy");
}

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
void launch_periodic(const PeriodicTask<T>& task, Stream stream) {
    const LineGrid grid = field_grid(task.extents);
    periodic_kernel<T><<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), "launch of the periodic mode space");
}

template void launch_shift(const float*, Index, Index, float*, Index, Index, const Extents&, const float*,
                           const float*, Stream);
template void launch_shift(const double*, Index, Index, double*, Index, Index, const Extents&, const double*,
                           const double*, Stream);
template void launch_face(float*, Index, Index, const Extents&, const FaceValues<float>&, Index, Index, Stream);
template void launch_face(double*, Index, Index, const Extents&, const FaceValues<double>&, Index, Index, Stream);
template void launch_periodic(const PeriodicTask<float>&, Stream);
template void launch_periodic(const PeriodicTask<double>&, Stream);

}  // namespace poisson3d::cufft
