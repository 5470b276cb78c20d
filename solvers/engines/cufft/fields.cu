// Sweeps over whole fields in their own order: shifting by a constant, zeros, the modes of a periodic box.
#include "device_orbits.cuh"

namespace poisson3d::cufft {

namespace {

constexpr int threads = 256;

/// The row (i, j) and the element k of this thread; false behind the end.
struct Element {
    Index i, j, k;
};
__device__ __forceinline__ bool locate(const Extents& extents, Index chunks, Element& at) {
    const auto [row, chunk] = cuda::divide(blockIdx.x, chunks);
    const auto [i, j] = cuda::divide(row, extents[1]);
    at = {i, j, chunk * threads + threadIdx.x};
    return at.k < extents[2];
}

template <class T>
__global__ void __launch_bounds__(threads)
    shift_kernel(const T* in, Index in_x, Index in_y, T* out, Index out_x, Index out_y, Extents extents,
                 Index chunks, const T* subtract) {
    Element at;
    if (!locate(extents, chunks, at)) return;
    const T less = subtract != nullptr ? *subtract : T(0);
    out[at.i * out_x + at.j * out_y + at.k] = in[at.i * in_x + at.j * in_y + at.k] - less;
}

template <class T>
__global__ void __launch_bounds__(threads)
    zero_kernel(T* out, Index stride_x, Index stride_y, Extents extents, Index chunks) {
    Element at;
    if (locate(extents, chunks, at)) out[at.i * stride_x + at.j * stride_y + at.k] = T(0);
}

template <class T>
__global__ void __launch_bounds__(threads) periodic_kernel(const PeriodicTask<T> task, Index chunks) {
    Element at;
    if (!locate(task.extents, chunks, at)) return;
    Complex<T>* const place = task.work + (at.i * task.extents[1] + at.j) * task.extents[2] + at.k;
    Complex<T> mode = load(place);
    T sum = task.lambda_x[at.i] + task.shift + task.lambda_y[at.j] + task.lambda_z[at.k];
    if (task.removed != nullptr && at.i == 0 && at.j == 0 && at.k == 0) {
        *task.removed = mode.re;
        mode = {0, 0};
        sum = T(1);  // anything but 0
    }
    mode.re = task.multiply ? mode.re * task.factor * sum : quotient(mode.re * task.factor, sum);
    mode.im = task.multiply ? mode.im * task.factor * sum : quotient(mode.im * task.factor, sum);
    store(place, mode);
}

}  // namespace

template <class T>
void launch_shift(const T* in, Index in_x, Index in_y, T* out, Index out_x, Index out_y, const Extents& extents,
                  const T* subtract, Stream stream) {
    const Index chunks = divide_up(extents[2], threads);
    shift_kernel<T><<<blocks(extents[0] * extents[1] * chunks), threads, 0, queue(stream)>>>(
        in, in_x, in_y, out, out_x, out_y, extents, chunks, subtract);
    check(cudaGetLastError(), "launch of a shifted copy");
}

template <class T>
void launch_zero(T* out, Index stride_x, Index stride_y, const Extents& extents, Stream stream) {
    const Index chunks = divide_up(extents[2], threads);
    zero_kernel<T><<<blocks(extents[0] * extents[1] * chunks), threads, 0, queue(stream)>>>(out, stride_x, stride_y,
                                                                                            extents, chunks);
    check(cudaGetLastError(), "launch of zeros at the walls");
}

template <class T>
void launch_periodic(const PeriodicTask<T>& task, Stream stream) {
    const Index chunks = divide_up(task.extents[2], threads);
    periodic_kernel<T>
        <<<blocks(task.extents[0] * task.extents[1] * chunks), threads, 0, queue(stream)>>>(task, chunks);
    check(cudaGetLastError(), "launch of the periodic mode space");
}

template void launch_shift(const float*, Index, Index, float*, Index, Index, const Extents&, const float*, Stream);
template void launch_shift(const double*, Index, Index, double*, Index, Index, const Extents&, const double*,
                           Stream);
template void launch_zero(float*, Index, Index, const Extents&, Stream);
template void launch_zero(double*, Index, Index, const Extents&, Stream);
template void launch_periodic(const PeriodicTask<float>&, Stream);
template void launch_periodic(const PeriodicTask<double>&, Stream);

}  // namespace poisson3d::cufft
