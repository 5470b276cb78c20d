// Boxes whose axes change their order: every element, in every order, and the shape of blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "permuted_copy.hpp"

namespace poisson3d {
namespace {

// Longer than a tile and no multiple of it; `to` has room that nothing may write to.
template <class T>
void check_order(const std::array<std::size_t, 3>& order, Index step) {
    const Extents field{35, 18, 50}, inner{33, 17, 49};
    std::vector<T> from(static_cast<std::size_t>(field[0] * field[1] * field[2]));
    std::iota(from.begin(), from.end(), T(1));
    const Strides all{field[1] * field[2], field[2], 1};
    Extents extents{};
    Strides strides{};
    for (std::size_t d = 0; d < 3; ++d) {
        extents[d] = inner[order[d]];
        strides[d] = all[order[d]];
    }
    std::vector<T> to(static_cast<std::size_t>(extents[0] * extents[1] * extents[2] * step), T(-1));
    permuted_copy(extents, from.data(), strides, to.data(), step);
    std::size_t at = 0;
    for (Index i = 0; i < extents[0]; ++i)
        for (Index j = 0; j < extents[1]; ++j)
            for (Index k = 0; k < extents[2]; ++k) {
                const Index source = i * strides[0] + j * strides[1] + k * strides[2];
                ASSERT_EQ(to[at++], from[static_cast<std::size_t>(source)]) << i << " " << j << " " << k;
                for (Index gap = 1; gap < step; ++gap) ASSERT_EQ(to[at++], T(-1));
            }
}

TEST(PermutedCopy, EveryOrder) {
    std::array<std::size_t, 3> order{0, 1, 2};
    do
        for (const Index step : {1, 3}) {
            check_order<float>(order, step);
            check_order<double>(order, step);
        }
    while (std::next_permutation(order.begin(), order.end()));
}

TEST(PermutedCopy, AnAxisThatStandsStill) {
    const std::vector<double> from{1, 2, 3};
    for (const auto& [extents, strides] :
         {std::pair{Extents{2, 3, 1}, Strides{0, 1, 3}}, {Extents{2, 1, 3}, Strides{0, 3, 1}}}) {
        std::vector<double> to(6);
        permuted_copy(extents, from.data(), strides, to.data(), 1);
        EXPECT_EQ(to, (std::vector<double>{1, 2, 3, 1, 2, 3}));
    }
}

// About 16 MiB, never more, and runs of some KiB on both sides.
TEST(PermutedBlock, Shapes) {
    for (const Extents& points : {Extents{64, 64, 64},
                                  {512, 512, 512},
                                  {2048, 2048, 2048},
                                  {3, 70000, 9000},
                                  {1, 1, 1},
                                  {5000000, 3, 2},
                                  {2, 3, 5000000},
                                  {2, 5000000, 3}})
        for (std::size_t source : {0, 1, 2})
            for (std::size_t size : {4, 8, 12, 24}) {
                const Extents block = permuted_block(points, source, size);
                const Index bytes = block[0] * block[1] * block[2] * static_cast<Index>(size);
                for (std::size_t d = 0; d < 3; ++d) {
                    ASSERT_GE(block[d], 1);
                    ASSERT_LE(block[d], points[d]);
                }
                EXPECT_LE(bytes, 16 << 20);
                EXPECT_GE(bytes,
                          std::min<Index>(7 << 20, points[0] * points[1] * points[2] * static_cast<Index>(size)));
                EXPECT_GE(block[source], std::min<Index>(points[source], 1024));
                EXPECT_GE(block[2], std::min<Index>(points[2], (8 << 10) / static_cast<Index>(size)));
            }
}

}  // namespace
}  // namespace poisson3d
