// Solvers beside each other: on several streams of one thread, on a stream each of several threads.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "cuda_stream.hpp"
#include "device_field.hpp"
#include "padded.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Four problems of the same extents, so that whatever two plans might share has the same size.
std::array<Problem, 4> four_problems() {
    const Extents points{64, 65, 96};
    std::array<Problem, 4> problems{
        make_problem({cell_p, node_nn, cell_nn}, points),
        make_problem({cell_dd, node_dn, cell_nd}, points, Discretization::spectral),
        make_problem({node_dd, node_nn, node_dd}, points, Discretization::second_order, 0.5),
        make_problem({cell_nn, cell_p, node_nn}, points),
    };
    problems[3].gauge.point = {1, 2, 3};
    return problems;
}

/// A problem, the bits of its solution, and where it is solved.
template <class T>
struct Work {
    Work(const Problem& problem_, Memory memory, std::uint64_t seed) : problem(problem_) {
        options.memory = memory;
        field = random_field<T>(problem.grid.points(), seed);
        Result result;
        expected = solved(problem, field, &result, T(1), options);
        mean = result.mean_removed;
    }

    Problem problem;
    Options options = test_options();
    Field<T> field, expected;
    double mean = 0.0;
};

template <class T>
std::vector<Work<T>> four_works() {
    std::vector<Work<T>> works;
    for (const Problem& problem : four_problems()) {
        const std::size_t n = works.size();
        works.emplace_back(problem, n % 2 == 0 ? Memory::fast : Memory::standard, n);
    }
    return works;
}

template <class T>
class Streams : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Streams, Precisions);

/// Plans, solves twenty times on a stream of its own, and says what went wrong.
template <class T>
std::string solve_often(const Work<T>& work) try {
    for (int plan = 0; plan < 2; ++plan) {  // planning beside solving, too
        Solver<T> solver(work.problem, work.options);
        const CudaStream stream;
        const DeviceField<T> f(work.field);
        DeviceField<T> u(work.problem.grid.points());
        for (int again = 0; again < 10; ++again) {
            u.poison(stream);
            solver.solve(f.view(), u.view(), T(1), stream);
            if (solver.result(stream).mean_removed != work.mean) return "another mean: " + describe(work.problem);
            if (const Index n = different<T>(u.get(stream).view(), read(work.expected)); n > 0)
                return std::to_string(n) + " values differ: " + describe(work.problem);
        }
    }
    return {};
} catch (const std::exception& error) {
    return error.what();
}

TYPED_TEST(Streams, OneInEachOfFourThreads) {
    using T = TypeParam;
    const std::vector<Work<T>> works = four_works<T>();
    std::array<std::string, 4> failures;
    std::vector<std::thread> threads;
    for (std::size_t n = 0; n < 4; ++n) threads.emplace_back([&, n] { failures[n] = solve_often(works[n]); });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& failure : failures) EXPECT_EQ(failure, "");
}

TYPED_TEST(Streams, FourInOneThread) {
    using T = TypeParam;
    const std::vector<Work<T>> works = four_works<T>();
    std::array<CudaStream, 4> streams;
    std::vector<Solver<T>> solvers;
    std::vector<DeviceField<T>> from;
    std::vector<DeviceField<T>> to;
    for (const Work<T>& work : works) {
        solvers.emplace_back(work.problem, work.options);
        from.emplace_back(work.field);
        for (int again = 0; again < 5; ++again) to.emplace_back(work.problem.grid.points());
    }
    // All is queued before anything is waited for; each solver writes five fields.
    for (int again = 0; again < 5; ++again)
        for (std::size_t n = 0; n < 4; ++n)
            solvers[n].solve(from[n].view(), to[5 * n + again].view(), T(1), streams[n]);
    for (std::size_t n = 0; n < 4; ++n) {
        EXPECT_EQ(solvers[n].result(streams[n]).mean_removed, works[n].mean);
        for (int again = 0; again < 5; ++again)
            EXPECT_EQ(different<T>(to[5 * n + again].get(streams[n]).view(), read(works[n].expected)), 0)
                << describe(works[n].problem) << ", solve " << again;
    }
}

TYPED_TEST(Streams, ASolverMayChangeItsStream) {
    using T = TypeParam;
    const std::vector<Work<T>> works = four_works<T>();
    std::array<CudaStream, 3> streams;
    for (const Work<T>& work : works) {
        Solver<T> solver(work.problem, work.options);
        const DeviceField<T> f(work.field);
        DeviceField<T> u(work.problem.grid.points());
        for (const Stream stream : {Stream(streams[0]), Stream{}, Stream(streams[1]), Stream(streams[2])}) {
            u.poison();
            solver.solve(f.view(), u.view(), T(1), stream);
            EXPECT_EQ(solver.result(stream).mean_removed, work.mean);  // waits, before the next stream is used
            EXPECT_EQ(different<T>(u.get(stream).view(), read(work.expected)), 0) << describe(work.problem);
        }
    }
}

// Results of a solve are there for later work on its stream, without anybody waiting in between.
TYPED_TEST(Streams, KeepTheOrderOfTheirWork) {
    using T = TypeParam;
    const std::vector<Work<T>> works = four_works<T>();
    const Extents points = works[0].problem.grid.points();
    const Field<T> expected = solved(works[1].problem, works[0].expected, nullptr, T(1), works[1].options);
    Solver<T> first(works[0].problem, works[0].options);
    Solver<T> second(works[1].problem, works[1].options);
    const CudaStream stream;
    const DeviceField<T> f(works[0].field);
    DeviceField<T> u(points);
    for (int again = 0; again < 10; ++again) {
        fill_on_device(u.view().data, 0xff, static_cast<std::size_t>(expected.size()) * sizeof(T), stream);
        first.solve(f.view(), u.view(), T(1), stream);
        second.solve(u.view(), u.view(), T(1), stream);
    }
    EXPECT_EQ(different<T>(u.get(stream).view(), read(expected)), 0);
}

}  // namespace
}  // namespace poisson3d
