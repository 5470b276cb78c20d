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
    test::expect_error(ErrorCode::usage, {"found 0 members"}, [] { threads(0); });
}

TEST(CommunicatorOfThreads, HasAllMembers) {
    const Communicator all = threads(3);
    EXPECT_EQ(all.size(), 3);
    EXPECT_EQ(all.mine(), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(all.description(), "3 members on threads");
}

}  // namespace
}  // namespace poisson3d
