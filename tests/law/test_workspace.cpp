// The memory of a plan: as many bytes as told, in the caller's block if there is one, and not one byte beside it.
#include <gtest/gtest.h>

#include <algorithm>

#include "expect_error.hpp"
#include "guarded_workspace.hpp"
#include "padded.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class Workspace : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Workspace, Precisions);

template <class Body>
void for_each_case(Body body) {
    for (int number = 0; number < combinations; number += 43)
        for (const Memory memory : all_memories) {
            Problem problem = make_problem(combination(number), {9, 18, 13}, discretizations[number % 2]);
            if (number % 2 == 0) problem.gauge.point = {3, 17, 5};
            Options options = test_options();
            options.memory = memory;
            options.threads = 1 + number % 3;
            body(problem, options);
        }
}

TYPED_TEST(Workspace, HoldsTheBytesThatWereTold) {
    for_each_case([](const Problem& problem, const Options& options) {
        const std::size_t bytes = TestSolver<TypeParam>::workspace_bytes(problem, options);
        EXPECT_EQ(TestSolver<TypeParam>(problem, options).workspace(), bytes) << describe(problem);
        EXPECT_TRUE(on_device_under_test || bytes % HostBuffer::alignment == 0);
    });
}

#define POISSON3D_SKIP_WHERE_MODES_HAVE_NOT_FIELDS_OF_THEIR_OWN() \
    if (engine_under_test == Engine::host) GTEST_SKIP() << "no mode has a field of its own"

TYPED_TEST(Workspace, StandardNeedsAFieldLessThanFast) {
    POISSON3D_SKIP_WHERE_MODES_HAVE_NOT_FIELDS_OF_THEIR_OWN();
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {48, 60, 50});
    Options options = test_options();
    options.memory = Memory::fast;
    const std::size_t fast = TestSolver<TypeParam>::workspace_bytes(problem, options);
    options.memory = Memory::standard;
    const std::size_t standard = TestSolver<TypeParam>::workspace_bytes(problem, options);
    const auto field = static_cast<std::size_t>(problem.grid.size()) * sizeof(TypeParam);
    // Whole slabs move to u, here 29 of 30.
    EXPECT_GE(fast, standard + field / 30 * 29);
    EXPECT_GE(standard, field);
}

// Of the host. LowNeedsNoField says how little that is.
TYPED_TEST(Workspace, IsTheLineBuffersOfTheThreadsInEveryMode) {
    if (on_device_under_test) GTEST_SKIP() << "modes fast and standard have internal fields";
    const auto bytes = [](const Extents& points, Memory memory, int threads) {
        Options options = test_options();
        options.memory = memory;
        options.threads = threads;
        return TestSolver<TypeParam>::workspace_bytes(make_problem({cell_dd, cell_p, node_nn}, points), options);
    };
    for (const Extents& points : {Extents{48, 60, 50}, {400, 410, 420}})
        for (const Memory memory : all_memories)
            for (const int threads : {1, 2, 5})
                EXPECT_EQ(bytes(points, memory, threads), bytes(points, Memory::low, 1) * threads)
                    << name(memory) << ", " << threads << " threads";
    // Where those of so many threads are more than low may have.
    const Extents needle{3, 2, 40'000};
    for (const Memory memory : {Memory::fast, Memory::standard})
        EXPECT_EQ(bytes(needle, memory, 256), bytes(needle, memory, 1) * 256);
    EXPECT_LT(bytes(needle, Memory::low, 256), bytes(needle, Memory::fast, 256));
}

// Beside u: 2 % of the field, or 64 MiB where that is more.
TYPED_TEST(Workspace, LowNeedsNoField) {
    Options options = test_options();
    options.memory = Memory::low;
    for (const Extents& points : {Extents{48, 60, 50}, {400, 410, 420}, {64, 3, 40'000}, {40'000, 64, 3}})
        for (const int threads : {1, 2, 256}) {
            options.threads = threads;
            const Problem problem = make_problem({cell_dd, cell_p, node_nn}, points);
            const auto field = static_cast<std::size_t>(problem.grid.size()) * sizeof(TypeParam);
            EXPECT_LE(TestSolver<TypeParam>::workspace_bytes(problem, options),
                      std::max(field / 50, std::size_t{64} << 20))
                << describe(problem) << ", " << threads << " threads";
        }
    if (on_device_under_test) return;
    // A line buffer for every thread would be more: fewer threads work.
    options.threads = 64;
    const TestSolver<TypeParam> solver(make_problem({cell_dd, cell_p, node_nn}, {3, 2, 40'000}), options);
    EXPECT_LT(solver.threads(), 64);
    EXPECT_GT(solver.threads(), 1);
}

TYPED_TEST(Workspace, MayBeBroughtAndNothingBesideItIsTouched) {
    using T = TypeParam;
    for_each_case([](const Problem& problem, Options options) {
        const Field<T> f = random_field<T>(problem.grid.points());
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        GuardedWorkspace memory(TestSolver<T>::workspace_bytes(problem, options));
        options.workspace = memory.inside();
        {
            TestSolver<T> solver(problem, options);
            Field<T> u = filled_field<T>(problem.grid.points());
            for (int again = 0; again < 2; ++again) {
                solver.solve(f.view(), u.view());
                EXPECT_EQ(different<T>(u.view(), read(expected)), 0) << describe(problem);
            }
            EXPECT_EQ(solver.workspace(), memory.inside().size());
        }
        EXPECT_EQ(memory.damage(), 0U) << describe(problem) << ", " << name(options.memory);
    });
}

TYPED_TEST(Workspace, ThatIsTooSmallOrCrookedIsRefused) {
    using T = TypeParam;
    for_each_case([](const Problem& problem, Options options) {
        const std::size_t bytes = TestSolver<T>::workspace_bytes(problem, options);
        GuardedWorkspace memory(bytes);
        options.workspace = memory.inside().first(bytes - 1);
        expect_error(ErrorCode::usage, {std::to_string(bytes)}, [&] { TestSolver<T>(problem, options); });
        options.workspace = memory.inside().first(1);
        expect_error(ErrorCode::usage, {std::to_string(bytes)}, [&] { TestSolver<T>(problem, options); });
        const std::string wanted = "aligned to " + std::to_string(workspace_alignment);
        for (const std::size_t offset :
             {std::size_t{1}, std::size_t{8}, std::size_t{32}, workspace_alignment / 2, workspace_alignment - 1}) {
            options.workspace = memory.inside(offset);
            expect_error(ErrorCode::usage, {wanted}, [&] { TestSolver<T>(problem, options); });
        }
        EXPECT_TRUE(memory.untouched()) << "a refused workspace was written";
    });
}

TYPED_TEST(Workspace, AutomaticMemoryIsTheFastestThatFitsIt) {
    POISSON3D_SKIP_WHERE_MODES_HAVE_NOT_FIELDS_OF_THEIR_OWN();
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {40, 30, 50});
    Options options = test_options();
    options.threads = 2;
    options.memory = Memory::standard;
    const std::size_t standard = TestSolver<T>::workspace_bytes(problem, options);
    options.memory = Memory::fast;
    const std::size_t fast = TestSolver<T>::workspace_bytes(problem, options);
    options.memory = Memory::automatic;
    GuardedWorkspace memory(fast);
    options.workspace = memory.inside();
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::fast);
    EXPECT_EQ(TestSolver<T>::workspace_bytes(problem, options), fast);
    options.workspace = memory.inside().first(fast - 1);
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::standard);
    options.workspace = memory.inside().first(standard);
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::standard);
    EXPECT_EQ(TestSolver<T>::workspace_bytes(problem, options), standard);
    options.workspace = memory.inside().first(standard - 1);
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::low);
    options.memory = Memory::low;
    const std::size_t low = TestSolver<T>::workspace_bytes(problem, options);
    EXPECT_LT(low, standard);
    options.memory = Memory::automatic;
    options.workspace = memory.inside().first(low);
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::low);
    EXPECT_EQ(TestSolver<T>::workspace_bytes(problem, options), low);
    options.workspace = memory.inside().first(low - 1);
    expect_error(ErrorCode::usage, {std::to_string(low)}, [&] { TestSolver<T>(problem, options); });
}

TYPED_TEST(Workspace, AutomaticMemoryIsFastOnTheHost) {
    if (on_device_under_test) GTEST_SKIP() << "it is the fastest that fits";
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {40, 30, 50});
    Options options = test_options();
    options.threads = 2;
    options.memory = Memory::fast;
    const std::size_t fast = TestSolver<T>::workspace_bytes(problem, options);
    options.memory = Memory::automatic;
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::fast);
    EXPECT_EQ(TestSolver<T>::workspace_bytes(problem, options), fast);
    const GuardedWorkspace memory(fast);
    options.workspace = memory.inside();
    EXPECT_EQ(TestSolver<T>(problem, options).memory(), Memory::fast);
    options.workspace = memory.inside().first(fast - 1);
    expect_error(ErrorCode::usage, {std::to_string(fast)}, [&] { TestSolver<T>(problem, options); });
}

}  // namespace
}  // namespace poisson3d
