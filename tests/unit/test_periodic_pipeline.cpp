// The periodic pipeline of the cufft engine with its sweeps executed on the host (host_sweeps.cpp).
#include "padded.hpp"
#include "pipeline_on_host.hpp"

namespace poisson3d::cufft {
namespace {

using namespace test;

Problem periodic(const Extents& points, double helmholtz = 0.0) {
    return make_problem({cell_p, node_p, cell_p}, points, Discretization::second_order, helmholtz);
}

template <class T>
class PeriodicPipeline : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(PeriodicPipeline, Precisions);

constexpr std::array<Extents, 3> sizes{{{4, 5, 6}, {8, 4, 7}, {6, 9, 10}}};

TYPED_TEST(PeriodicPipeline, SolvesDenseFields) {
    using T = TypeParam;
    for (const Extents& points : sizes)
        for (const double helmholtz : {0.0, 0.7}) {
            const Problem problem = periodic(points, helmholtz);
            PipelineOnHost<T> pipeline(problem, make_periodic_pipeline<T>(problem, Memory::standard));
            const Field<T> f = random_field<T>(points, 3);
            Field<T> u = filled_field<T>(points);
            pipeline.solve(read(f), u.view());
            pipeline.expect_solution(read(f), read(u));
            Field<T> both = random_field<T>(points, 3);
            pipeline.solve(read(both), both.view());
            EXPECT_EQ(different<T>(read(both), read(u)), 0);
        }
}

// Gaps, and addresses cuFFT does not take: by way of the modes' own memory.
TYPED_TEST(PeriodicPipeline, SolvesFieldsWithGapsWithTheSameGauge) {
    using T = TypeParam;
    for (const Extents& points : sizes) {
        Problem problem = periodic(points);
        problem.gauge.point = {3, 2, 5};
        PipelineOnHost<T> pipeline(problem, make_periodic_pipeline<T>(problem, Memory::fast));
        const Field<T> f = random_field<T>(points, 4);
        Padded<T> from(points, {1, 2, 3}, {0, 1, 2});
        from.fill(read(f));
        Padded<T> to(points, {2, 1, 0}, {1, 0, 3});
        Field<T> dense = filled_field<T>(points);
        for (int again = 0; again < 2; ++again) {
            pipeline.solve(from.view(), to.view());
            pipeline.expect_solution(read(f), to.view());
            EXPECT_EQ(to.damage(), 0);
            pipeline.solve(from.view(), dense.view());
            pipeline.expect_solution(read(f), read(dense));
            pipeline.solve(read(f), to.view());
            pipeline.expect_solution(read(f), to.view());
        }
    }
}

TEST(PeriodicPipelineChoice, IsForPeriodicBoxesOfSmoothLengths) {
    EXPECT_NE(make_periodic_pipeline<double>(periodic({4, 6, 70}), Memory::fast), nullptr);
    EXPECT_EQ(make_periodic_pipeline<double>(periodic({4, 11, 8}), Memory::fast), nullptr);
    EXPECT_EQ(make_periodic_pipeline<double>(periodic({4, 3, 8}), Memory::fast), nullptr);
    const Problem walled = make_problem({cell_p, cell_nn, cell_p}, {8, 8, 8});
    EXPECT_EQ(make_periodic_pipeline<double>(walled, Memory::fast), nullptr);
}

}  // namespace
}  // namespace poisson3d::cufft
