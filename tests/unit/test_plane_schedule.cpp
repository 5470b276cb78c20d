// The order in which blocks of all planes of padded lines begin: all work is there once, and what a block waits for
// has begun before it.
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "complex_planes.hpp"

namespace poisson3d::fused {
namespace {

using Work = std::tuple<int, int, int>;  // stage, plane, block

std::map<Work, int> numbers_of(const PlaneSchedule& schedule) {
    std::map<Work, int> numbers;
    for (int number = 0; number < schedule.numbers(); ++number) {
        const PlaneWork work = schedule.work(number);
        if (!schedule.has(work)) continue;
        EXPECT_EQ(work.slot, work.plane % schedule.ring);
        const Work one{static_cast<int>(work.stage), work.plane, work.block};
        EXPECT_TRUE(numbers.emplace(one, number).second) << "twice: number " << number;
    }
    return numbers;
}

/// Blocks that are counted where `need` looks, all of which must have smaller numbers.
int begun_before(const PlaneSchedule& schedule, const std::map<Work, int>& numbers, const PlaneNeed& need,
                 int number) {
    int begun = 0;
    for (const PlaneStage stage : {PlaneStage::sums, PlaneStage::there, PlaneStage::middle, PlaneStage::back}) {
        if (schedule.counter(stage, need.plane) != schedule.counter(need.stage, need.plane)) continue;
        for (int block = 0;; ++block) {
            const auto found = numbers.find({static_cast<int>(stage), need.plane, block});
            if (found == numbers.end()) break;
            begun += found->second < number ? 1 : 0;
        }
    }
    return begun;
}

TEST(PlaneSchedule, HasAllWorkOnceAndNeedsWhatHasBegun) {
    for (const PlaneSchedule& schedule :
         {PlaneSchedule{1, 1, 1, 1}, PlaneSchedule{2, 3, 4, 5}, PlaneSchedule{9, 2, 7, 3},
          PlaneSchedule{33, 5, 1, 2}, PlaneSchedule{12, 2, 7, 3, 7, 2, 5}, plane_schedule<32, double>(5),
          plane_schedule<32, float>(9)}) {
        const std::map<Work, int> numbers = numbers_of(schedule);
        EXPECT_EQ(static_cast<int>(numbers.size()), schedule.planes * schedule.per_turn());
        for (const auto& [work, number] : numbers) {
            const auto& [stage, plane, block] = work;
            const PlaneNeed need =
                schedule.need({static_cast<PlaneStage>(stage), plane, plane % schedule.ring, block});
            if (need.count == 0) continue;
            EXPECT_EQ(begun_before(schedule, numbers, need, number), need.count) << "number " << number;
        }
    }
}

/// Counters of stages and planes differ, but those of sums and there, which are waited for together.
TEST(PlaneSchedule, CountsEachStageOfEachPlane) {
    const PlaneSchedule schedule{5, 1, 1, 1};
    std::map<int, int> seen;
    for (int plane = 0; plane < 5; ++plane)
        for (const PlaneStage stage : {PlaneStage::sums, PlaneStage::there, PlaneStage::middle, PlaneStage::back})
            ++seen[schedule.counter(stage, plane)];
    EXPECT_EQ(seen.size(), 15U);
    EXPECT_EQ(seen.begin()->first, 1);
    EXPECT_EQ(seen.rbegin()->first, schedule.counters() - 1);
}

}  // namespace
}  // namespace poisson3d::fused
