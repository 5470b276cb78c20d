// The sweeps of a variable coefficient on a device: a thread for each point. Sums go by blocks, each over the same
// points every time, then by one block over their results.
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "line_grid.cuh"
#include "point_sweeps.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d {

using namespace device;

namespace {

constexpr int numbers = 4;  ///< that a step adds up, at most
constexpr Index most_blocks = 4096;

/// Calls body(i, j, k) for the points of a box that this thread has, of all its blocks.
template <class Body>
__device__ __forceinline__ void for_my_points(const Extents& first, const Extents& extents, const LineGrid& grid,
                                              const Body& body) {
    const int y = static_cast<int>(threadIdx.x) / grid.along;
    const int x = static_cast<int>(threadIdx.x) - y * grid.along;
    for (Index block = blockIdx.x; block < grid.chunks * grid.groups; block += gridDim.x) {
        const auto [group, chunk] = cuda::divide(block, grid.chunks);
        const Index k = chunk * grid.along + x;
        if (k >= extents[2]) continue;
#pragma unroll
        for (int n = 0; n < each_rows; ++n) {
            const Index row = (group * each_rows + n) * grid.across + y;
            if (row >= extents[0] * extents[1]) break;
            const auto [i, j] = cuda::divide(row, extents[1]);
            body(first[0] + i, first[1] + j, first[2] + k);
        }
    }
}

/// What sums and maxima begin with.
template <class Step>
__device__ __forceinline__ double begin_with(int n) {
    return n < Step::sums ? 0.0 : -INFINITY;
}

/// value := that of all threads of the block, in thread 0.
template <class Step>
__device__ void join(double (&value)[numbers]) {
    __shared__ double all[numbers][max_threads];
    const int t = static_cast<int>(threadIdx.x);
    for (int n = 0; n < Step::sums + Step::maxima; ++n) all[n][t] = value[n];
    for (int half = max_threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t >= half) continue;
        for (int n = 0; n < Step::sums + Step::maxima; ++n) {
            const double a = all[n][t], b = all[n][t + half];
            all[n][t] = n < Step::sums ? a + b : fmax(a, b);
        }
    }
    if (t == 0)
        for (int n = 0; n < Step::sums + Step::maxima; ++n) value[n] = all[n][0];
}

template <class Step>
__global__ void __launch_bounds__(max_threads)
    run_kernel(const __grid_constant__ Step step, Extents first, Extents extents, LineGrid grid) {
    for_my_points(first, extents, grid, [&](Index i, Index j, Index k) {
        double unused[numbers];
        step(i, j, k, unused);
    });
}

template <class Step>
__global__ void __launch_bounds__(max_threads)
    sum_kernel(const __grid_constant__ Step step, Extents first, Extents extents, LineGrid grid, double* partial) {
    double value[numbers];
    for (int n = 0; n < numbers; ++n) value[n] = begin_with<Step>(n);
    if (static_cast<int>(threadIdx.x) < grid.along * grid.across)
        for_my_points(first, extents, grid, [&](Index i, Index j, Index k) { step(i, j, k, value); });
    join<Step>(value);
    if (threadIdx.x == 0)
        for (int n = 0; n < Step::sums + Step::maxima; ++n) partial[blockIdx.x * numbers + n] = value[n];
}

template <class Step>
__global__ void __launch_bounds__(max_threads) join_kernel(const double* partial, int blocks, double* result) {
    double value[numbers];
    for (int n = 0; n < numbers; ++n) value[n] = begin_with<Step>(n);
    for (int block = static_cast<int>(threadIdx.x); block < blocks; block += max_threads)
        for (int n = 0; n < Step::sums + Step::maxima; ++n) {
            const double each = partial[block * numbers + n];
            value[n] = n < Step::sums ? value[n] + each : fmax(value[n], each);
        }
    join<Step>(value);
    if (threadIdx.x == 0)
        for (int n = 0; n < Step::sums + Step::maxima; ++n) result[n] = value[n];
}

/// An Executor of PointSweeps in the default stream of a device.
class DeviceExecutor {
public:
    DeviceExecutor(int device, std::size_t bytes) : device_(device) {
        const DeviceScope scope(device);
        if (bytes > 0) memory_ = DeviceBuffer(bytes);
        partial_ = DeviceBuffer((most_blocks + 1) * numbers * sizeof(double));
        if (bytes > 0) fill_on_device(memory_.data(), 0, bytes);
    }

    [[nodiscard]] std::byte* memory() const { return static_cast<std::byte*>(memory_.data()); }
    void upload(void* to, const void* from, std::size_t bytes) const {
        const DeviceScope scope(device_);
        copy_to_device(to, from, bytes);
    }
    void wait() const {
        const DeviceScope scope(device_);
        synchronize();
    }
    template <class T>
    [[nodiscard]] T value(const T* from) const {
        const DeviceScope scope(device_);
        T found;
        copy_to_host(&found, from, sizeof(T));
        return found;
    }

    template <class Step>
    void run(const Step& step, const Extents& first, const Extents& last) const {
        const DeviceScope scope(device_);
        const Extents extents = extents_of(first, last);
        if (extents[0] * extents[1] * extents[2] == 0) return;
        const LineGrid grid = field_grid(extents);
        run_kernel<<<grid.blocks(), grid.threads(), 0, queue(Stream{})>>>(step, first, extents, grid);
        check(cudaGetLastError(), "launch of a step at points");
    }

    template <class Step>
    [[nodiscard]] std::array<double, numbers> sum(const Step& step, const Extents& first,
                                                  const Extents& last) const {
        const DeviceScope scope(device_);
        const Extents extents = extents_of(first, last);
        const LineGrid grid = field_grid(extents);
        const Index blocks = std::min(grid.chunks * grid.groups, most_blocks);
        auto* const partial = static_cast<double*>(partial_.data());
        double* const result = partial + most_blocks * numbers;
        if (blocks > 0)
            sum_kernel<<<cuda::blocks(blocks), max_threads, 0, queue(Stream{})>>>(step, first, extents, grid,
                                                                                  partial);
        join_kernel<Step><<<1, max_threads, 0, queue(Stream{})>>>(partial, static_cast<int>(blocks), result);
        check(cudaGetLastError(), "launch of a sum over points");
        std::array<double, numbers> found{};
        copy_to_host(found.data(), result, sizeof(found));
        return found;
    }

private:
    static Extents extents_of(const Extents& first, const Extents& last) {
        return {last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1};
    }
    int device_;
    DeviceBuffer memory_, partial_;
};

}  // namespace

template <class T, class N>
std::unique_ptr<VariableSweeps<T, N>> make_device_variable_sweeps(const Problem& problem, int device) {
    return std::make_unique<PointSweeps<T, N, DeviceExecutor>>(problem, device);
}
template <class T, class N>
std::size_t device_variable_sweeps_bytes(const Problem& problem) {
    return PointLayout<T, N>(problem.grid).end;
}

template <class T>
CoefficientChecks<T> device_checks(int device) {
    const auto fetched = [](FieldView<const T> field, std::vector<T>& copy) {
        const auto& [x, y, z] = field.extents;
        copy.resize(static_cast<std::size_t>((x - 1) * field.strides[0] + (y - 1) * field.strides[1] + z));
        copy_to_host(copy.data(), field.data, copy.size() * sizeof(T));
        return FieldView<const T>(copy.data(), field.extents, field.strides);
    };
    const auto corner = [](const Extents& extents) {
        return Extents{extents[0] - 1, extents[1] - 1, extents[2] - 1};
    };
    CoefficientChecks<T> checks;
    checks.bounds = [=](FieldView<const T> field, bool allow_zero, const std::string& who) {
        const DeviceScope scope(device);
        const auto found = DeviceExecutor(device, 0).sum(
            points::LookAt<T>{{}, points::Rows<const T>(field), std::numeric_limits<T>::max(), allow_zero},
            {0, 0, 0}, corner(field.extents));
        if (found[2] == 0.0) return Bounds{-found[0], found[1]};
        std::vector<T> copy;
        return host_checks<T>().bounds(fetched(field, copy), allow_zero, who);
    };
    checks.closed = [=](FieldView<const T> faces, std::size_t axis, const std::string& who) {
        const DeviceScope scope(device);
        Extents last = corner(faces.extents);
        const Index apart = last[axis] * faces.strides[axis];
        last[axis] = 0;
        const auto found = DeviceExecutor(device, 0).sum(
            points::LookAtEnds<T>{{}, points::Rows<const T>(faces), apart}, {0, 0, 0}, last);
        if (found[0] == 0.0) return;
        std::vector<T> copy;
        host_checks<T>().closed(fetched(faces, copy), axis, who);
    };
    return checks;
}
template CoefficientChecks<float> device_checks(int);
template CoefficientChecks<double> device_checks(int);

#define POISSON3D_INSTANCE(T, N)                                                                     \
    template std::unique_ptr<VariableSweeps<T, N>> make_device_variable_sweeps(const Problem&, int); \
    template std::size_t device_variable_sweeps_bytes<T, N>(const Problem&)
POISSON3D_INSTANCE(float, float);
POISSON3D_INSTANCE(double, double);
POISSON3D_INSTANCE(double, float);
#undef POISSON3D_INSTANCE

}  // namespace poisson3d
