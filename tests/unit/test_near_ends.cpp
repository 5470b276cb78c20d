// Parts of lines reduced from their ends, against all of their nodes eliminated.
#include "near_ends.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axis_tables.hpp"
#include "random_values.hpp"
#include "stretched_axis.hpp"

namespace poisson3d::members {

/// The kernel, on the host.
template <class T>
void launch_near_ends(const NearEndsTask<T>& task, bool, Stream) {
    for (Index slow = 0; slow < task.slow_count; ++slow)
        for (Index line = 0; line < task.lines; ++line) {
            task.template reduce<true>(slow, line);
            task.template reduce<false>(slow, line);
        }
}
template void launch_near_ends(const NearEndsTask<float>&, bool, Stream);
template void launch_near_ends(const NearEndsTask<double>&, bool, Stream);

namespace {

/// A part of an axis of `n` points, uniform or of steps within `ratio` of each other.
template <class T>
lines::ChainTables<T> part_of_chain(Index n, Index first, Index count, double ratio, Boundary ends) {
    Axis axis{n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, ends, ends};
    if (ratio > 1.0) axis.widths = test::random_steps(n, ratio, 1);
    return lines::ChainTables<T>(make_chain(axis)).part(first, count);
}

template <class T>
class NearEndsTest : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(NearEndsTest, Types);

/// What is not read changes nothing but last bits, wherever f is large; and half of the part is not read.
TYPED_TEST(NearEndsTest, GiveTheCurrentsOfWholeParts) {
    using T = TypeParam;
    constexpr double eps = std::numeric_limits<T>::epsilon();
    int shorter = 0;
    for (const Boundary ends : {Boundary::dirichlet, Boundary::neumann, Boundary::periodic})
        for (const double ratio : {1.0, 20.0})
            for (const Index first : {0, 100, 300})
                for (const int n : {32, 57, 200}) {
                    if (ends == Boundary::periodic && ratio > 1.0) continue;
                    const auto tables = part_of_chain<T>(500, first, n, ratio, ends);
                    for (const double kappa : {1e2, 1e4, 1e5, 4e5, 2e6}) {
                        std::vector<T> f(static_cast<std::size_t>(n)), work(lines::elimination_work(n));
                        for (int j = 0; j < n; ++j)
                            f[static_cast<std::size_t>(j)] =
                                static_cast<T>(test::uniform(static_cast<std::uint64_t>(j), 7));
                        const Reach reach = reach_of(tables.on_host(), kappa);
                        EXPECT_LE(reach.last, n);
                        EXPECT_LE(reach.first, n - 1);
                        shorter += reach.last + reach.first < n / 2 ? 1 : 0;
                        T current = 0, left_current = 0;
                        const T lambda = static_cast<T>(-kappa), none = 0;
                        NearEndsTask<T> task{tables.on_host(), f.data(), 0, 0,     1,      1,        1,
                                             &lambda,          &none,    0, T(-2), &reach, &current, &left_current};
                        task.template reduce<true>(0, 0);
                        task.template reduce<false>(0, 0);
                        std::vector<T> b(f), size(f);
                        for (std::size_t j = 0; j < b.size(); ++j) {
                            b[j] = tables.volumes[j] * (T(2) * f[j]);
                            size[j] = std::abs(b[j]);
                        }
                        const auto whole = [&](std::vector<T>& from) {
                            const lines::NodesOfChain<T, T> nodes{tables.on_host(), static_cast<T>(kappa),
                                                                  from.data()};
                            return lines::reduce_line(nodes, n, from.data(), work.data());
                        };
                        const auto expected = whole(b), sizes = whole(size);
                        EXPECT_NEAR(current, expected.current, 8 * eps * sizes.current) << n << " " << kappa;
                        EXPECT_NEAR(left_current, expected.left_current, 8 * eps * sizes.left_current)
                            << n << " " << kappa;
                    }
                }
    EXPECT_GT(shorter, 20);
}

/// Of a cube in two parts, in the order in which modes stand.
TEST(NearEnds, HasMostLinesOfACube) {
    for (const Boundary ends : {Boundary::dirichlet, Boundary::neumann, Boundary::periodic})
        for (const Index n : {256, 512, 768}) {
            const Axis axis{n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, ends, ends};
            const auto tables = part_of_chain<double>(n, 0, n / 2, 1.0, ends);
            std::vector<Reach> reach;
            for (const double lambda : lines::make_axis_tables<double, lines::Compact>(
                                           axis, Discretization::second_order, lines::LineMethod::radix_steps)
                                           .eigenvalues)
                reach.push_back(reach_of(tables.on_host(), -lambda));
            Index in_blocks = 0, nodes = 0;
            const auto ranges = NearEnds<double>::ranges_of(reach, static_cast<int>(n / 2));
            for (const SlowRange& range : ranges) in_blocks += range.count;
            for (const Reach& r : reach) nodes += r.last + r.first;
            EXPECT_LE(ranges.size(), 4U);
            EXPECT_LE(4 * in_blocks, n) << static_cast<int>(ends) << " " << n;
            EXPECT_LE(2 * nodes, n * n / 2) << static_cast<int>(ends) << " " << n;
        }
}

/// Every line is reduced, once.
TEST(NearEnds, LeavesTheRestToBlocks) {
    const auto ranges = [](std::vector<int> reach, int nodes, std::vector<Reach>& left) {
        left.clear();
        for (const int r : reach) left.push_back({r, r});
        return NearEnds<double>::ranges_of(left, nodes);
    };
    std::vector<Reach> reach;
    const auto some = ranges({60, 50, 20, 10, 10, 10, 10, 20, 60, 10}, 100, reach);
    ASSERT_EQ(some.size(), 2U);
    EXPECT_EQ(some[0].first, 0);
    EXPECT_EQ(some[1].first, 8);
    EXPECT_EQ(some[0].count + some[1].count, 2);
    for (const std::size_t i : {0U, 8U}) EXPECT_EQ(reach[i].last + reach[i].first, 0);
    EXPECT_EQ(reach[1].last, 50);
    EXPECT_EQ(reach[9].first, 10);
    for (const auto& all : {ranges({60, 60, 10}, 100, reach), ranges({5, 5, 5}, 31, reach)}) {
        ASSERT_EQ(all.size(), 1U);
        EXPECT_EQ(all[0].count, 3);
    }
    std::vector<int> scattered(40, 10);
    for (const std::size_t i : {1U, 5U, 7U, 17U, 27U, 37U}) scattered[i] = 90;
    const auto few = ranges(scattered, 100, reach);
    EXPECT_EQ(few.size(), 4U);
    std::vector<int> times(40, 0);
    for (const SlowRange& range : few)
        for (Index i = range.first; i < range.first + range.count; ++i) ++times[static_cast<std::size_t>(i)];
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i], reach[i].last > 0 ? 0 : 1) << i;
}

}  // namespace
}  // namespace poisson3d::members
