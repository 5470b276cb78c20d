// Decompositions by law: boxes cover the grid, none twice, as even as can be.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d {
namespace {

void expect_cover(const Decomposition& parts, const Extents& points) {
    Index next = 0;
    for (int m = 0; m < parts.members(); ++m) {
        const Box box = parts.box(m);
        EXPECT_EQ(box.first, (Extents{next, 0, 0}));
        EXPECT_EQ(box.points, (Extents{parts.planes(m), points[1], points[2]}));
        if (box.points[0] > 0) {
            EXPECT_EQ(parts.owner(next), m);
            EXPECT_EQ(parts.owner(next + box.points[0] - 1), m);
        }
        next += box.points[0];
    }
    EXPECT_EQ(next, points[0]);
}

TEST(Decomposition, CoversEveryPlaneOnce) {
    const Index huge = (Index{1} << 31) + 11;  // planes alone are more than 32 bits hold
    for (const Index planes : {Index{1}, Index{2}, Index{3}, Index{63}, Index{64}, Index{65}, Index{513}, huge})
        for (int members = 1; members <= 64; ++members) {
            const Extents points{planes, 3, 70000};
            const Decomposition parts = Decomposition::slabs(points, members);
            ASSERT_EQ(parts.members(), members);
            expect_cover(parts, points);
            for (int m = 0; m < members; ++m) {
                EXPECT_LE(parts.planes(0) - parts.planes(m), 1);
                EXPECT_GE(parts.planes(0), parts.planes(m));
            }
        }
}

TEST(Decomposition, OfGivenPlanes) {
    const Extents points{10, 4, 5};
    const Decomposition parts = Decomposition::slabs(points, std::vector<Index>{0, 7, 0, 1, 2, 0});
    expect_cover(parts, points);
    EXPECT_EQ(parts.planes(2), 0);
    EXPECT_EQ(parts.owner(7), 3);
}

TEST(Decomposition, RefusesWhatIsNoDecomposition) {
    const Extents points{10, 4, 5};
    test::expect_error(ErrorCode::usage, {"found 0 members"}, [&] { Decomposition::slabs(points, 0); });
    test::expect_error(ErrorCode::usage, {"found 9, wanted 10"}, [&] { Decomposition::slabs(points, {4, 5}); });
    test::expect_error(ErrorCode::usage, {"member 1: found 7, wanted 0 to 6"}, [&] {
        Decomposition::slabs(points, {4, 7});
    });
    test::expect_error(ErrorCode::usage, {"member 0: found -1"}, [&] { Decomposition::slabs(points, {-1, 11}); });
    test::expect_error(ErrorCode::usage, {"second axis of column 1: found 3, wanted 0 to 2"}, [&] {
        Decomposition::pencils(points, {10}, {2, 3});
    });
    test::expect_error(ErrorCode::usage, {"found 0 members"}, [&] { Decomposition::pencils(points, {2, 0}); });
    test::expect_error(ErrorCode::usage, {"found 0 members"}, [] { threads(0); });
}

TEST(Decomposition, PencilsCoverEveryLineOnce) {
    const Extents points{7, 5, 3};
    for (int rows = 1; rows <= 9; ++rows)
        for (int columns = 1; columns <= 7; ++columns) {
            const Decomposition parts = Decomposition::pencils(points, {rows, columns});
            ASSERT_EQ(parts.members(), rows * columns);
            std::vector<int> met(35, 0);
            for (int m = 0; m < parts.members(); ++m) {
                const Box box = parts.box(m);
                EXPECT_EQ(box.points[2], 3);
                EXPECT_LE(box.points[0], (7 + rows - 1) / rows);
                EXPECT_LE(box.points[1], (5 + columns - 1) / columns);
                EXPECT_EQ(parts.place(m), (std::array{m / columns, m % columns}));
                EXPECT_EQ(parts.member(m / columns, m % columns), m);
                for (Index i = box.first[0]; i < box.first[0] + box.points[0]; ++i)
                    for (Index j = box.first[1]; j < box.first[1] + box.points[1]; ++j) {
                        ++met[static_cast<std::size_t>(i * 5 + j)];
                        EXPECT_EQ(parts.owner(i, j), m);
                    }
            }
            EXPECT_EQ(met, std::vector<int>(35, 1));
        }
}

TEST(Decomposition, IsSlabsWhileTheyLast) {
    const auto shape = [](int members) { return Decomposition::automatic({6, 8, 9}, members).shape(); };
    EXPECT_EQ(shape(6), (std::array{6, 1}));
    EXPECT_EQ(shape(8), (std::array{4, 2}));
    EXPECT_EQ(shape(12), (std::array{6, 2}));
    EXPECT_EQ(shape(7), (std::array{1, 7}));
    EXPECT_EQ(shape(48), (std::array{6, 8}));
    EXPECT_EQ(shape(11), (std::array{11, 1}));  // no product of numbers that there are points for
    const auto square = [](int members) { return Decomposition::pencils({6, 8, 9}, members).shape(); };
    EXPECT_EQ(square(4), (std::array{2, 2}));
    EXPECT_EQ(square(12), (std::array{4, 3}));
    EXPECT_EQ(square(5), (std::array{5, 1}));
    EXPECT_EQ(square(36), (std::array{6, 6}));
}

TEST(Decomposition, TakesAnotherOrder) {
    const Decomposition rows = Decomposition::pencils({4, 6, 5}, {2, 3});
    const std::vector<int> column_by_column{0, 3, 1, 4, 2, 5};
    const Decomposition other = rows.in_order_of(column_by_column);
    for (int m = 0; m < 6; ++m) {
        EXPECT_EQ(other.box(m), rows.box(column_by_column[static_cast<std::size_t>(m)]));
        EXPECT_EQ(other.member(other.place(m)[0], other.place(m)[1]), m);
    }
    EXPECT_EQ(other.owner(3, 1), 1);
    test::expect_error(ErrorCode::usage, {"6 members", "each once"}, [&] {
        (void)rows.in_order_of({0, 1, 2, 3, 4, 4});
    });
    test::expect_error(ErrorCode::usage, {"each once"}, [&] { (void)rows.in_order_of({0, 1, 2}); });
}

TEST(CommunicatorOfThreads, HasAllMembers) {
    const Communicator all = threads(3);
    EXPECT_EQ(all.size(), 3);
    EXPECT_EQ(all.mine(), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(all.description(), "3 members on threads");
}

}  // namespace
}  // namespace poisson3d
