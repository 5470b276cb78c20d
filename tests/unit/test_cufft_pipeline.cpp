// The pipeline of engine cufft with its kernels, FFTs and transposes executed on the host (host_passes.cpp,
// host_device.cpp), for all kinds of axis, in all memory modes. The law is the residual of the difference operator.
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline_law.hpp"
#include "pipelines.hpp"

namespace poisson3d::cufft {
namespace {

using namespace test;

/// Of the work areas; 0: as much as they may have.
constexpr std::size_t rooms[] = {1, 3000, 0};

template <class T>
void check(const Problem& problem, bool in_place = false, bool with_data = false, std::size_t room = 0) {
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low})
        check_pipeline<T>(
            problem, [=](const Problem& p) { return make_cufft_pipeline<T>(p, memory, room); }, in_place,
            with_data);
}

TEST(CufftPipeline, SolvesEveryMixOfKinds) {
    for (int number = 0; number < combinations; ++number) {
        Problem problem =
            make_problem(combination(number), number % 7 == 0 ? Extents{11, 13, 22} : Extents{5, 4, 7},
                         Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        const bool with_data = number % 5 < 3;
        const std::size_t room = rooms[number / 10 % 3];
        number % 2 == 0 ? check<double>(problem, number % 4 == 0, with_data, room)
                        : check<float>(problem, number % 4 == 1, with_data, room);
    }
}

TEST(CufftPipeline, SolvesAtTheSmallestExtents) {
    for (int number = 0; number < combinations; ++number)
        check<double>(make_problem(combination(number), smallest_points(combination(number)),
                                   Discretization::second_order, number % 2 == 0 ? 0.0 : 0.7),
                      false, number % 3 == 0);
}

// Several ranges of lines, and every radix of the symmetric step of type I.
TEST(CufftPipeline, SolvesWithOneLongAxis) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index n : {16, 17, 33, 35, 37, 49, 66, 67})
            for (int a = 0; a < 3; ++a) {
                Kinds which{cell_nn, node_dd, cell_p};
                Extents points{3, 5, 4};
                which[a] = kind;
                points[a] = n;
                check<double>(make_problem(which, points), false, false, rooms[n % 3]);
            }
}

// Longer than the words of fused kernels can say.
TEST(CufftPipeline, SolvesWithAnAxisBeyondCompactTables) {
    for (const int kind : {node_dd, node_nn}) {
        const Problem problem = make_problem({cell_dn, kind, cell_nn}, {2, 16801, 1});
        check_pipeline<double>(problem,
                               [](const Problem& p) { return make_cufft_pipeline<double>(p, Memory::low); });
    }
}

TEST(CufftPipeline, FindsTheGaugePoint) {
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low})
        for (const std::size_t room : rooms)
            check_gauge({5, 40, 61},
                        [&](const Problem& p) { return make_cufft_pipeline<double>(p, memory, room); });
}

TEST(CufftPipeline, LosesNothingToALargeConstant) {
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
        PipelineOnHost<float> pipeline(problem, make_cufft_pipeline<float>(problem, Memory::fast));
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

TEST(CufftPipeline, SolvesFieldsInsideItsWorkspace) {
    const Problem problem = make_problem({node_nn, node_dd, cell_nn}, {12, 9, 18});
    check_staged(problem, make_cufft_pipeline<double>(problem, Memory::fast));
}

TEST(CufftPipeline, TakesTwoFieldsOneOrNone) {
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {48, 60, 50});
    const auto bytes = [&](Memory memory) {
        return make_cufft_pipeline<double>(problem, memory)->workspace_bytes();
    };
    constexpr std::size_t field = std::size_t{8} * 48 * 60 * 50;
    constexpr std::size_t faces = 8 * 2 * (60 * 50 + 48 * 60);  // of host fields; here on a multiple of 256
    EXPECT_EQ(bytes(Memory::standard) - bytes(Memory::low), field);
    EXPECT_EQ(bytes(Memory::fast) - bytes(Memory::standard), field + (faces + 255) / 256 * 256);
}

}  // namespace
}  // namespace poisson3d::cufft
