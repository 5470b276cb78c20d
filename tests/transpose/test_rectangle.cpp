// Rectangles in place through their factories, on the backend that the environment names: bitwise, nothing beside
// the matrices touched.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend_under_test.hpp"
#include "exactness.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "rectangle/executors.hpp"
#include "rectangle/lagged_tiles.hpp"

namespace poisson3d {
namespace {

using test::backend;
const bool on_device = backend == Backend::cuda;

std::unique_ptr<InPlaceExecutor> make(const DenseMatrices& matrices, int threads = 2) {
    return on_device ? make_cuda_rectangle(matrices) : make_host_rectangle(matrices, threads);
}

DenseMatrices matrices_of(Index rows, Index columns, int element_bytes, Index item = 1, Index batch = 1,
                          Index gap = 0) {
    return {rows, columns, item, element_bytes, batch, rows * columns * item + gap};
}

DenseMatrices transposed(DenseMatrices m) {
    std::swap(m.rows, m.columns);
    return m;
}

std::string describe(const DenseMatrices& m, const InPlaceExecutor& executor) {
    return std::to_string(m.rows) + " x " + std::to_string(m.columns) + " items of " + std::to_string(m.item) +
           " elements of " + std::to_string(m.element_bytes) + " bytes, batch " + std::to_string(m.batch) + " by " +
           std::to_string(m.batch_stride) + "; " + executor.description();
}

/// The matrices in their surroundings, before and after.
struct Case {
    test::Image before, after;

    Case(const DenseMatrices& m, int shift)
        : before(elements(m), m.element_bytes, shift, 1), after(elements(m), m.element_bytes, shift, 1) {
        Index count = 0;
        for (Index b = 0; b < m.batch; ++b)
            for (Index i = 0; i < m.rows; ++i)
                for (Index j = 0; j < m.columns; ++j)
                    for (Index l = 0; l < m.item; ++l, ++count) {
                        put(before, m, b * m.batch_stride + (i * m.columns + j) * m.item + l, count);
                        put(after, m, b * m.batch_stride + (j * m.rows + i) * m.item + l, count);
                    }
    }
    static Index elements(const DenseMatrices& m) {
        return (m.batch - 1) * m.batch_stride + m.rows * m.columns * m.item;
    }
    static void put(test::Image& image, const DenseMatrices& m, Index at, Index count) {
        test::write_element(&image.bytes[image.start + static_cast<std::size_t>(at * m.element_bytes)], count,
                            m.element_bytes);
    }
};

void expect_memory(const test::BackendBuffer& memory, const test::Image& image) {
    test::Bytes found(image.bytes.size());
    memory.get(found.data());
    test::expect_equal(found, image.bytes, image.start, "the matrix");
}

/// There, and back by the plan of the transpose. `make_one` makes an executor, or none.
template <class Make>
void expect_exact_by(const Make& make_one, const DenseMatrices& m, int shift) {
    const auto there = make_one(m);
    const auto back = make_one(transposed(m));
    if (!there) return;
    SCOPED_TRACE(describe(m, *there));
    EXPECT_EQ(there->algorithm(), InPlaceAlgorithm::rectangle);
    const Case wanted(m, shift);
    test::BackendBuffer memory(backend, wanted.before.bytes.size());
    memory.put(wanted.before.bytes.data());
    for (int repeat = 0; repeat < 2; ++repeat) {
        there->run(memory.data() + wanted.before.start, {});
        expect_memory(memory, wanted.after);
        if (testing::Test::HasFatalFailure()) return;
        back->run(memory.data() + wanted.before.start, {});
        expect_memory(memory, wanted.before);
        if (testing::Test::HasFatalFailure()) return;
    }
}

void expect_exact(const DenseMatrices& m, int shift = 1, int threads = 2) {
    expect_exact_by([&](const DenseMatrices& one) { return make(one, threads); }, m, shift);
}

class OnBackend : public testing::Test {
protected:
    void SetUp() override {
        if (!on_device) return;
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
};

class Elements : public OnBackend, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(, Elements, testing::Values(4, 8, 16),
                         [](const auto& test) { return std::to_string(test.param) + "bytes"; });

TEST_P(Elements, EveryShapeUpTo40) {
    const Index step = on_device ? 3 : 1;  // a dense sample on a device, where a launch costs more than the work
    for (Index rows = 1; rows <= 40; rows += step)
        for (Index columns = 1; columns <= 40; columns += rows % 2 == 0 ? 1 : step) {
            expect_exact(matrices_of(rows, columns, GetParam()), static_cast<int>(rows % 5), 1);
            if (HasFatalFailure()) return;
        }
}

TEST_P(Elements, SidesAroundWhatBlocksLike) {
    const Index sides[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 1000, 1023, 1025, 4099};
    for (const Index rows : sides)
        for (const Index columns : sides) {
            if (!on_device && rows * columns > 300'000) continue;
            if (rows * columns > 2'000'000 && GetParam() == 16) continue;
            expect_exact(matrices_of(rows, columns, GetParam()));
            if (HasFatalFailure()) return;
        }
}

TEST_P(Elements, ItemsStayTogether) {
    const Index shapes[][2] = {{5, 7}, {12, 18}, {33, 64}, {2, 301}, {301, 2}, {129, 100}};
    for (const Index item : {1, 2, 3, 4, 5, 33, 513})
        for (const auto& [rows, columns] : shapes) {
            expect_exact(matrices_of(rows, columns, GetParam(), item));
            if (HasFatalFailure()) return;
        }
}

TEST_P(Elements, BatchesWithGaps) {
    for (const Index item : {1, 3})
        for (const Index gap : {0, 1, 7}) {
            expect_exact(matrices_of(6, 35, GetParam(), item, 5, gap));
            expect_exact(matrices_of(36, 24, GetParam(), item, 3, gap));
            expect_exact(matrices_of(200, 3, GetParam(), item, 4, gap));
            expect_exact(matrices_of(97, 1025, GetParam(), item, 2, gap));
            if (HasFatalFailure()) return;
        }
}

TEST_P(Elements, LongRowsAndColumns) {
    const Index shapes[][2] = {{2, 99'991}, {3, 100'000}, {7, 30'031}, {1, 1'000'003}, {130, 30'001}, {96, 40'000}};
    for (const auto& [rows, columns] : shapes) {
        expect_exact(matrices_of(rows, columns, GetParam()));
        expect_exact(matrices_of(columns, rows, GetParam()));
        if (HasFatalFailure()) return;
    }
}

TEST_P(Elements, RowsThatMustBeCut) {
    const Index bytes = GetParam();
    // Longer than 4 MiB: prime, a product, with items, two in a batch.
    const Index prime = bytes == 4 ? 1'100'009 : bytes == 8 ? 550'007 : 270'029;
    expect_exact(matrices_of(3, prime, GetParam()));
    expect_exact(matrices_of(prime, 2, GetParam()));
    expect_exact(matrices_of(5, 64 * 17'000, GetParam()));
    expect_exact(matrices_of(2, prime, GetParam(), 3, 2, 5));
    expect_exact(matrices_of(prime, 3, GetParam(), 2, 2, 1));
}

TEST_P(Elements, ThreadsAndAlignments) {
    for (int threads = 1; threads <= 4; ++threads)
        for (int shift = 0; shift < 9; ++shift) {
            expect_exact(matrices_of(101, 77, GetParam()), shift, threads);
            if (HasFatalFailure()) return;
        }
}

/// The ways of a device, whichever is chosen.
class Ways : public Elements {
protected:
    void SetUp() override {
        if (!on_device) GTEST_SKIP() << "the host has one way";
        Elements::SetUp();
    }
};
INSTANTIATE_TEST_SUITE_P(, Ways, testing::Values(4, 8, 16),
                         [](const auto& test) { return std::to_string(test.param) + "bytes"; });

const Index sides_of_ways[][2] = {{1, 7},     {2, 300},   {40, 63},   {65, 64},
                                  {129, 100}, {33, 1000}, {257, 255}, {1025, 1023}};

TEST_P(Ways, BySweeps) {
    for (const auto& [rows, columns] : sides_of_ways)
        for (const Index item : {1, 3})
            expect_exact_by([](const DenseMatrices& m) { return make_cuda_rectangle_sweeps(m); },
                            matrices_of(rows, columns, GetParam(), item), 1);
}

TEST_P(Ways, ThroughScratch) {
    const auto by_scratch = [](const DenseMatrices& m) { return make_cuda_rectangle_through_scratch(m); };
    for (const auto& [rows, columns] : sides_of_ways)
        for (const Index item : {1, 3})
            expect_exact_by(by_scratch, matrices_of(rows, columns, GetParam(), item), 1);
    for (const Index gap : {0, 1, 5}) expect_exact_by(by_scratch, matrices_of(97, 130, GetParam(), 1, 5, gap), 3);
    // More than fit at a time, and a rest.
    expect_exact_by(by_scratch, matrices_of(1025, 1023, GetParam(), 1, 80 / GetParam() + 1), 0);
}

TEST_P(Ways, ItemsAlongCycles) {
    for (const auto& [rows, columns] : sides_of_ways)
        for (const Index item : {2, 3, 33, 513, 1100})
            if (rows * columns * item < 600'000)
                expect_exact_by([](const DenseMatrices& m) { return make_cuda_rectangle_items(m); },
                                matrices_of(rows, columns, GetParam(), item, 2, 1), static_cast<int>(item % 3));
}

TEST_P(Ways, ByTiles) {
    for (const Index tile : {0, 128, 256, 512})
        for (const auto& [rows, columns] : sides_of_ways)
            expect_exact_by([&](const DenseMatrices& m) { return make_cuda_rectangle_tiles(m, tile); },
                            matrices_of(rows, columns, GetParam(), 1, 2, 3), static_cast<int>(tile % 5));
    if (GetParam() == 16) return;
    expect_exact_by([&](const DenseMatrices& m) { return make_cuda_rectangle_tiles(m, 128); },
                    matrices_of(257, 70, GetParam(), 16 / GetParam()), 0);
}

/// Groups and lags small enough to meet: what is overwritten must have been read.
TEST_P(Ways, ByTilesWithAnyLag) {
    const Index shapes[][2] = {{1500, 70}, {700, 257}, {1024, 64}, {333, 332}};
    for (const auto& [n, k] : shapes)
        for (const int log : {4, 5})
            for (const int group : {1, 3})
                for (const Index lag : {1, 4})
                    for (const bool tall : {true, false}) {
                        const rectangle::LaggedCuts cuts{StructureTiles(n, static_cast<int>(k), log), group, lag, 7,
                                                         lag == 1};
                        expect_exact_by([&](const DenseMatrices& m) { return make_cuda_lagged_rectangle(m, cuts); },
                                        matrices_of(tall ? n : k, tall ? k : n, GetParam()), group);
                        if (HasFatalFailure()) return;
                    }
}

TEST_F(OnBackend, ScratchIsBounded) {
    for (const auto& [rows, columns] : {std::array<Index, 2>{3, 10'000'000}, {10'000'000, 3}, {9001, 12'007}}) {
        const auto plan = make(matrices_of(rows, columns, 8));
        EXPECT_LE(plan->scratch_bytes(), std::size_t{64} << 20) << rows << " x " << columns;
    }
}

}  // namespace
}  // namespace poisson3d
