// Solves of large boxes, in memory mode low of fields that leave no room for a second one: the right-hand side is a
// hash of the index, made on the device, solved in its own memory, and made again to check the residual of the
// difference operator at every point.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "axis_rules.hpp"
#include "cuda_stream.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "test_solver.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr int blocks = 2048;
constexpr int block_size = 256;

/// A number in [−1, 1) for every index: the finalizer of a 64-bit counter (Steele, Lea, Flood, OOPSLA 2014).
template <class T>
__device__ T random_at(Index i) {
    auto z = static_cast<unsigned long long>(i) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return static_cast<T>(static_cast<double>(z >> 11) * 0x1p-52 - 1.0);
}

template <class T>
__global__ void fill(T* field, Index count) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        field[i] = random_at<T>(i);
}

/// Cells: beyond a face stands `ghost` times the cell at it; periodic axes wrap.
struct Operator {
    Index points[3];
    bool periodic[3];
    double ghost[3][2];
    double inverse_square[3];

    template <class T>
    __device__ double along(const T* u, Index i, Index stride, Index at, int a) const {
        const Index n = points[a];
        const double below = at > 0 ? u[i - stride] : periodic[a] ? u[i + (n - 1) * stride] : ghost[a][0] * u[i];
        const double above = at < n - 1    ? u[i + stride]
                             : periodic[a] ? u[i - (n - 1) * stride]
                                           : ghost[a][1] * u[i];
        return (below - 2.0 * u[i] + above) * inverse_square[a];
    }
    template <class T>
    __device__ double operator()(const T* u, Index i) const {
        const Index plane = points[1] * points[2];
        return along(u, i, plane, i / plane, 0) + along(u, i, points[2], i / points[2] % points[1], 1) +
               along(u, i, 1, i % points[2], 2);
    }
};

struct Largest {
    double residual, solution;
};

/// A value that is no number stays one.
__device__ double larger(double a, double b) {
    return b <= a ? a : b;
}

template <class T>
__global__ void meter(const T* u, Operator laplace, Index count, Largest* out) {
    __shared__ Largest part[block_size];
    Largest mine{0.0, 0.0};
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        mine.residual = larger(mine.residual, fabs(static_cast<double>(random_at<T>(i)) - laplace(u, i)));
        mine.solution = larger(mine.solution, fabs(static_cast<double>(u[i])));
    }
    part[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int t = 1; t < block_size; ++t) {
        mine.residual = larger(mine.residual, part[t].residual);
        mine.solution = larger(mine.solution, part[t].solution);
    }
    out[blockIdx.x] = mine;
}

template <class T>
Largest measure(const T* u, const Problem& problem) {
    Operator laplace{};
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        laplace.points[a] = axis.points;
        laplace.periodic[a] = axis.periodic();
        laplace.ghost[a][0] = axis.lower == Boundary::dirichlet ? -1.0 : 1.0;
        laplace.ghost[a][1] = axis.upper == Boundary::dirichlet ? -1.0 : 1.0;
        laplace.inverse_square[a] = 1.0 / (axis.spacing * axis.spacing);
    }
    const DeviceBuffer out(blocks * sizeof(Largest));
    meter<<<blocks, block_size>>>(u, laplace, problem.grid.size(), static_cast<Largest*>(out.data()));
    check(cudaGetLastError(), "meter");
    std::vector<Largest> parts(blocks);
    copy_to_host(parts.data(), out.data(), out.size());
    Largest all{0.0, 0.0};
    for (const Largest& part : parts) {
        if (!(part.residual <= all.residual)) all.residual = part.residual;
        if (!(part.solution <= all.solution)) all.solution = part.solution;
    }
    return all;
}

/// Seconds of `work` on the device.
template <class Work>
double seconds_of(const Work& work) {
    DeviceTimer timer;
    timer.start();
    work();
    timer.stop();
    return timer.seconds();
}

template <class T>
void check_box(const Kinds& which, const Extents& points, Memory memory = Memory::low) {
    Problem problem;
    for (int a = 0; a < 3; ++a)
        problem.grid.axes[a] = make_axis(which[a], points[a], 1.0 / static_cast<double>(points[a]));
    SCOPED_TRACE(describe(problem));
    const std::size_t bytes = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    const std::size_t extra = std::max<std::size_t>(std::size_t{64} << 20, bytes / 50);
    Options options = test_options();
    options.memory = memory;
    const std::size_t before = free_device_memory();
    const std::size_t fields = memory == Memory::low ? 0 : memory == Memory::standard ? 1 : 2;
    const std::size_t workspace = fields * (bytes + bytes / 16) + extra;
    if (before < bytes + workspace + extra)
        GTEST_SKIP() << "wants " << bytes + workspace + extra << " bytes of device memory, free are " << before;
    const DeviceBuffer buffer(bytes);
    T* const field = static_cast<T*>(buffer.data());
    fill<<<blocks, block_size>>>(field, problem.grid.size());
    check(cudaGetLastError(), "fill");
    // A copy of the field, from its first half to its second; it is made again afterwards.
    const std::size_t half = bytes / 2 / 16 * 16;
    const auto copy = [&] { copy_on_device(reinterpret_cast<std::byte*>(field) + half, field, half); };
    copy();
    const double copy_seconds = 2.0 * seconds_of(copy);
    fill<<<blocks, block_size>>>(field, problem.grid.size());

    Solver<T> solver(problem, options);
    const std::size_t used = before - free_device_memory();
    std::printf("%s, %s: plan holds %.2f %% of the field\n", describe(problem).c_str(), name(memory),
                100.0 * static_cast<double>(used - bytes) / static_cast<double>(bytes));
    const double seconds =
        seconds_of([&] { solver.solve(FieldView<const T>(field, points), FieldView<T>(field, points)); });
    (void)solver.result();
    std::printf("%s, %s: %.1f ms, %.1f copies\n", describe(problem).c_str(), name(memory), 1e3 * seconds,
                seconds / copy_seconds);
    for (const PassReport& pass : solver.passes())
        std::printf("  %s %.1f ms\n", pass.name.c_str(), 1e3 * pass.seconds);
    const std::size_t tables = 512 * static_cast<std::size_t>(points[0] + points[1] + points[2]);
    EXPECT_LE(solver.workspace(), workspace + (std::size_t{1} << 20) + tables);

    const Largest largest = measure(field, problem);
    double norm = 0;
    for (const Axis& axis : problem.grid.axes) norm += 4.0 / (axis.spacing * axis.spacing);
    EXPECT_LE(largest.residual / (norm * largest.solution + 1.0),
              tolerance::backward<T>(points) + tolerance::eps<T>);
}

TEST(LowMemory, AnyBox) {
    check_box<double>({cell_dd, cell_nn, cell_p}, {97, 101, 103});
    check_box<float>({cell_dn, cell_dd, cell_p}, {511, 512, 513});
}

TEST(LowMemory, ACube) {
    check_box<double>({cell_dd, cell_nn, cell_p}, {512, 512, 512});
    check_box<float>({cell_nd, cell_p, cell_nn}, {511, 511, 511});
}

/// Two axes whose lines do not fit a block's shared memory, and one beside a length that goes by a chirp.
TEST(LowMemory, LongLines) {
    check_box<double>({cell_dd, cell_nn, cell_p}, {16384, 16384, 8});
    check_box<float>({cell_nn, cell_p, cell_dd}, {4, 32768, 33000});
    check_box<double>({cell_dd, cell_nn, cell_p}, {4, 16400, 20000});
    check_box<double>({cell_dn, cell_dd, cell_p}, {16384, 64, 64});
    check_box<double>({cell_dn, cell_dd, cell_p}, {16384, 509, 64});
    check_box<double>({cell_dn, cell_p, cell_dd}, {16411, 6, 16411});  // a prime
}
TEST(LargeBoxes, OfLongLines) {
    for (const Memory memory : {Memory::standard, Memory::fast}) {
        check_box<double>({cell_dd, cell_nn, cell_p}, {16384, 16384, 8}, memory);
        check_box<double>({cell_dn, cell_p, cell_dd}, {16411, 6, 16411}, memory);
    }
}

// 98 gigabytes.
TEST(LowMemory, MoreThanHalfOfTheDevice) {
    check_box<double>({cell_dd, cell_nn, cell_p}, {2304, 2304, 2304});
}

}  // namespace
}  // namespace poisson3d
