// The maps of C2R and R2C against their definition, for every shape there is room for.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "rectangle_plan.hpp"

namespace poisson3d::rectangle {
namespace {

constexpr Index most = 40;

bool is_permutation(std::vector<Index> values) {
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != static_cast<Index>(i)) return false;
    return true;
}

/// The sweeps of a plan as the comment of rectangle_maps.hpp writes them, on a matrix of numbers.
void apply(const Sweep& s, std::vector<Index>& matrix) {
    const auto [m, n, item, batch, stride] = s.matrices;
    const Maps maps(m, n);
    const std::vector<Index> before = matrix;
    const auto at = [&, pitch = n * item](Index row, Index x) { return static_cast<std::size_t>(row * pitch + x); };
    for (Index k = 0; k < m; ++k)
        for (Index x = 0; x < n * item; ++x) {
            std::size_t one = at(k, x), other = one;
            if (s.kind == Kind::columns) {
                one = at((k + x / s.divisor) % m, x);
                other = at(s.permuted ? maps.q(k) : k, x);
            } else {
                other = at(k, maps.d(k, x / item) * item + x % item);
            }
            if (s.direction == Direction::c2r)
                matrix[other] = before[one];
            else
                matrix[one] = before[other];
        }
}

TEST(RectangleMaps, EveryMapIsABijection) {
    for (Index m = 1; m <= most; ++m)
        for (Index n = 1; n <= most; ++n) {
            const Maps maps(m, n);
            std::vector<Index> rows(static_cast<std::size_t>(m)), items(static_cast<std::size_t>(n));
            for (Index k = 0; k < m; ++k) rows[static_cast<std::size_t>(k)] = maps.q(k);
            EXPECT_TRUE(is_permutation(rows)) << "q of " << m << " x " << n;
            for (Index i = 0; i < m; ++i) {
                for (Index j = 0; j < n; ++j) items[static_cast<std::size_t>(j)] = maps.d(i, j);
                ASSERT_TRUE(is_permutation(items)) << "d of row " << i << " of " << m << " x " << n;
            }
        }
}

TEST(RectangleMaps, ThePlansTranspose) {
    for (const Index item : {1, 3})
        for (Index rows = 1; rows <= most; ++rows)
            for (Index columns = 1; columns <= most; ++columns) {
                std::vector<Index> matrix(static_cast<std::size_t>(rows * columns * item)), wanted = matrix;
                std::iota(matrix.begin(), matrix.end(), Index{0});
                for (Index i = 0; i < rows; ++i)
                    for (Index j = 0; j < columns; ++j)
                        for (Index l = 0; l < item; ++l)
                            wanted[static_cast<std::size_t>((j * rows + i) * item + l)] =
                                (i * columns + j) * item + l;
                DenseMatrices d;
                d.rows = rows, d.columns = columns, d.item = item;
                const std::vector<Sweep> sweeps = plan_sweeps(d, {});
                for (const Sweep& sweep : sweeps) apply(sweep, matrix);
                ASSERT_EQ(matrix, wanted) << rows << " x " << columns;
                const std::size_t steps = std::gcd(rows, columns) == 1 ? 2 : 3;
                ASSERT_EQ(sweeps.size(), rows > 1 && columns > 1 ? steps : 0);
            }
}

TEST(RectangleMaps, WalksFindWhatTheDefinitionSays) {
    for (Index m = 1; m <= most; ++m)
        for (Index n = 1; n <= most; ++n)
            for (const std::uint32_t step : {1U, 2U, 7U, 64U, 512U}) {
                const Maps maps(m, n);
                const RowMap map(maps);
                const RowStride stride(map, step);
                RowWalk at(map, 1 % static_cast<std::uint32_t>(m), 3);
                for (Index item = 1 % m * n + 3; item < m * n; item += step, at.advance(stride)) {
                    ASSERT_EQ(at.row, item / n);
                    ASSERT_EQ(at.column, item % n);
                    ASSERT_EQ(at.image(), maps.d(item / n, item % n)) << m << " x " << n << ", item " << item;
                }
            }
}

TEST(RectangleMaps, WalksOfLongRows) {
    const Index sides[][2] = {{65537, 908000}, {70001, 65537}, {3, 2147483647}, {2147483646, 3}, {131072, 1048576}};
    for (const auto& [m, n] : sides) {
        const Maps maps(m, n);
        const RowMap map(maps);
        const RowStride stride(map, 509);
        for (const Index row : {Index{0}, m / 2, m - 1}) {
            RowWalk at(map, static_cast<std::uint32_t>(row), 0);
            for (Index item = 0; item < std::min<Index>(n, 2'000'000); item += 509, at.advance(stride))
                ASSERT_EQ(at.image(), maps.d(row, item)) << m << " x " << n << ", (" << row << ", " << item << ")";
        }
    }
}

TEST(RectangleMaps, ReciprocalsAreExact) {
    std::vector<std::uint32_t> values{0, 1, 2, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU};
    std::vector<std::uint32_t> divisors{1,     2,     3,           7,           641,        65535,
                                        65536, 65537, 0x7fffffffU, 0x80000000U, 0xffffffffU};
    for (const std::uint32_t d : divisors) {
        const Reciprocal by(d);
        std::vector<std::uint32_t> all = values;
        for (std::uint32_t i = 1; i < 4000; ++i) {
            const auto multiple =
                static_cast<std::uint32_t>(std::uint64_t{d} * (i * 1048573ULL % (0xffffffffU / d + 1)));
            all.insert(all.end(), {multiple, multiple - 1, multiple + 1, i * 1073741827U});
        }
        for (const std::uint32_t x : all) ASSERT_EQ(by.quotient(x), x / d) << x << " / " << d;
    }
}

TEST(RectangleMaps, Inverses) {
    for (Index v = 1; v < 200; ++v)
        for (Index u = 1; u < 400; ++u) {
            if (std::gcd(u, v) != 1) continue;
            ASSERT_EQ(inverse(u, v) * u % v, v == 1 ? 0 : 1) << u << " mod " << v;
        }
}

}  // namespace
}  // namespace poisson3d::rectangle
