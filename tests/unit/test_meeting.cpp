// Calls that threads make together, each for one member: the last one does the work of all, what it throws all
// throw, and whoever waits in vain says so.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "python/meeting.hpp"

namespace poisson3d::python {
namespace {

using namespace std::chrono_literals;

/// body(member) on a thread for each.
template <class Body>
void on_threads(int members, const Body& body) {
    std::vector<std::thread> all;
    for (int m = 0; m < members; ++m) all.emplace_back([&, m] { body(m); });
    for (std::thread& each : all) each.join();
}

TEST(Meeting, PartsComeInTheOrderOfMembersRoundByRound) {
    constexpr int members = 5, rounds = 400;
    Meeting<int> meeting(members, 60s);
    std::atomic<int> done = 0;
    on_threads(members, [&](int member) {
        for (int round = 0; round < rounds; ++round) {
            meeting.meet(static_cast<std::size_t>(member), round * members + member,
                         [&](const std::vector<int>& parts) {
                             for (int m = 0; m < members; ++m)
                                 EXPECT_EQ(parts[static_cast<std::size_t>(m)], round * members + m);
                             ++done;
                         });
            EXPECT_GT(done, round);  // nobody goes on before
        }
    });
    EXPECT_EQ(done, rounds);
}

TEST(Meeting, AllThrowWhatTheWorkThrows) {
    Meeting<int> meeting(3, 60s);
    std::atomic<int> caught = 0;
    for (int round = 0; round < 2; ++round)
        on_threads(3, [&](int member) {
            try {
                meeting.meet(static_cast<std::size_t>(member), member,
                             [](const std::vector<int>&) { throw Error(ErrorCode::out_of_memory, "no room"); });
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
                ++caught;
            }
        });
    EXPECT_EQ(caught, 6);
}

TEST(Meeting, WhoWaitsInVainSaysSoAndTheNextRoundGoesOn) {
    Meeting<int> meeting(2, 1s);
    const auto never = [](const std::vector<int>&) { FAIL() << "one of two is not all"; };
    try {
        meeting.meet(1, 7, never);
        FAIL() << "nobody else came";
    } catch (const Error& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "found 1 of 2 devices in a call of all, waited 1 s: wanted one program for all devices of the mesh");
    }
    std::atomic<int> sum = 0;
    on_threads(2, [&](int member) {
        meeting.meet(static_cast<std::size_t>(member), member + 1,
                     [&](const std::vector<int>& parts) { sum += parts[0] + 10 * parts[1]; });
    });
    EXPECT_EQ(sum, 21);
}

/// Of two threads for the same member one comes second.
TEST(Meeting, ASecondCallBeforeTheFirstIsRefused) {
    Meeting<int> meeting(2, 60s);
    std::atomic<int> refused = 0, met = 0;
    std::vector<std::thread> both;
    for (int t = 0; t < 2; ++t)
        both.emplace_back([&] {
            try {
                meeting.meet(0, 1, [](const std::vector<int>&) {});
                ++met;
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find("a second call before"), std::string::npos)
                    << error.what();
                ++refused;
            }
        });
    while (refused == 0) std::this_thread::sleep_for(1ms);
    meeting.meet(1, 3, [](const std::vector<int>& parts) { EXPECT_EQ(parts, (std::vector<int>{1, 3})); });
    for (std::thread& each : both) each.join();
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(met, 1);
}

}  // namespace
}  // namespace poisson3d::python
