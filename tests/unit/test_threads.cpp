// The team of threads: every index exactly once, whatever the sizes; exceptions arrive; teams do not disturb teams.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d {
namespace {

/// How often each index was visited, and whether ranges and thread numbers were as promised.
void expect_every_index_once(ThreadTeam& team, Index count, Index chunk) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(std::max<Index>(count, 0)));
    std::atomic<int> faults{0};
    team.parallel_for(count, chunk, [&](Index begin, Index end, int thread) {
        if (begin >= end || begin < 0 || end > count || end - begin > std::max<Index>(chunk, 1)) ++faults;
        if (thread < 0 || thread >= team.size()) ++faults;
        for (Index i = begin; i < end; ++i) ++visits[i];
    });
    int wrong = 0;
    for (const auto& visit : visits) wrong += visit == 1 ? 0 : 1;
    EXPECT_EQ(wrong, 0) << count << " indices in chunks of " << chunk << ", " << team.size() << " threads";
    EXPECT_EQ(faults, 0) << count << " indices in chunks of " << chunk << ", " << team.size() << " threads";
}

TEST(ThreadTeam, VisitsEveryIndexExactlyOnce) {
    for (const int size : {1, 2, 3, 8}) {
        ThreadTeam team(size);
        EXPECT_EQ(team.size(), size);
        for (const Index count : {0, -3, 1, 2, 3, 7, 8, 64, 1000, 4099})
            for (const Index chunk : {1, 2, 3, 7, 64, 1000, 5000}) expect_every_index_once(team, count, chunk);
        for (const Index chunk : {0, -5}) expect_every_index_once(team, 100, chunk);  // taken as 1
    }
}

TEST(ThreadTeam, GivesEachThreadNumberToOneThreadAtATime) {
    ThreadTeam team(4);
    for (int round = 0; round < 50; ++round) {
        std::array<std::atomic<int>, 4> inside{};
        std::atomic<int> shared{0};
        team.parallel_for(200, 1, [&](Index, Index, int thread) {
            if (++inside[thread] != 1) ++shared;
            std::this_thread::yield();
            --inside[thread];
        });
        EXPECT_EQ(shared, 0) << "two threads would have used one scratch array";
    }
}

TEST(ThreadTeam, RunsManyShortLoopsInARow) {
    ThreadTeam team(3);
    std::atomic<Index> sum{0};
    for (Index loop = 0; loop < 5000; ++loop)
        team.parallel_for(7, 2, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) sum += i;
        });
    EXPECT_EQ(sum, 5000 * 21);
}

TEST(ThreadTeam, WritesOfTheLoopAreSeenAfterIt) {
    ThreadTeam team(4);
    std::vector<Index> plain(1000);
    for (Index loop = 1; loop <= 200; ++loop) {
        team.parallel_for(1000, 10, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) plain[i] += i;  // plain memory: the loop's end is the only barrier
        });
        for (Index i = 0; i < 1000; ++i) ASSERT_EQ(plain[i], loop * i);
    }
}

TEST(ThreadTeam, ThrowsWhatABodyThrewAndGoesOn) {
    for (const int size : {1, 2, 5}) {
        ThreadTeam team(size);
        for (const Index bad : {0, 57, 99})
            for (int again = 0; again < 10; ++again) {
                std::atomic<int> running{0};
                try {
                    team.parallel_for(100, 1, [&](Index begin, Index, int) {
                        ++running;
                        if (begin == bad) {
                            --running;
                            throw std::runtime_error("at " + std::to_string(begin));
                        }
                        --running;
                    });
                    ADD_FAILURE() << "nothing was thrown";
                } catch (const std::runtime_error& error) {
                    EXPECT_EQ(error.what(), "at " + std::to_string(bad));
                }
                EXPECT_EQ(running, 0) << "a body was still at work";
                expect_every_index_once(team, 300, 7);
            }
    }
}

TEST(ThreadTeam, OneOfManyExceptionsArrives) {
    ThreadTeam team(4);
    for (int again = 0; again < 50; ++again)
        EXPECT_THROW(team.parallel_for(100, 1, [](Index, Index, int) { throw std::logic_error("each"); }),
                     std::logic_error);
    expect_every_index_once(team, 100, 1);
}

TEST(ThreadTeam, TeamsMayWorkInsideAndBesideEachOther) {
    std::atomic<Index> visits{0};
    const auto work = [&] {
        ThreadTeam outer(2);
        ThreadTeam first(2);
        ThreadTeam second(3);
        for (int again = 0; again < 20; ++again)
            outer.parallel_for(2, 1, [&](Index begin, Index, int) {
                ThreadTeam& inner = begin == 0 ? first : second;
                inner.parallel_for(100, 3, [&](Index from, Index to, int) { visits += to - from; });
            });
    };
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 3; ++caller) callers.emplace_back(work);
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(visits, 3 * 20 * 2 * 100);
}

TEST(ThreadTeam, SizeZeroIsAllThereAreAndNegativeIsRefused) {
    EXPECT_GE(available_threads(), 1);
    EXPECT_EQ(ThreadTeam(0).size(), available_threads());
    try {
        const ThreadTeam team(-2);
        ADD_FAILURE() << "a team of -2 was made";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_NE(std::string(error.what()).find("-2"), std::string::npos) << error.what();
    }
}

TEST(ThreadTeam, ComesAndGoesWithoutWork) {
    for (int again = 0; again < 100; ++again) const ThreadTeam team(4);
}

/// What `work` returns in a child of fork(); −1 if it does not end within ten seconds or crashes.
template <class Work>
int in_child(Work work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ThreadTeam, CanOnlyBeDestroyedInAChild) {
    for (const int size : {1, 4}) {
        auto team = std::make_unique<ThreadTeam>(size);
        expect_every_index_once(*team, 100, 1);
        EXPECT_EQ(in_child([&] {
                      team.reset();
                      return 0;
                  }),
                  0);
        EXPECT_EQ(in_child([&] {
                      try {
                          team->parallel_for(100, 1, [](Index, Index, int) {});
                      } catch (const Error& error) {
                          const bool clear = std::string(error.what()).find("before a fork") != std::string::npos;
                          return error.code() == ErrorCode::usage && clear ? 0 : 1;
                      }
                      return 2;
                  }),
                  0);
        EXPECT_EQ(in_child([&] {  // a team of the child's own, and a child of the child
                      ThreadTeam own(3);
                      std::atomic<int> sum{0};
                      own.parallel_for(10, 1, [&](Index, Index, int) { ++sum; });
                      const int inner = in_child([&] {
                          try {
                              own.parallel_for(10, 1, [](Index, Index, int) {});
                          } catch (const Error&) {
                              return 0;
                          }
                          return 1;
                      });
                      return inner == 0 && sum == 10 ? 0 : 1;
                  }),
                  0);
        expect_every_index_once(*team, 100, 1);  // the parent's goes on
    }
}

}  // namespace
}  // namespace poisson3d
