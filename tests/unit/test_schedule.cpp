// The schedule as data: what the five passes amount to, and the rotations they are made of.
#include <cstddef>

#include <gtest/gtest.h>

#include "poisson3d/permutation.hpp"
#include "schedule.hpp"

namespace poisson3d {
namespace {

constexpr Schedule schedule = make_schedule();
constexpr Schedule in_place = make_schedule_in_place();

constexpr std::array<Permutation, 6> permutations{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

TEST(Schedule, EveryPassFindsTheAxesAsThePassBeforeLeftThem) {
    EXPECT_EQ(schedule.front().order, identity_order);
    for (std::size_t p = 0; p + 1 < schedule.size(); ++p)
        EXPECT_EQ(permute(schedule[p].order, schedule[p].movement), schedule[p + 1].order) << "pass " << p + 1;
    EXPECT_EQ(permute(schedule.back().order, schedule.back().movement), identity_order);
}

void expect_every_axis_once_each_way(const Schedule& passes) {
    std::array<int, 3> state{};  // 0 values, 1 modes, 2 values again
    int mode_spaces = 0;
    for (const Pass& pass : passes) {
        int& axis = state[pass.axis()];
        if (pass.direction != Direction::backward) {
            EXPECT_EQ(axis++, 0);
        }
        if (pass.direction == Direction::both) {
            ++mode_spaces;
            for (const int each : state) EXPECT_EQ(each, 1) << "mode space with an axis not in modes";
        }
        if (pass.direction != Direction::forward) {
            EXPECT_EQ(axis++, 1);
        }
    }
    EXPECT_EQ(mode_spaces, 1);
    for (const int each : state) EXPECT_EQ(each, 2);
}

TEST(Schedule, EveryAxisIsTransformedOnceEachWayAndModeSpaceIsReachedByAll) {
    expect_every_axis_once_each_way(schedule);
    expect_every_axis_once_each_way(in_place);
    expect_every_axis_once_each_way(make_schedule_turned(0));
    expect_every_axis_once_each_way(make_schedule_turned(1));
}

/// The longest axis is contiguous from the first pass to the last.
TEST(Schedule, TurnedTheMiddlePassFindsRows) {
    for (const int longest : {0, 1}) {
        const Schedule turned = make_schedule_turned(longest);
        EXPECT_EQ(permute(identity_order, turned.front().movement), turned_order(longest));
        EXPECT_EQ(turned[2].order, turned_order(longest));
        EXPECT_EQ(turned[2].axis(), longest);
        for (const int p : {1, 3, 4}) EXPECT_EQ(turned[p].order[1], longest) << "neighbouring lines are neighbours";
        EXPECT_EQ(turned.back().axis(), 2);
    }
}

// f is read once, by the first pass; boundary data is added and written along z, so z is first and last.
TEST(Schedule, InPlaceNothingMovesAndOneFieldIsEnough) {
    EXPECT_EQ(in_place.front().order, identity_order);
    EXPECT_EQ(in_place.back().order, identity_order);
    EXPECT_EQ(in_place[2].axis(), 0) << "the samples of x are farthest apart: once";
    for (std::size_t p = 0; p < in_place.size(); ++p) {
        EXPECT_EQ(in_place[p].movement, identity_order);
        EXPECT_EQ(in_place[p].from, p == 0 ? Buffer::input : Buffer::first);
        EXPECT_EQ(in_place[p].to, p + 1 == in_place.size() ? Buffer::output : Buffer::first);
        EXPECT_TRUE(in_place[p].axis() == 2 || in_place[p].order[1] == 2) << "neighbouring lines are rows of z";
    }
}

TEST(Schedule, EveryPassReadsWhatThePassBeforeWrote) {
    EXPECT_EQ(schedule.front().from, Buffer::input);
    EXPECT_EQ(schedule.back().to, Buffer::output);
    for (std::size_t p = 0; p + 1 < schedule.size(); ++p) EXPECT_EQ(schedule[p].to, schedule[p + 1].from);
    for (const Pass& pass : schedule) {
        EXPECT_NE(pass.to, Buffer::input) << "f is only read";
        // A pass that rotates reads after it began to write, so it cannot work in place.
        EXPECT_TRUE(pass.movement == identity_order || pass.from != pass.to);
    }
}

// `second` may be the memory of u, and u may be that of f: f must be read before, u written after.
TEST(Schedule, TheOutputMayServeAsTheSecondField) {
    bool input_is_needed = true;
    bool second_is_needed = false;
    for (const Pass& pass : schedule) {
        if (pass.from == Buffer::input) input_is_needed = false;
        if (pass.from == Buffer::second) second_is_needed = false;
        if (pass.to == Buffer::second) {
            EXPECT_FALSE(input_is_needed);
            second_is_needed = true;
        }
        if (pass.to == Buffer::output) {
            EXPECT_FALSE(input_is_needed);
            EXPECT_FALSE(second_is_needed);
        }
    }
}

TEST(Schedule, IsToldInWords) {
    const std::array<char, 3> labels{'r', 's', 't'};
    EXPECT_EQ(describe(schedule[0], 1, labels), "1 t forward");
    EXPECT_EQ(describe(schedule[1], 2, labels), "2 r forward");
    EXPECT_EQ(describe(schedule[2], 3, labels), "3 s both ways");
    EXPECT_EQ(describe(schedule[3], 4, labels), "4 r backward");
    EXPECT_EQ(describe(schedule[4], 5, labels), "5 t backward");
}

TEST(Permutation, RotationsMoveTheAxesAsTheirPicturesSay) {
    EXPECT_EQ(permute(std::array<char, 3>{'x', 'y', 'z'}, rotation), (std::array<char, 3>{'y', 'z', 'x'}));
    EXPECT_EQ(permute(std::array<char, 3>{'x', 'y', 'z'}, rotation_back), (std::array<char, 3>{'z', 'x', 'y'}));
    EXPECT_EQ(permute(Extents{2, 3, 5}, rotation), (Extents{3, 5, 2}));
    EXPECT_EQ(permute(permute(Extents{2, 3, 5}, rotation), rotation_back), (Extents{2, 3, 5}));
}

TEST(Permutation, ItsInverseUndoesIt) {
    const Extents extents{2, 3, 5};
    for (const Permutation& permutation : permutations) {
        EXPECT_EQ(permute(permute(extents, permutation), inverse(permutation)), extents);
        EXPECT_EQ(permute(permute(extents, inverse(permutation)), permutation), extents);
        EXPECT_EQ(inverse(inverse(permutation)), permutation);
    }
    EXPECT_EQ(inverse(rotation), rotation_back);
    EXPECT_EQ(inverse(identity_order), identity_order);
}

}  // namespace
}  // namespace poisson3d
