// Transposes in place through the public class, on the backend that the environment names.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "backend_under_test.hpp"
#include "in_place_exactness.hpp"
#include "poisson3d/device.hpp"

namespace poisson3d {
namespace {

using test::backend;
using test::in_place_problem;

const bool on_device = backend == Backend::cuda;
constexpr Permutation swap_yz{0, 2, 1};
constexpr Permutation swap_xy{1, 0, 2};
constexpr Permutation swap_xz{2, 1, 0};
constexpr InPlaceAlgorithm of_squares[] = {InPlaceAlgorithm::thread_wise, InPlaceAlgorithm::exchange,
                                           InPlaceAlgorithm::super_grid};
constexpr BlockOrder triangular[] = {BlockOrder::v1, BlockOrder::v1r, BlockOrder::v2, BlockOrder::v1b};

void expect_exact(const InPlaceProblem& problem, InPlaceOptions options, int shift = 0) {
    options.backend = backend;
    const TransposeInPlace plan(problem, options);
    SCOPED_TRACE(test::describe(problem) + ", " + plan.description());
    EXPECT_NE(plan.algorithm(), InPlaceAlgorithm::automatic);
    test::expect_exact_in_place(problem, backend, shift, [&](void* data) { plan.execute(data); });
}

InPlaceOptions with(InPlaceAlgorithm algorithm, BlockOrder order = BlockOrder::automatic, Index band = 0,
                    int threads = 1) {
    InPlaceOptions options;
    options.algorithm = algorithm;
    options.order = order;
    options.band = band;
    options.threads = threads;
    return options;
}

/// Skips where there is no device; a test of such a build is never shown as passed.
class InPlace : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        if (!on_device) return;
        if (const DeviceList list = find_devices(); list.devices.empty()) GTEST_SKIP() << list.reason;
    }
    static int bytes() { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, InPlace, testing::Values(4, 8, 16), testing::PrintToStringParamName());

// ---- Any box ----

TEST_P(InPlace, AnyBoxEveryPermutation) {
    for (Index i = 1; i <= 12; ++i)
        for (Index j = 1; j <= 12; ++j)
            for (Index k = 1; k <= 12; ++k) {
                const auto seed = test::hash(static_cast<std::uint64_t>((i * 13 + j) * 13 + k));
                if (on_device && seed % 5 != 0) continue;
                const Index batch = 1 + static_cast<Index>(seed >> 8 & 1) * static_cast<Index>(1 + (seed >> 9 & 1));
                const Index gap = static_cast<Index>(seed >> 16 & 3);
                for (const Permutation& permutation : test::all_permutations)
                    expect_exact(in_place_problem({i, j, k}, permutation, bytes(), batch, gap),
                                 with(InPlaceAlgorithm::automatic), static_cast<int>(seed >> 24 & 7));
                if (HasFatalFailure()) return;
            }
}

TEST_P(InPlace, AnyBoxByRectanglesAndCycles) {
    for (Index i = 1; i <= 9; i += 2)
        for (Index j = 1; j <= 12; j += 3)
            for (Index k = 1; k <= 9; ++k)
                for (const Permutation& permutation : test::all_permutations) {
                    const InPlaceProblem problem = in_place_problem({i, j, k}, permutation, bytes(), 2, k % 3);
                    expect_exact(problem, with(InPlaceAlgorithm::rectangle));
                    if (!on_device) expect_exact(problem, with(InPlaceAlgorithm::cycles));
                    if (HasFatalFailure()) return;
                }
}

TEST_P(InPlace, AnyBoxOfThreads) {
    for (const Permutation& permutation : test::all_permutations)
        for (const Extents& extents :
             {Extents{70, 90, 110}, {64, 64, 64}, {65, 31, 65}, {50, 50, 7}, {3, 300, 300}})
            expect_exact(in_place_problem(extents, permutation, bytes(), 2, 5),
                         with(InPlaceAlgorithm::automatic, BlockOrder::automatic, 0, 3));
}

// ---- Equal sides ----

/// A square on either side of what tiles like, as each of the exchanges.
void expect_squares(Index side, Index other, int bytes, const InPlaceOptions& options) {
    const int shift = static_cast<int>(side % 3);
    expect_exact(in_place_problem({other, side, side}, swap_yz, bytes, 2, side % 2 * 3), options, shift);
    expect_exact(in_place_problem({side, side, other}, swap_xy, bytes, 2, side % 2), options, shift);
    expect_exact(in_place_problem({side, other, side}, swap_xz, bytes, 2, side % 2 * 5), options, shift);
}

TEST_P(InPlace, SquaresOfManySides) {
    for (const Index side : {1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 97, 127, 128, 129, 200}) {
        for (const InPlaceAlgorithm algorithm : of_squares)
            expect_squares(side, 1 + side % 4, bytes(), with(algorithm));
        expect_squares(side, 3, bytes(), with(InPlaceAlgorithm::automatic));
        if (HasFatalFailure()) return;
    }
}

TEST_P(InPlace, SquaresInEveryOrder) {
    for (const Index side : {65, 130, 257, 321})
        for (const BlockOrder order : triangular)
            for (const Index band : {0, 1, 2, 3, 5, 100}) {
                expect_squares(side, 2, bytes(), with(InPlaceAlgorithm::exchange, order, band));
                expect_squares(side, 2, bytes(), with(InPlaceAlgorithm::super_grid, order, band));
                if (HasFatalFailure()) return;
                if (order != BlockOrder::v1b && band == 1) break;
            }
}

TEST_P(InPlace, LargeSquares) {
    for (const Index side : {255, 257, 1000, 1023, 1025})
        for (const InPlaceAlgorithm algorithm : of_squares)
            expect_exact(in_place_problem({1, side, side}, swap_yz, bytes()), with(algorithm), 1);
    if (bytes() == 4) expect_exact(in_place_problem({4099, 4099, 1}, swap_xy, 4), with(InPlaceAlgorithm::exchange));
}

/// Rows that change places: on either side of a word, of the length from which they are rows, of a chunk.
TEST_P(InPlace, RowsOfManyLengths) {
    for (const Index length : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 64, 127, 250, 1000, 1023, 4096, 5001})
        for (const Index side : {2, 3, 17, 33}) {
            for (const InPlaceAlgorithm algorithm : of_squares)
                expect_exact(in_place_problem({side, side, length}, swap_xy, bytes(), 2, length % 2),
                             with(algorithm, BlockOrder::automatic, 5), static_cast<int>(length % 4));
            if (HasFatalFailure()) return;
        }
}

/// Many small squares; their number does not fit one dimension of a grid but the first.
TEST_P(InPlace, ManySmallSquares) {
    for (const Index side : {2, 3, 7, 15, 16, 20})
        expect_exact(in_place_problem({70001 / side, side, side}, swap_yz, bytes()),
                     with(InPlaceAlgorithm::automatic));
}

// ---- Cubes ----

TEST_P(InPlace, CubesOfManySides) {
    for (Index side = 1; side <= 50; side += side > 20 && on_device ? 3 : 1)
        for (const Permutation& permutation : {rotation, rotation_back})
            expect_exact(in_place_problem({side, side, side}, permutation, bytes(), 2, side % 3),
                         with(InPlaceAlgorithm::cube), static_cast<int>(side % 2));
}

TEST_P(InPlace, LargerCubes) {
    for (const Index side : {63, 64, 65, 97, 127, 129, 161})
        for (const Permutation& permutation : {rotation, rotation_back})
            expect_exact(in_place_problem({side, side, side}, permutation, bytes()),
                         with(InPlaceAlgorithm::automatic, BlockOrder::automatic, 0, 3), 1);
}

TEST_P(InPlace, ThreeRotationsAreNone) {
    const Index n = 37;
    InPlaceOptions options = with(InPlaceAlgorithm::automatic);
    options.backend = backend;
    const TransposeInPlace turn(in_place_problem({n, n, n}, rotation, bytes()), options);
    test::expect_exact_in_place(in_place_problem({n, n, n}, identity_order, bytes()), backend, 0, [&](void* data) {
        for (int i = 0; i < 3; ++i) turn.execute(data);
    });
}

}  // namespace
}  // namespace poisson3d
