// The sweeps of a variable coefficient on a device: a thread for each point, or for a column of points. Sums go by
// blocks, each over the same points every time; the last block to end adds up their results and writes them to
// memory of the host, which waits for nothing else.
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "line_grid.cuh"
#include "point_sweeps.hpp"
#include "poisson3d/device_memory.hpp"
#include "told_sums.cuh"

namespace poisson3d {

using namespace device;

namespace {

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
    sum_kernel(const __grid_constant__ Step step, Extents first, Extents extents, LineGrid grid, const Told told) {
    double value[numbers];
    for (int n = 0; n < numbers; ++n) value[n] = n < Step::sums ? 0.0 : -INFINITY;
    if (static_cast<int>(threadIdx.x) < grid.along * grid.across)
        for_my_points(first, extents, grid, [&](Index i, Index j, Index k) { step(i, j, k, value); });
    tell<Step::sums, Step::maxima>(value, told);
}

/// Columns of so many planes, for all points of a plane of dense fields.
struct ColumnGrid {
    Index plane_blocks, first, end;
    static constexpr int planes = 16;
    ColumnGrid(Index in_plane, const Extents& from, const Extents& to)
        : plane_blocks(divide_up(in_plane, Index{max_threads})), first(from[0]), end(to[0] + 1) {}
    [[nodiscard]] __host__ __device__ Index count() const {
        return plane_blocks * ((end - first - 1) / planes + 1);
    }
};

/// Blocks go from the end to the begin, since the kernel before has left the end of its fields in the cache, and
/// the one after will begin at the begin.
template <class Step, class T>
__global__ void __launch_bounds__(max_threads)
    columns_kernel(const __grid_constant__ Step step, const __grid_constant__ ScaledPoints<T> op, ColumnGrid grid,
                   const Told told) {
    constexpr int sums = Step::sums > 0 ? Step::sums : 1;
    double value[sums] = {};
    const Index plane = op.stride(0);
    for (Index block = grid.count() - 1 - blockIdx.x; block >= 0; block -= gridDim.x) {
        const auto [chunk, part] = cuda::divide(block, grid.plane_blocks);
        const Index in_plane = part * max_threads + threadIdx.x;
        const auto [j, k] = cuda::divide(in_plane, op.points[2]);
        if (!op.axis[1].unknown(j) || !op.axis[2].unknown(k)) continue;
        const Index i_first = grid.first + chunk * ColumnGrid::planes;
        const Index i_end = min(i_first + ColumnGrid::planes, grid.end);
        double column[sums] = {};
#pragma unroll 4
        for (Index i = i_first; i < i_end; ++i) {
            double terms[sums];
            step(i, j, k, i * plane + in_plane, terms);
            if constexpr (Step::sums > 0)
#pragma unroll
                for (int n = 0; n < sums; ++n) column[n] += op.axis[0].weight[i] * terms[n];
        }
        if constexpr (Step::sums > 0)
            for (int n = 0; n < sums; ++n) value[n] += op.axis[1].weight[j] * op.axis[2].weight[k] * column[n];
    }
    if constexpr (Step::sums > 0) tell<Step::sums, 0>(value, told);
}

template <class Task>
__global__ void __launch_bounds__(points::TileShape::threads)
    tiles_kernel(const __grid_constant__ Task task, const points::TileGrid grid, const Told told) {
    using Column = points::StencilColumn<Task>;
    __shared__ typename Column::Plane plane[2];
    double value[Task::sums] = {};
    for (Index tile = blockIdx.x; tile < grid.count(); tile += gridDim.x) {
        Column column(task, grid, tile, static_cast<int>(threadIdx.x));
        for (int turn = 0; column.more(); turn ^= 1) {
            column.fill(plane[turn]);
            __syncthreads();
            column.multiply(plane[turn], value);
        }
        __syncthreads();  // the next tile begins with the first plane again
    }
    tell<Task::sums, 0>(value, told);
}

/// An Executor of PointSweeps in the default stream of a device.
class DeviceExecutor {
public:
    DeviceExecutor(int device, std::size_t bytes) : device_(device), sums_(device, most_blocks) {
        const DeviceScope scope(device);
        if (bytes > 0) memory_ = DeviceBuffer(bytes);
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
    [[nodiscard]] std::array<double, numbers> sum(const Step& step, const Extents& first, const Extents& last) {
        const DeviceScope scope(device_);
        const Extents extents = extents_of(first, last);
        const LineGrid grid = field_grid(extents);
        const Index blocks = std::min(grid.chunks * grid.groups, most_blocks);
        sum_kernel<<<cuda::blocks(std::max(blocks, Index{1})), max_threads, 0, queue(Stream{})>>>(
            step, first, extents, grid, sums_.next());
        return sums_.wait("a sum over points");
    }

    /// Waits only where there are sums.
    template <class Step, class T>
    std::array<double, numbers> columns(const Step& step, const ScaledPoints<T>& op, const Extents& first,
                                        const Extents& last) {
        const DeviceScope scope(device_);
        const ColumnGrid grid(op.stride(0), first, last);
        const bool told = Step::sums > 0;
        columns_kernel<<<cuda::blocks(std::min(grid.count(), most_blocks)), max_threads, 0, queue(Stream{})>>>(
            step, op, grid, told ? sums_.next() : Told{});
        check(cudaGetLastError(), "launch of a step along columns");
        return told ? sums_.wait("a sum over columns") : std::array<double, numbers>{};
    }

    template <class Task>
    [[nodiscard]] std::array<double, numbers> tiles(const Task& task, const points::TileGrid& grid) {
        const DeviceScope scope(device_);
        tiles_kernel<<<cuda::blocks(std::min(grid.count(), most_blocks)), points::TileShape::threads, 0,
                       queue(Stream{})>>>(task, grid, sums_.next());
        return sums_.wait("a stencil and its sums");
    }

private:
    static Extents extents_of(const Extents& first, const Extents& last) {
        return {last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1};
    }
    int device_;
    DeviceBuffer memory_;
    ToldSums sums_;
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
