// The turns of a cube in place, carried out plane by plane in their order, rotate it; and whatever a plane
// overwrites was read a step earlier, so that the order of blocks on a device never makes one wait for a later one.
#include "in_place/cube_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace poisson3d {
namespace {

/// A cube of n³ numbers whose bricks have `side` elements along each axis.
class Walk {
public:
    Walk(Index n, Index side, bool back)
        : n_(n),
          side_(side),
          bricks_((n + side - 1) / side),
          back_(back),
          turns_{cube::orbits(bricks_), static_cast<int>(side)},
          counters_(static_cast<std::size_t>(turns_.counters())),
          aside_(static_cast<std::size_t>(CubeTurns::slots * side * side * side), -1) {
        for (Index i = 0; i < n * n * n; ++i) field_.push_back(i);
    }

    void run() {
        for (Index number = 0; number < turns_.count(); ++number) take(turns_.turn(number));
    }

    void expect_rotated() const {
        for (Index x = 0; x < n_; ++x)
            for (Index y = 0; y < n_; ++y)
                for (Index z = 0; z < n_; ++z)
                    ASSERT_EQ(field_.at(static_cast<std::size_t>(back_ ? place(z, x, y) : place(y, z, x))),
                              place(x, y, z))
                        << n_ << " side " << side_ << " back " << back_;
    }

private:
    [[nodiscard]] Index place(Index x, Index y, Index z) const { return (x * n_ + y) * n_ + z; }
    Index& counter(Index number) { return counters_.at(static_cast<std::size_t>(number)); }

    /// Calls visit(a, b, c) for the places in a brick of plane j, which a turn reads.
    template <class Visit>
    void for_plane(Brick brick, Index j, Visit visit) const {
        const auto width = [&](Index at) { return std::min(side_, n_ - at * side_); };
        for (Index a = 0; a < width(brick.a); ++a)
            for (Index b = 0; b < width(brick.b); ++b)
                for (Index c = 0; c < width(brick.c); ++c)
                    if ((back_ ? a : b) == j) visit(a, b, c);
    }
    [[nodiscard]] Index in_brick(Brick brick, Index a, Index b, Index c) const {
        return place(brick.a * side_ + a, brick.b * side_ + b, brick.c * side_ + c);
    }

    void take(const CubeTurn& turn) {
        if (turn.orbit < 0) return;
        const Brick p = cube::orbit(bricks_, turn.orbit);
        const Brick after = cube::next(p), last = cube::next(after);
        const Brick bricks[4] = {p, back_ ? last : after, back_ ? after : last, p};
        const bool alone = p == after;
        if (alone && (turn.stage == 1 || turn.stage == 2)) return;
        if (turn.stage == 3) {
            ASSERT_EQ(counter(turns_.aside_counter(turn.orbit)), turns_.planes);
        }
        if (turn.stage > 0 && !alone) {
            ASSERT_EQ(counter(turns_.read_counter(turn.orbit, turn.stage - 1)), turns_.planes);
        }
        if (turn.stage == 0 && turn.orbit >= CubeTurns::slots) {
            ASSERT_EQ(counter(turns_.read_counter(turn.orbit - CubeTurns::slots, 3)), turns_.planes);
        }

        const Brick from = bricks[brick_read(turn.stage)];
        const Index slot = turn.orbit % CubeTurns::slots * side_ * side_ * side_;
        for_plane(from, turn.plane, [&](Index a, Index b, Index c) {
            Index& kept = aside_.at(static_cast<std::size_t>(slot + (a * side_ + b) * side_ + c));
            Index& here = field_.at(static_cast<std::size_t>(in_brick(from, a, b, c)));
            if (turn.stage == 0) {
                kept = here;
                return;
            }
            Index& value = turn.stage == 3 ? kept : here;
            const Brick to = bricks[brick_stored(turn.stage)];
            const Index target = back_ ? in_brick(to, c, a, b) : in_brick(to, b, c, a);
            field_.at(static_cast<std::size_t>(target)) = value;
            value = -1;
        });
        ++counter(turns_.read_counter(turn.orbit, turn.stage));
        if (turn.stage == 0) ++counter(turns_.aside_counter(turn.orbit));
    }

    Index n_, side_, bricks_;
    bool back_;
    CubeTurns turns_;
    std::vector<Index> counters_, aside_, field_;
};

TEST(CubeTurns, RotateACube) {
    for (const bool back : {false, true})
        for (Index side = 1; side <= 4; ++side)
            for (Index n = 1; n <= 13; ++n) {
                Walk walk(n, side, back);
                walk.run();
                if (testing::Test::HasFatalFailure()) return;
                walk.expect_rotated();
            }
}

TEST(CubeTurns, AreEachOnceAndAStepApart) {
    const CubeTurns turns{23, 7};
    std::vector<Index> number(static_cast<std::size_t>(23 * 4 * 7), -1);
    for (Index i = 0; i < turns.count(); ++i)
        if (const CubeTurn t = turns.turn(i); t.orbit >= 0) {
            Index& seen = number.at(static_cast<std::size_t>((t.orbit * 4 + t.stage) * 7 + t.plane));
            ASSERT_EQ(seen, -1);
            seen = i;
        }
    const auto at = [&](Index orbit, Index stage, Index plane) {
        return number.at(static_cast<std::size_t>((orbit * 4 + stage) * 7 + plane));
    };
    for (Index orbit = 0; orbit < 23; ++orbit)
        for (Index stage = 1; stage < 4; ++stage)  // the last plane that is read, the first that overwrites
            EXPECT_GT(at(orbit, stage, 0) - at(orbit, stage - 1, 6), 4 * 7);
    for (Index orbit = CubeTurns::slots; orbit < 23; ++orbit)
        EXPECT_GT(at(orbit, 0, 0), at(orbit - CubeTurns::slots, 3, 6) + 7);
}

}  // namespace
}  // namespace poisson3d
