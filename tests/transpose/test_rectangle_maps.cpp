// The maps of C2R and R2C against their definition, for every shape there is room for.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "rectangle/plan.hpp"

namespace poisson3d::rectangle {
namespace {

constexpr Index most = 40;

bool is_permutation(std::vector<Index> values) {
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != static_cast<Index>(i)) return false;
    return true;
}

/// The sweeps of a plan as the comments of rectangle_maps.hpp and rectangle_plan.hpp write them, on one matrix of
/// numbers.
void apply_steps(const Sweep& s, Index* matrix) {
    const Matrices& all = s.matrices;
    const Maps maps(all.m, all.n);
    const std::vector<Index> before(matrix, matrix + all.m * all.pitch());
    for (Index k = 0; k < all.m; ++k)
        for (Index x = 0; x < all.pitch(); ++x) {
            Index one = k * all.pitch() + x, other = one;
            if (s.kind == Kind::columns) {
                one = (k + x / s.divisor) % all.m * all.pitch() + x;
                other = (s.permuted ? maps.q(k) : k) * all.pitch() + x;
            } else {
                other = k * all.pitch() + maps.d(k, x / all.item) * all.item + x % all.item;
            }
            const bool c2r = s.direction == Direction::c2r;
            matrix[c2r ? other : one] = before[static_cast<std::size_t>(c2r ? one : other)];
        }
}

void apply_rest(const Sweep& s, Index* matrix, std::vector<Index>& rest) {
    const Matrices& all = s.matrices;
    const Index open = (all.n + s.rest) * all.item;
    const Index all_open = all.m * open;
    const std::vector<Index> before(matrix, matrix + all_open);
    const bool c2r = s.direction == Direction::c2r;
    const bool aside = s.kind == Kind::save_rest;
    if (aside) rest.assign(static_cast<std::size_t>(all.m * s.rest * all.item), -1);
    for (Index i = 0; i < all.m; ++i)
        for (Index x = 0; x < open; ++x) {
            const Index j = x / all.item - all.n;
            const Index closed = i * all.pitch() + x;
            const Index within = (j * all.m + i) * all.item + x % all.item;
            const Index place = c2r == aside ? i * open + x : all.m * all.pitch() + within;
            if (j >= 0 && aside) rest[static_cast<std::size_t>(within)] = before[static_cast<std::size_t>(place)];
            if (j >= 0 && !aside) matrix[place] = rest[static_cast<std::size_t>(within)];
            if (j < 0 && c2r && aside) matrix[closed] = before[static_cast<std::size_t>(i * open + x)];
            if (j < 0 && !c2r && !aside) matrix[i * open + x] = before[static_cast<std::size_t>(closed)];
        }
}

void apply(const std::vector<Sweep>& sweeps, Index* data) {
    std::vector<Index> rest;
    for (const Sweep& s : sweeps)
        for (Index b = 0; b < s.matrices.count(); ++b) {
            Index* const matrix = data + s.matrices.offset(b);
            if (s.kind == Kind::columns || s.kind == Kind::rows)
                apply_steps(s, matrix);
            else
                apply_rest(s, matrix, rest);
        }
}

std::vector<Index> numbers(Index count) {
    std::vector<Index> result(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), Index{0});
    return result;
}

void expect_transposes(const DenseMatrices& d, const std::vector<Sweep>& sweeps) {
    std::vector<Index> matrix = numbers(d.rows * d.columns * d.item), wanted = matrix;
    for (Index i = 0; i < d.rows; ++i)
        for (Index j = 0; j < d.columns; ++j)
            for (Index l = 0; l < d.item; ++l)
                wanted[static_cast<std::size_t>((j * d.rows + i) * d.item + l)] = (i * d.columns + j) * d.item + l;
    apply(sweeps, matrix.data());
    ASSERT_EQ(matrix, wanted) << d.rows << " x " << d.columns << " items of " << d.item << ", " << describe(sweeps);
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
                const DenseMatrices d{.rows = rows, .columns = columns, .item = item};
                const std::vector<Sweep> sweeps = plan_sweeps(d, {Index{1} << 20, 8});
                const std::size_t steps = std::gcd(rows, columns) == 1 ? 2 : 3;
                ASSERT_EQ(sweeps.size(), rows > 1 && columns > 1 ? steps : 0);
                expect_transposes(d, sweeps);
            }
}

TEST(RectangleMaps, ThePlansOfLongRowsTranspose) {
    int with_rest = 0;
    for (const Index item : {1, 3})
        for (Index rows = 1; rows <= most; ++rows)
            for (Index columns = 1; columns <= most; ++columns) {
                const DenseMatrices d{.rows = rows, .columns = columns, .item = item};
                const std::vector<Sweep> sweeps = plan_sweeps(d, {7 * 8, 8});
                expect_transposes(d, sweeps);
                if (HasFatalFailure()) return;
                with_rest += sweeps.size() > 1 && sweeps.front().rest + sweeps.back().rest > 0 ? 1 : 0;
                const bool is_long = std::max(rows, columns) > 7 && std::min(rows, columns) > 1;
                ASSERT_TRUE(!is_long || sweeps.size() >= 4);
            }
    EXPECT_GT(with_rest, 100);
}

TEST(RectangleMaps, CutsAreWhole) {
    for (const Index m : {2, 3, 7, 96})
        for (const Index n : {50, 99991, 262143, 10'000'000, 15'015'003, 3001 * 5003}) {
            const Cut cut = cut_rows(m, n, 8, 32);
            EXPECT_EQ(cut.blocks * cut.length + cut.rest, n);
            EXPECT_GE(cut.rest, 0);
            EXPECT_LT(cut.rest, cut.length);
            EXPECT_GE(cut.blocks, 2);
            EXPECT_GE(cut.length, 2);
        }
}

TEST(RectangleMaps, WalksFindWhatTheDefinitionSays) {
    for (Index m = 1; m <= most; ++m)
        for (Index n = m; n <= most; ++n)
            for (const std::uint32_t step : {1U, 2U, 7U, 64U, 512U}) {
                const Maps maps(m, n);
                const RowMap map(maps);
                const RowStride stride(map, step);
                RowImages at(map, 1 % static_cast<std::uint32_t>(m), 3);
                for (Index item = 1 % m * n + 3; item < m * n; item += step, at.advance(stride)) {
                    ASSERT_EQ(at.row, item / n);
                    ASSERT_EQ(at.column, item % n);
                    ASSERT_EQ(at.image(), maps.d(item / n, item % n)) << m << " x " << n << ", item " << item;
                }
                if (maps.c > 1) continue;
                CoprimeImages along(map, static_cast<std::uint32_t>(m - 1), 2);
                for (Index item = 2; item < n; item += step, along.advance(stride))
                    ASSERT_EQ(along.image(), maps.d(m - 1, item)) << m << " x " << n << ", item " << item;
            }
}

TEST(RectangleMaps, WalksOfLongRows) {
    const Index sides[][2] = {
        {65537, 908000}, {65537, 70001}, {3, 2147483647}, {2147483646, 2147483647}, {131072, 1048576}};
    for (const auto& [m, n] : sides) {
        const Maps maps(m, n);
        const RowMap map(maps);
        const RowStride stride(map, 509);
        for (const Index row : {Index{0}, m / 2, m - 1}) {
            RowImages at(map, static_cast<std::uint32_t>(row), 0);
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
            const std::uint64_t multiples = 0xffffffffU / d + std::uint64_t{1};
            const auto multiple = static_cast<std::uint32_t>(std::uint64_t{d} * (i * 1048573ULL % multiples));
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
