// The rotating pipeline of the cufft engine with its sweeps executed on the host (host_sweeps.cpp): layout, tables
// and tasks, for all kinds of axis, in both memory modes. The law is the residual of the difference operator.
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline_law.hpp"

namespace poisson3d::cufft {
namespace {

using namespace test;

template <class T>
void check(const Problem& problem, bool in_place = false, bool with_data = false) {
    for (const Memory memory : {Memory::fast, Memory::standard})
        check_pipeline<T>(
            problem, [=](const Problem& p) { return make_rotating_pipeline<T>(p, memory); }, in_place, with_data);
}

TEST(RotatingPipeline, SolvesEveryMixOfKinds) {
    for (int number = 0; number < combinations; ++number) {
        Problem problem =
            make_problem(combination(number), {5, 4, 7}, Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        number % 2 == 0 ? check<double>(problem, number % 4 == 0) : check<float>(problem, number % 4 == 1);
    }
}

TEST(RotatingPipeline, SolvesWithBoundaryDataForEveryMixOfKinds) {
    for (int number = 0; number < combinations; ++number) {
        Problem problem =
            make_problem(combination(number), {5, 4, 7}, Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        number % 2 == 0 ? check<double>(problem, number % 4 == 0, true)
                        : check<float>(problem, number % 4 == 1, true);
    }
}

TEST(RotatingPipeline, SolvesWithBoundaryDataAtTheSmallestExtents) {
    for (int number = 0; number < combinations; number += 3)
        check<double>(make_problem(combination(number), smallest_points(combination(number)),
                                   Discretization::second_order, number % 2 == 0 ? 0.0 : 0.7),
                      false, true);
}

TEST(RotatingPipeline, SolvesAtTheSmallestExtents) {
    for (int number = 0; number < combinations; number += 3)
        check<double>(make_problem(combination(number), smallest_points(combination(number)),
                                   Discretization::second_order, number % 2 == 0 ? 0.0 : 0.7));
}

// One axis long enough for runs, ragged tiles and every number of splits of type I.
TEST(RotatingPipeline, SolvesWithOneLongAxis) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index n : {16, 17, 33, 35, 37, 49, 66, 67})
            for (int a = 0; a < 3; ++a) {
                Kinds which{cell_nn, node_dd, cell_p};
                Extents points{3, 5, 4};
                which[a] = kind;
                points[a] = n;
                check<double>(make_problem(which, points));
            }
}

TEST(RotatingPipeline, LosesNothingToALargeConstant) {
    for (const Kinds which : {Kinds{cell_nn, cell_p, node_nn}, Kinds{node_nn, cell_nn, cell_p}}) {
        const Problem problem = make_problem(which, {6, 9, 8});
        const Extents points = problem.grid.points();
        Field<float> f = random_field<float>(points, 5);
        Field<float> large = random_field<float>(points, 5);
        for (Index i = 0; i < f.size(); ++i) {  // so coarse that the sum is exact
            f.data()[i] = std::round(f.data()[i] * 1024) / 1024;
            large.data()[i] = f.data()[i] + 1000;
        }
        Field<float> u = filled_field<float>(points);
        Field<float> v = filled_field<float>(points);
        PipelineOnHost<float> pipeline(problem, make_rotating_pipeline<float>(problem, Memory::fast));
        pipeline.solve(read(f), u.view());
        pipeline.solve(read(large), v.view());
        double difference = 0.0;
        double norm = 0.0;
        for (Index i = 0; i < u.size(); ++i) {
            difference += std::pow(v.data()[i] - u.data()[i], 2);
            norm += std::pow(u.data()[i], 2);
        }
        EXPECT_LE(std::sqrt(difference / norm), tolerance::solve<float>(points)) << describe(problem);
    }
}

TEST(RotatingPipeline, TakesAsManyBytesAsTheSlabsThatUHasNoRoomFor) {
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {48, 60, 50});
    const std::size_t fast = make_rotating_pipeline<double>(problem, Memory::fast)->workspace_bytes();
    const std::size_t standard = make_rotating_pipeline<double>(problem, Memory::standard)->workspace_bytes();
    const std::size_t slab = std::size_t{48} * 50 * 16;
    const std::size_t faces = 8 * 2 * (60 * 50 + 48 * 60);  // of host fields; here on a multiple of 256
    EXPECT_EQ(fast - standard, 29 * slab + (faces + 255) / 256 * 256);
}

}  // namespace
}  // namespace poisson3d::cufft
