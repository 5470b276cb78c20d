// The steps of a transpose in place, carried out element by element, are the permutation they were made from; and
// the orbits of a cube's bricks are numbered without gaps.
#include "in_place/steps.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "in_place/cube_orbits.hpp"
#include "in_place_exactness.hpp"

namespace poisson3d {
namespace {

using test::in_place_problem;
using Field = std::vector<Index>;

Index& at(Field& field, Index i) {
    return field.at(static_cast<std::size_t>(i));
}

void carry_out(const Squares& s, Field& field) {
    for (Index b0 = 0; b0 < s.batch[0]; ++b0)
        for (Index b1 = 0; b1 < s.batch[1]; ++b1)
            for (Index r = 0; r < s.side; ++r)
                for (Index c = 0; c < r; ++c)
                    for (Index k = 0; k < s.item; ++k) {
                        const Index base = b0 * s.batch_stride[0] + b1 * s.batch_stride[1] + k;
                        std::swap(at(field, base + r * s.pitch + c * s.item),
                                  at(field, base + c * s.pitch + r * s.item));
                    }
}

void carry_out(const Cubes& cubes, Field& field) {
    const Index n = cubes.side;
    const Field old = field;
    for (Index b = 0; b < cubes.batch; ++b)
        for (Index x = 0; x < n; ++x)
            for (Index y = 0; y < n; ++y)
                for (Index z = 0; z < n; ++z) {
                    const Index to = cubes.back ? (z * n + x) * n + y : (y * n + z) * n + x;
                    at(field, b * cubes.batch_stride + to) =
                        old[static_cast<std::size_t>(b * cubes.batch_stride + (x * n + y) * n + z)];
                }
}

void carry_out(const RepeatedMatrices& repeated, Field& field) {
    const DenseMatrices& m = repeated.matrices;
    for (Index i = 0; i < repeated.count; ++i)
        for (Index b = 0; b < m.batch; ++b) {
            const Field old = field;
            const Index base = i * repeated.stride + b * m.batch_stride;
            for (Index r = 0; r < m.rows; ++r)
                for (Index c = 0; c < m.columns; ++c)
                    for (Index k = 0; k < m.item; ++k)
                        at(field, base + (c * m.rows + r) * m.item + k) =
                            old[static_cast<std::size_t>(base + (r * m.columns + c) * m.item + k)];
        }
}

TEST(InPlaceSteps, AreThePermutation) {
    for (Index i = 1; i <= 6; ++i)
        for (Index j = 1; j <= 6; ++j)
            for (Index k = 1; k <= 6; ++k)
                for (const Permutation& permutation : test::all_permutations)
                    for (const auto& [batch, gap] : {std::pair{1, 0}, {2, 0}, {3, 4}, {9, 1}})
                        for (const bool equal_sides : {true, false}) {
                            const InPlaceProblem p = in_place_problem({i, j, k}, permutation, 8, batch, gap);
                            ASSERT_NO_THROW(validate(p));
                            Field field(static_cast<std::size_t>(i * j * k + (batch - 1) * p.batch_stride));
                            for (std::size_t n = 0; n < field.size(); ++n) field[n] = static_cast<Index>(n);
                            Field wanted = field;
                            test::for_each_element(test::out_of_place(p),
                                                   [&](Index from, Index to) { at(wanted, to) = from; });
                            for (const Step& step : in_place_steps(p, equal_sides))
                                std::visit([&](const auto& one) { carry_out(one, field); }, step);
                            ASSERT_EQ(field, wanted) << test::describe(p) << ", equal sides " << equal_sides;
                        }
}

std::vector<Step> steps(const Extents& extents, const Permutation& permutation, Index batch = 1, Index gap = 0) {
    return in_place_steps(in_place_problem(extents, permutation, 8, batch, gap), true);
}

TEST(InPlaceSteps, AreNoneWhereMemoryStays) {
    EXPECT_TRUE(steps({5, 6, 7}, identity_order).empty());
    EXPECT_TRUE(steps({1, 6, 7}, rotation).empty());
    EXPECT_TRUE(steps({6, 1, 7}, {1, 0, 2}).empty());
    EXPECT_TRUE(steps({1, 1, 7}, {2, 1, 0}).empty());
    EXPECT_TRUE(steps({1, 1, 1}, rotation_back).empty());
}

TEST(InPlaceSteps, TakeTheirForms) {
    EXPECT_EQ(steps({5, 7, 7}, {0, 2, 1}), (std::vector<Step>{Squares{7, 7, 1, 8, {1, 5}, {0, 49}}}));
    EXPECT_EQ(steps({7, 7, 5}, {1, 0, 2}), (std::vector<Step>{Squares{7, 35, 5, 8, {1, 1}, {0, 0}}}));
    EXPECT_EQ(steps({7, 5, 7}, {2, 1, 0}, 3, 2), (std::vector<Step>{Squares{7, 35, 1, 8, {3, 5}, {247, 7}}}));
    EXPECT_EQ(steps({7, 7, 7}, rotation), (std::vector<Step>{Cubes{7, false, 8, 1, 0}}));
    EXPECT_EQ(steps({7, 7, 7}, rotation_back, 2), (std::vector<Step>{Cubes{7, true, 8, 2, 343}}));
    EXPECT_EQ(steps({6, 2, 3}, rotation), (std::vector<Step>{Squares{6, 6, 1, 8, {1, 1}, {0, 0}}}))
        << "a rotation is a matrix, here a square one";
    EXPECT_EQ(steps({5, 6, 7}, rotation), (std::vector<Step>{RepeatedMatrices{{5, 42, 1, 8, 1, 0}}}));
    EXPECT_EQ(steps({5, 6, 7}, rotation_back), (std::vector<Step>{RepeatedMatrices{{30, 7, 1, 8, 1, 0}}}));
    EXPECT_EQ(steps({5, 6, 7}, {1, 0, 2}), (std::vector<Step>{RepeatedMatrices{{5, 6, 7, 8, 1, 0}}}));
    EXPECT_EQ(steps({5, 6, 7}, {0, 2, 1}, 2), (std::vector<Step>{RepeatedMatrices{{6, 7, 1, 8, 10, 42}}}))
        << "dense fields of a batch continue each other's planes";
    EXPECT_EQ(steps({5, 6, 7}, {0, 2, 1}, 2, 1),
              (std::vector<Step>{RepeatedMatrices{{6, 7, 1, 8, 5, 42}, 2, 211}}));
    EXPECT_EQ(steps({2, 6, 7}, {0, 2, 1}, 9, 1), (std::vector<Step>{RepeatedMatrices{{6, 7, 1, 8, 9, 85}, 2, 42}}))
        << "the longer batch is the executor's own";
}

TEST(InPlaceSteps, ComposeAReversalOfWhatIsCheap) {
    // y = z: exchanged first, then one rectangle; long rows rather than short ones.
    EXPECT_EQ(steps({5, 7, 7}, {2, 1, 0}),
              (std::vector<Step>{Squares{7, 7, 1, 8, {1, 5}, {0, 49}}, RepeatedMatrices{{5, 49, 1, 8, 1, 0}}}));
    const std::vector<Step> long_rows = steps({500, 6, 7}, {2, 1, 0});
    ASSERT_EQ(long_rows.size(), 2U);
    EXPECT_EQ(long_rows[0], Step(RepeatedMatrices{{500, 42, 1, 8, 1, 0}}));
    EXPECT_EQ(long_rows[1], Step(RepeatedMatrices{{6, 7, 500, 8, 1, 0}}));
}

// ---- Orbits ----

using Key = std::tuple<Index, Index, Index>;

Key key(Brick p) {
    return {p.a, p.b, p.c};
}

/// Every brick of the cube belongs to exactly one of the orbits that `visit` is called with.
template <class ForEachOrbit>
void expect_partition(Index m, const ForEachOrbit& for_each_orbit) {
    std::set<Key> seen;
    for_each_orbit([&](Brick p) {
        ASSERT_TRUE(0 <= p.a && p.a < m && 0 <= p.b && p.b < m && 0 <= p.c && p.c < m);
        const std::set<Key> orbit{key(p), key(cube::next(p)), key(cube::next(cube::next(p)))};
        for (const Key& brick : orbit) ASSERT_TRUE(seen.insert(brick).second) << "m " << m;
    });
    EXPECT_EQ(static_cast<Index>(seen.size()), m * m * m);
}

TEST(CubeOrbits, AreNumberedWithoutGaps) {
    for (Index m = 1; m <= 24; ++m)
        expect_partition(m, [&](auto visit) {
            for (Index k = 0; k < cube::orbits(m); ++k) {
                ASSERT_TRUE(cube::is_representative(cube::orbit(m, k)));
                visit(cube::orbit(m, k));
            }
        });
}

TEST(CubeOrbits, AreEachOnceInAWalkInGroups) {
    for (Index m = 1; m <= 20; ++m)
        for (Index side = 1; side <= 6; ++side)
            expect_partition(m, [&](auto visit) {
                for (Index k = 0; k < cube::grouped_numbers(m, side); ++k)
                    if (const Brick p = cube::grouped_orbit(m, side, k); p.a >= 0) visit(p);
            });
}

/// The number of an orbit, counted from its representative.
Index number(Index m, Brick p) {
    const Index t = m - 1 - p.a;
    const Index before = cube::orbits(m) - cube::orbits(t + 1);
    return p.a == p.b ? before + p.c - p.a : before + t + 1 + (p.b - p.a - 1) * t + p.c - p.a - 1;
}

TEST(CubeOrbits, AreExactWhereCubeRootsAreRounded) {
    for (const Index m : {Index{1000}, Index{65537}, Index{1} << 20}) {
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const auto k = static_cast<Index>(test::hash(i, 1) % static_cast<std::uint64_t>(cube::orbits(m)));
            const Brick p = cube::orbit(m, k);
            ASSERT_TRUE(cube::is_representative(p) && p.b < m && p.c < m) << k;
            ASSERT_EQ(number(m, p), k) << m;
        }
        for (Index t = m; t > 0; t -= 1 + m / 3000)  // both sides of where a layer begins
            for (const Index k : {cube::orbits(m) - cube::orbits(t), cube::orbits(m) - cube::orbits(t) - 1}) {
                if (k < 0) continue;
                ASSERT_EQ(number(m, cube::orbit(m, k)), k) << m << " " << t;
            }
    }
}

static_assert(cube::orbits(1) == 1 && cube::orbits(2) == 4 && cube::orbits(3) == 11);
static_assert(cube::orbit(2, 0) == Brick{0, 0, 0} && cube::orbit(2, 1) == Brick{0, 0, 1} &&
              cube::orbit(2, 2) == Brick{0, 1, 1} && cube::orbit(2, 3) == Brick{1, 1, 1});

}  // namespace
}  // namespace poisson3d
