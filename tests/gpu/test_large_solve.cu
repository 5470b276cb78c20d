// Fields of more than 2^31 and 2^32 elements, made and checked on the device: an index that wraps at 32 bits shows.
//
// The right-hand side is one eigenfunction of the discrete operator, a product of three samples of a sine or
// cosine, so the solution is the same product divided by its eigenvalue, known at every point without a second
// solver.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "axis_rules.hpp"
#include "cuda_stream.hpp"
#include "poisson3d/device_memory.hpp"
#include "test_solver.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr int blocks = 2048;
constexpr int block_size = 256;

/// The factors of the eigenfunction along each axis, in device memory.
struct Factors {
    const double* x;
    const double* y;
    const double* z;
    Index points[3];

    __device__ double at(Index i) const {
        return x[i / (points[1] * points[2])] * y[i / points[2] % points[1]] * z[i % points[2]];
    }
};

template <class T>
__global__ void fill(T* field, Factors factors, Index count) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        field[i] = static_cast<T>(factors.at(i));
}

/// What a block of threads found: the squares of differences and of the reference, and the largest difference.
struct Sums {
    double difference, reference, largest;
};

/// Compares with scale · the eigenfunction. A value that is no number makes every sum no number.
template <class T>
__global__ void compare(const T* field, Factors factors, double scale, Index count, Sums* sums) {
    __shared__ Sums part[block_size];
    Sums mine{0.0, 0.0, 0.0};
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const double wanted = scale * factors.at(i);
        const double d = static_cast<double>(field[i]) - wanted;
        mine.difference += d * d;
        mine.reference += wanted * wanted;
        if (!(fabs(d) <= mine.largest)) mine.largest = fabs(d);
    }
    part[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int t = 1; t < block_size; ++t) {
        mine.difference += part[t].difference;
        mine.reference += part[t].reference;
        if (!(part[t].largest <= mine.largest)) mine.largest = part[t].largest;
    }
    sums[blockIdx.x] = mine;
}

/// A problem on a box of fixed lengths, whatever the points: low modes stay well conditioned.
Problem box(const Kinds& which, const Extents& points) {
    constexpr std::array lengths{1.0, 1.3, 0.8};
    Problem problem;
    for (int a = 0; a < 3; ++a)
        problem.grid.axes[a] = make_axis(which[a], points[a], lengths[a] / static_cast<double>(points[a]));
    return problem;
}

/// One eigenfunction of a problem, its factors on the device.
class Eigenfunction {
public:
    Eigenfunction(const Problem& problem, const std::array<Index, 3>& modes) {
        Real sum = 0;
        Real least = 0;
        for (int a = 0; a < 3; ++a) {
            const Axis& axis = problem.grid.axes[a];
            std::vector<double> values(static_cast<std::size_t>(axis.points));
            for (Index j = 0; j < axis.points; ++j)
                values[j] = unknowns(axis).contain(j) ? static_cast<double>(mode_value(axis, modes[a], j)) : 0.0;
            tables_[a] = DeviceBuffer(values.size() * sizeof(double));
            copy_to_device(tables_[a].data(), values.data(), values.size() * sizeof(double));
            sum += mode_eigenvalue(axis, problem.discretization, modes[a]);
            least += mode_eigenvalue(axis, problem.discretization, 0);
        }
        eigenvalue = static_cast<double>(sum);
        // The rounding of f has smoother modes in it, which a solve makes larger than this one.
        amplification = static_cast<double>(sum / least);
    }
    [[nodiscard]] Factors factors(const Extents& n) const {
        const auto table = [&](int a) { return static_cast<const double*>(tables_[a].data()); };
        return {table(0), table(1), table(2), {n[0], n[1], n[2]}};
    }

    double eigenvalue = 0.0;
    double amplification = 0.0;

private:
    std::array<DeviceBuffer, 3> tables_;
};

/// Solves in place, so that a value that is not written stays the right-hand side.
template <class T>
void check_large(const Kinds& which, const Extents& points, Memory memory, const std::array<Index, 3>& modes,
                 Engine engine = test_options().engine) {
    const Problem problem = box(which, points);
    SCOPED_TRACE(describe(problem) + ", " + name(memory));
    const Index count = problem.grid.size();
    ASSERT_GT(count, Index{1} << 31);
    Options options = test_options();
    options.memory = memory;
    options.engine = engine;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    const std::size_t wanted =
        bytes + Solver<T>::workspace_bytes(problem, options) + (std::size_t{1} << 30);  // plans of the FFT library
    if (free_device_memory() < wanted)
        GTEST_SKIP() << describe(problem) << " wants " << wanted << " bytes of device memory, free are "
                     << free_device_memory();
    const DeviceBuffer memory_of_field(bytes);
    T* const field = static_cast<T*>(memory_of_field.data());
    const Eigenfunction function(problem, modes);
    const Factors factors = function.factors(points);
    fill<<<blocks, block_size>>>(field, factors, count);
    check(cudaGetLastError(), "fill");

    Solver<T> solver(problem, options);
    solver.solve(FieldView<const T>(field, points), FieldView<T>(field, points));
    (void)solver.result();

    const DeviceBuffer memory_of_sums(blocks * sizeof(Sums));
    compare<<<blocks, block_size>>>(field, factors, 1.0 / function.eigenvalue, count,
                                    static_cast<Sums*>(memory_of_sums.data()));
    check(cudaGetLastError(), "compare");
    std::vector<Sums> sums(blocks);
    copy_to_host(sums.data(), memory_of_sums.data(), memory_of_sums.size());
    Sums total{0.0, 0.0, 0.0};
    for (const Sums& part : sums) {
        total.difference += part.difference;
        total.reference += part.reference;
        if (!(part.largest <= total.largest)) total.largest = part.largest;
    }
    const double allowed = tolerance::solve<T>(points) * function.amplification;
    EXPECT_LE(std::sqrt(total.difference / total.reference), allowed);
    // One wrong element among billions does not show in the norm. The largest value of the solution is 1/|Λ|;
    // single elements scatter about the norm's error.
    EXPECT_LE(total.largest * std::abs(function.eigenvalue), 8 * allowed);
}

TEST(LargeSolve, MoreThan32BitsOfFloatsInMemoryStandard) {
    static_assert(Index{1600} * 1640 * 1680 > Index{1} << 32);
    check_large<float>({cell_dd, cell_p, cell_nn}, {1600, 1640, 1680}, Memory::standard, {1, 1, 2});
}

TEST(LargeSolve, MoreThan32BitsOfFloatsInMemoryFast) {
    check_large<float>({cell_p, cell_dn, cell_nn}, {1600, 1640, 1680}, Memory::fast, {2, 1, 3});
}

// Lengths of which every pass has a kernel.
TEST(LargeSolve, MoreThan32BitsOfFloatsInFusedPasses) {
    static_assert(Index{1600} * 1680 * 1620 > Index{1} << 32);
    check_large<float>({cell_p, cell_dn, cell_nn}, {1600, 1680, 1620}, Memory::fast, {2, 1, 3}, Engine::fused);
}

TEST(LargeSolve, MoreThan31BitsOfDoublesOnNodesInFusedPasses) {
    check_large<double>({node_dd, cell_nd, node_nn}, {1281, 1296, 1351}, Memory::fast, {2, 1, 1}, Engine::fused);
}

TEST(LargeSolve, MoreThan31BitsOfDoubles) {
    check_large<double>({cell_dd, cell_nn, cell_p}, {1280, 1300, 1320}, Memory::standard, {2, 1, 1});
}

TEST(LargeSolve, MoreThan31BitsOfDoublesOnNodes) {
    check_large<double>({node_dd, cell_nd, node_nn}, {1281, 1300, 1321}, Memory::fast, {2, 1, 1});
}

// One axis so long that planes of the other two, counted along it, pass 2^31 elements.
TEST(LargeSolve, ManyPlanes) {
    check_large<float>({cell_dd, cell_p, cell_nn}, {524288, 66, 63}, Memory::standard, {2, 1, 1});
}

TEST(LargeSolve, ManyRows) {
    check_large<float>({cell_nn, cell_dd, cell_p}, {66, 524288, 63}, Memory::standard, {1, 2, 1});
}

TEST(LargeSolve, LongLines) {
    check_large<float>({cell_p, cell_nn, cell_dd}, {66, 63, 524288}, Memory::standard, {1, 1, 2});
}

// More than 2^31 lines of one point each.
TEST(LargeSolve, MoreLinesThan31Bits) {
    check_large<float>({cell_dd, cell_p, cell_nn}, {46400, 46400, 1}, Memory::standard, {2, 1, 0});
    check_large<float>({cell_nn, cell_dd, cell_p}, {1, 46400, 46400}, Memory::standard, {0, 1, 2});
}

}  // namespace
}  // namespace poisson3d
