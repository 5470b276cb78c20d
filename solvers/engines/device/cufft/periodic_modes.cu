// The modes of a periodic box.
#include "device_orbits.cuh"
#include "line_grid.cuh"

namespace poisson3d::cufft {

namespace {

template <class T>
__global__ void __launch_bounds__(max_threads) periodic_kernel(const PeriodicTask<T> task, LineGrid grid) {
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
void launch_periodic(const PeriodicTask<T>& task, Stream stream) {
    const LineGrid grid = field_grid(task.extents);
    periodic_kernel<T><<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), "launch of the periodic mode space");
}

template void launch_periodic(const PeriodicTask<float>&, Stream);
template void launch_periodic(const PeriodicTask<double>&, Stream);

}  // namespace poisson3d::cufft
