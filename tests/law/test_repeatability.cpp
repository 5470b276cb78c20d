// The same input gives the same bits: again, with any number of threads, in memory modes fast and standard alike,
// beside other solvers.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "padded.hpp"
#include "poisson3d/threads.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class Repeatability : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Repeatability, Precisions);

/// Mixes with and without null space at sizes that several threads share unevenly.
std::vector<Problem> sample() {
    std::vector<Problem> problems;
    for (int number = 0; number < combinations; number += 59)
        problems.push_back(make_problem(combination(number), {19, 34, 26}, discretizations[number % 2]));
    problems.push_back(make_problem({cell_p, cell_nn, node_nn}, {19, 34, 26}));
    problems.back().gauge.point = {7, 20, 3};
    problems.push_back(make_problem({node_nn, cell_p, cell_p}, {1, 0, 0}));
    problems.back().grid.axes = {make_axis(node_nn, 2, 0.7), make_axis(cell_p, 1, 1.3),
                                 make_axis(cell_p, 40, 0.45)};
    if (on_device_under_test) return problems;
    for (const Extents& points :
         {Extents{37, 24, 26}, Extents{20, 37, 26}, Extents{21, 24, 37}, Extents{2, 37, 40}})
        problems.push_back(make_problem({cell_dn, node_nd, node_dd}, points));  // 37 is eliminated
    return problems;
}

TYPED_TEST(Repeatability, ThreadsAndMemoryModesChangeNoBit) {
    using T = TypeParam;
    for (const Problem& problem : sample()) {
        const Field<T> f = random_field<T>(problem.grid.points(), 9);
        // Threads are the host's. Modes fast and standard are two layouts of one way; low is another way on every
        // engine, and standard is for engine fused, so their bits are their own.
        const std::vector<std::vector<Memory>> ways =
            engine_under_test == Engine::fused
                ? std::vector<std::vector<Memory>>{{Memory::fast}, {Memory::low}}
                : std::vector<std::vector<Memory>>{{Memory::fast, Memory::standard}, {Memory::low}};
        const std::vector<int> counts = on_device_under_test ? std::vector{1} : std::vector{1, 2, 3, 7};
        for (const std::vector<Memory>& modes : ways) {
            Options options = test_options();
            options.threads = 1;
            options.memory = modes.front();
            Result first;
            const Field<T> expected = solved(problem, f, &first, T(1), options);
            for (const int threads : counts)
                for (const Memory memory : modes) {
                    options.threads = threads;
                    options.memory = memory;
                    Result result;
                    const Field<T> u = solved(problem, f, &result, T(1), options);
                    EXPECT_EQ(different<T>(u.view(), read(expected)), 0)
                        << threads << " threads, " << name(memory) << ": " << describe(problem);
                    EXPECT_EQ(result.mean_removed, first.mean_removed);
                }
        }
    }
}

TYPED_TEST(Repeatability, SolvesAndPlansRepeat) {
    using T = TypeParam;
    for (const Problem& problem : sample()) {
        const Field<T> f = random_field<T>(problem.grid.points(), 9);
        const Field<T> other = random_field<T>(problem.grid.points(), 10);
        const Field<T> expected = solved(problem, f);
        TestSolver<T> solver(problem, test_options());
        Field<T> u = filled_field<T>(problem.grid.points());
        for (int again = 0; again < 3; ++again) {
            solver.solve(f.view(), u.view());
            EXPECT_EQ(different<T>(u.view(), read(expected)), 0) << describe(problem);
            solver.apply(other.view(), u.view(), T(3));  // leaves other values behind everywhere
            solver.solve(other.view(), u.view(), T(-2));
        }
    }
}

TYPED_TEST(Repeatability, AMovedSolverGoesOn) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_p, node_nn, cell_nn}, {8, 9, 10});
    const Problem another = make_problem({cell_dd, node_dn, cell_nd}, {8, 9, 10});
    const Field<T> f = random_field<T>(problem.grid.points());
    const Field<T> expected = solved(problem, f);
    Field<T> u = filled_field<T>(problem.grid.points());
    TestSolver<T> first(problem, test_options());
    first.solve(f.view(), u.view());
    const double mean = first.result().mean_removed;
    TestSolver<T> second(std::move(first));
    EXPECT_EQ(second.result().mean_removed, mean);
    second.solve(f.view(), u.view());
    EXPECT_EQ(different<T>(u.view(), read(expected)), 0);
    TestSolver<T> third(another, test_options());
    third = std::move(second);
    third.solve(f.view(), u.view());
    EXPECT_EQ(different<T>(u.view(), read(expected)), 0);
    EXPECT_EQ(third.result().mean_removed, mean);
}

/// Plans and solves `count` times and counts bits that differ from `expected`.
template <class T>
Index solve_often(const Problem& problem, const Field<T>& f, const Field<T>& expected, int count) {
    Index wrong = 0;
    for (int plan = 0; plan < 4; ++plan) {  // planning beside planning, too
        Options options = test_options();
        options.threads = 2;
        TestSolver<T> solver(problem, options);
        Field<T> u = filled_field<T>(problem.grid.points());
        for (int again = 0; again < count; ++again) {
            solver.solve(f.view(), u.view());
            wrong += different<T>(u.view(), read(expected));
        }
    }
    return wrong;
}

TYPED_TEST(Repeatability, SolversWorkBesideEachOther) {
    using T = TypeParam;
    // One singular and one not, with axes of the same lengths: what they might share.
    const Problem one = make_problem({cell_p, node_nn, cell_nn}, {24, 33, 20});
    const Problem two = make_problem({cell_dd, node_dn, cell_nd}, {24, 33, 20}, Discretization::spectral);
    const Field<T> f = random_field<T>(one.grid.points(), 1);
    const Field<T> g = random_field<T>(two.grid.points(), 2);
    const Field<T> u = solved(one, f);
    const Field<T> v = solved(two, g);
    Index wrong_one = -1;
    Index wrong_two = -1;
    std::thread left([&] { wrong_one = solve_often(one, f, u, 10); });
    std::thread right([&] { wrong_two = solve_often(two, g, v, 10); });
    left.join();
    right.join();
    EXPECT_EQ(wrong_one, 0);
    EXPECT_EQ(wrong_two, 0);
}

// FFT libraries' planners are not made for several threads at once; who plans must not have to know.
TYPED_TEST(Repeatability, PlansAreMadeBesideEachOther) {
    using T = TypeParam;
    std::atomic<int> failures{0};
    const auto plan_many = [&](Index first) {
        Options options = test_options();
        options.threads = 1;
        for (Index n = 0; n < 60; ++n) {
            const Extents points{first + n, 4 + (first * n) % 97, 5 + n % 13};
            const Problem problem = make_problem({cell_dd, node_nn, cell_p}, points);
            const Field<T> f = random_field<T>(points);
            const Field<T> u = solved(problem, f, nullptr, T(1), options);
            for (Index i = 0; i < u.size(); ++i) failures += std::isfinite(u.data()[i]) ? 0 : 1;
        }
    };
    std::vector<std::thread> threads;
    for (const Index first : {3, 20, 41, 66}) threads.emplace_back(plan_many, first);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace poisson3d
