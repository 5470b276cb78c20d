// Block orders are bijections, for every size and band, and stay exact where rounded square roots would not.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "poisson3d/block_order.hpp"
#include "poisson3d/error.hpp"
#include "random_values.hpp"

namespace poisson3d {
namespace {

using order::below;

// ---- One order as data, so that all tests run over all orders ----

struct Triangle {
    BlockOrder order;
    bool has_band;
    Index (*key)(Index m, Index w, Diagonal diagonal, Tile tile);
    Tile (*tile)(Index m, Index w, Diagonal diagonal, Index k);
};

/// GoogleTest would print the bytes between the members, too, and they change from build to build.
void PrintTo(const Triangle& triangle, std::ostream* out) {
    *out << name(triangle.order);
}

template <BlockOrder Order>
constexpr Triangle triangle{Order, Order == BlockOrder::v1b, &order::triangle_key<Order>,
                            &order::triangle_tile<Order>};
constexpr Triangle triangles[] = {triangle<BlockOrder::v1>, triangle<BlockOrder::v1r>, triangle<BlockOrder::v2>,
                                  triangle<BlockOrder::v1b>};

class TriangleOrder : public testing::TestWithParam<Triangle> {};
INSTANTIATE_TEST_SUITE_P(Orders, TriangleOrder, testing::ValuesIn(triangles),
                         [](const auto& test) { return std::string(name(test.param.order)); });

/// Every key gives a tile of the triangle that no other key gives, and the tile gives the key.
void expect_bijection(const Triangle& t, Index m, Index w, Diagonal diagonal) {
    const Index keys = order::triangle_keys(m, diagonal);
    std::vector<char> seen(static_cast<std::size_t>(m * m), 0);
    for (Index k = 0; k < keys; ++k) {
        const Tile tile = t.tile(m, w, diagonal, k);
        const Index reach = diagonal == Diagonal::included ? tile.row + 1 : tile.row;
        ASSERT_TRUE(tile.column >= 0 && tile.column < reach && tile.row < m)
            << "m " << m << " w " << w << " k " << k << ": (" << tile.column << ", " << tile.row << ")";
        char& visited = seen[static_cast<std::size_t>(tile.row * m + tile.column)];
        ASSERT_FALSE(visited) << "m " << m << " w " << w << " k " << k;
        visited = 1;
        ASSERT_EQ(t.key(m, w, diagonal, tile), k) << "m " << m << " w " << w;
    }
}

TEST_P(TriangleOrder, IsABijectionForEverySizeAndBand) {
    for (const Diagonal diagonal : {Diagonal::excluded, Diagonal::included})
        for (Index m = 1; m <= 80; ++m)
            for (Index w = 1; w <= (GetParam().has_band ? m + 2 : 1); ++w) {
                expect_bijection(GetParam(), m, w, diagonal);
                if (HasFatalFailure()) return;
            }
}

TEST_P(TriangleOrder, IsExactAtRandomKeys) {
    for (const Index m : {Index{1482911}, Index{1} << 24, (Index{1} << 29) + 3})
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const Index w = GetParam().has_band ? 1 + static_cast<Index>(test::hash(i, 1) % 5000) : 1;
            const Index k = static_cast<Index>(test::hash(i, 2) % static_cast<std::uint64_t>(below(m)));
            const Tile tile = GetParam().tile(m, w, Diagonal::excluded, k);
            ASSERT_TRUE(0 <= tile.column && tile.column < tile.row && tile.row < m) << k;
            ASSERT_EQ(GetParam().key(m, w, Diagonal::excluded, tile), k) << "m " << m << " w " << w;
        }
}

/// The neighbours of every place where a row, a column or a band begins.
TEST_P(TriangleOrder, IsExactAtRowStarts) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Index m = 3 + static_cast<Index>(test::hash(i, 3) % (std::uint64_t{1} << (2 + i % 28)));
        const Index w = 1 + static_cast<Index>(test::hash(i, 4) % 64);
        const Index y = 1 + static_cast<Index>(test::hash(i, 5) % static_cast<std::uint64_t>(m - 1));
        for (const Tile start : {Tile{0, y}, Tile{y - 1, y}, Tile{y - 1, m - 1}, Tile{y / w * w, y / w * w + 1}}) {
            if (start.row >= m) continue;
            const Index middle = GetParam().key(m, w, Diagonal::excluded, start);
            ASSERT_EQ(GetParam().tile(m, w, Diagonal::excluded, middle), start) << "m " << m << " w " << w;
            for (const Index k : {middle - 1, middle + 1}) {
                if (k < 0 || k >= below(m)) continue;
                const Tile tile = GetParam().tile(m, w, Diagonal::excluded, k);
                ASSERT_TRUE(0 <= tile.column && tile.column < tile.row && tile.row < m) << k;
                ASSERT_EQ(GetParam().key(m, w, Diagonal::excluded, tile), k) << "m " << m << " w " << w;
            }
        }
    }
}

TEST(RowOf, IsExactWhereSinglePrecisionIsNot) {
    // The textbook formula in single precision, which these keys are the first to defeat.
    const auto single = [](Index k) {
        return static_cast<Index>((std::sqrt(static_cast<float>(8 * k + 1)) + 1.0F) / 2.0F);
    };
    EXPECT_NE(single(10619135), order::row_of(10619135));
    EXPECT_EQ(order::row_of(10619135), 4608);
    for (const Index k : {Index{8390656}, Index{10619135}, Index{10619136}, Index{268435455}, Index{268435456},
                          Index{268435457}, (Index{1} << 31) + 1, (Index{1} << 40) - 1, Index{1} << 40}) {
        const Index y = order::row_of(k);
        EXPECT_LE(below(y), k);
        EXPECT_GT(below(y + 1), k);
        EXPECT_EQ(order::v1r_key(order::v1r_tile(k)), k);
    }
}

TEST(RowOf, IsExactRoundEveryRowStart) {
    for (Index y = 1; y < Index{1} << 22; y += 1 + y / 64) {
        EXPECT_EQ(order::row_of(below(y)), y);
        EXPECT_EQ(order::row_of(below(y + 1) - 1), y);
    }
    for (Index shift = 22; shift < 30; ++shift)
        for (Index y = (Index{1} << shift) - 40; y < (Index{1} << shift) + 40; ++y) {
            ASSERT_EQ(order::row_of(below(y)), y);
            ASSERT_EQ(order::row_of(below(y) + 1), y);
            ASSERT_EQ(order::row_of(below(y) - 1), y - 1);
        }
}

TEST(V1b, IsABijectionWhereSinglePrecisionIsNot) {
    expect_bijection(triangle<BlockOrder::v1b>, 4105, 8, Diagonal::excluded);
}

TEST(V1b, OfWidthOneIsV2) {
    for (Index m = 2; m < 40; ++m)
        for (Index k = 0; k < below(m); ++k) ASSERT_EQ(order::v1b_tile(m, 1, k), order::v2_tile(m, k));
}

TEST(V1b, OfFullWidthIsV1) {
    for (Index m = 2; m < 40; ++m)
        for (Index k = 0; k < below(m); ++k) ASSERT_EQ(order::v1b_tile(m, m, k), order::v1_tile(k));
}

// ---- Rectangle ----

constexpr Index rectangle_rows[] = {1, 2, 3, 7, 8, 31, 32, 33, 80};

TEST(V1bf, IsABijectionForEverySizeAndBand) {
    for (Index columns = 1; columns <= 80; ++columns)
        for (const Index rows : rectangle_rows)
            for (Index w = 1; w <= columns + 2; ++w) {
                std::vector<char> seen(static_cast<std::size_t>(columns * rows), 0);
                for (Index k = 0; k < columns * rows; ++k) {
                    const Tile tile = order::v1bf_tile(columns, rows, w, k);
                    ASSERT_TRUE(0 <= tile.column && tile.column < columns && 0 <= tile.row && tile.row < rows);
                    char& visited = seen[static_cast<std::size_t>(tile.row * columns + tile.column)];
                    ASSERT_FALSE(visited);
                    visited = 1;
                    ASSERT_EQ(order::v1bf_key(columns, rows, w, tile), k) << columns << " " << rows << " " << w;
                }
            }
}

TEST(V1bf, HoldsTheOtherRectangleOrders) {
    for (Index columns = 1; columns <= 40; ++columns)
        for (const Index rows : rectangle_rows)
            for (Index k = 0; k < columns * rows; ++k) {
                const Index by_rows = order::rectangle_band(BlockOrder::row_major, columns, 5);
                const Index by_columns = order::rectangle_band(BlockOrder::column_major, columns, 5);
                const Tile row_major = order::row_major_tile(columns, k);
                const Tile column_major = order::column_major_tile(rows, k);
                ASSERT_EQ(order::v1bf_tile(columns, rows, by_rows, k), row_major);
                ASSERT_EQ(order::v1bf_tile(columns, rows, by_columns, k), column_major);
                ASSERT_EQ(order::row_major_key(columns, row_major), k);
                ASSERT_EQ(order::column_major_key(rows, column_major), k);
            }
}

TEST(V1bf, IsExactAtRandomKeys) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Index columns = 1 + static_cast<Index>(test::hash(i, 6) % (std::uint64_t{1} << 22));
        const Index rows = 1 + static_cast<Index>(test::hash(i, 7) % (std::uint64_t{1} << 22));
        const Index w = 1 + static_cast<Index>(test::hash(i, 8) % 5000);
        const Index k = static_cast<Index>(test::hash(i, 9) % static_cast<std::uint64_t>(columns * rows));
        const Tile tile = order::v1bf_tile(columns, rows, w, k);
        ASSERT_TRUE(0 <= tile.column && tile.column < columns && 0 <= tile.row && tile.row < rows);
        ASSERT_EQ(order::v1bf_key(columns, rows, w, tile), k);
    }
}

// ---- What a reader of the formulas can check by hand ----

// 3 × 3 tiles: v1 goes (0,1) (0,2) (1,2), v1r turns the second row round, v2 goes down the columns.
static_assert(order::v1_tile(1) == Tile{0, 2} && order::v1_tile(2) == Tile{1, 2});
static_assert(order::v1r_tile(1) == Tile{1, 2} && order::v1r_tile(2) == Tile{0, 2});
static_assert(order::v2_tile(3, 1) == Tile{0, 2} && order::v2_tile(3, 2) == Tile{1, 2});
// 5 × 5 tiles in bands of 2: a triangle of three, two rows of two, then the next band.
static_assert(order::v1b_tile(5, 2, 0) == Tile{0, 1} && order::v1b_tile(5, 2, 3) == Tile{0, 3});
static_assert(order::v1b_tile(5, 2, 6) == Tile{1, 4} && order::v1b_tile(5, 2, 7) == Tile{2, 3});
static_assert(order::triangle_tile<BlockOrder::v1>(3, 0, Diagonal::included, 0) == Tile{0, 0});
static_assert(order::row_of(10619135) == 4608, "exact in constant expressions too");

TEST(BlockOrderNames, AreReadBack) {
    for (const BlockOrder value :
         {BlockOrder::automatic, BlockOrder::row_major, BlockOrder::column_major, BlockOrder::v1bf, BlockOrder::v1,
          BlockOrder::v1r, BlockOrder::v2, BlockOrder::v1b})
        EXPECT_EQ(parse_block_order(name(value)), value);
    EXPECT_STREQ(name(BlockOrder::column_major), "column-major");
    try {
        parse_block_order("v3");
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_NE(std::string(error.what()).find("v1bf"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace poisson3d
