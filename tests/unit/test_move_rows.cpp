// Rows moved between views that share memory, against a copy through memory of its own: every pitch and every
// distance of small views. What cannot be moved is refused and nothing is touched.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "expect_error.hpp"
#include "move_rows.hpp"

namespace poisson3d {
namespace {

constexpr Index room = 240;

std::vector<int> numbered() {
    std::vector<int> memory(room);
    std::iota(memory.begin(), memory.end(), 1);
    return memory;
}

/// Moves and compares; false if it was refused.
bool moves(const Extents& extents, Index f_at, const Strides& f, Index u_at, const Strides& u) {
    std::vector<int> memory = numbered();
    std::vector<int> expected = memory;
    for (Index i = 0; i < extents[0]; ++i)
        for (Index j = 0; j < extents[1]; ++j)
            for (Index k = 0; k < extents[2]; ++k)
                expected[u_at + i * u[0] + j * u[1] + k] = static_cast<int>(f_at + i * f[0] + j * f[1] + k + 1);
    bool refused = false;
    try {
        host::move_rows<int>({memory.data() + f_at, extents, f}, {memory.data() + u_at, extents, u});
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        refused = true;
    }
    EXPECT_EQ(memory, refused ? numbered() : expected)
        << f_at << " with strides " << f[0] << ", " << f[1] << " to " << u_at << " with " << u[0] << ", " << u[1];
    return !refused;
}

TEST(MoveRows, AnyDistanceAndPitchThatHasAnOrder) {
    int moved = 0;
    int refused = 0;
    for (const Extents& extents : {Extents{3, 3, 4}, {4, 2, 3}, {3, 1, 5}, {1, 4, 3}, {2, 5, 1}, {1, 1, 7}})
        for (const Index f_gap : {0, 1, 3})
            for (const Index f_far : {0, 2, 5})
                for (const Index u_gap : {0, 1, 3})
                    for (const Index u_far : {0, 2, 5}) {
                        const Index f_row = extents[2] + f_gap;
                        const Index u_row = extents[2] + u_gap;
                        const Strides f{extents[1] * f_row + f_far, f_row, 1};
                        const Strides u{extents[1] * u_row + u_far, u_row, 1};
                        for (Index u_at = 0; u_at <= 80; ++u_at)
                            ++(moves(extents, 40, f, u_at, u) ? moved : refused);
                    }
    EXPECT_GT(moved, 8 * refused);
    EXPECT_GT(refused, 0);
}

TEST(MoveRows, PitchedRowsInOneLayoutAlwaysMove) {
    for (const Index gap : {0, 1, 7})
        for (Index u_at = 0; u_at <= 60; ++u_at)
            EXPECT_TRUE(moves({3, 4, 4}, 30, {4 * (4 + gap), 4 + gap, 1}, u_at, {4 * (4 + gap), 4 + gap, 1}));
}

}  // namespace
}  // namespace poisson3d
