// Uniform axes eliminated (Options::middle): the same solutions as by transforms.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "problems.hpp"
#include "separable.hpp"
#include "stretched_axis.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

class EliminatedUniformAxis : public testing::Test {
protected:
    void SetUp() override {
        if (!eliminates_under_test) GTEST_SKIP() << "engine cufft eliminates no axis";
    }
};

template <class T>
void compare(const Problem& problem, Worst<T>& worst) {
    const Extents points = problem.grid.points();
    Options options = test_options();
    options.middle = Middle::eliminate;
    const Field<T> f = random_field<T>(points, 6);
    Field<T> u = filled_field<T>(points);
    TestSolver<T> solver(problem, options);
    solver.solve(read(f), u.view());
    const Field<Real> expected = separable_solve(problem, read(random_field<double>(points, 6)));
    worst.check(relative_error(read(u), read(expected)),
                std::max(tolerance::solve<T>(points), tolerance::solve<T>({8, 8, 8})), describe(problem));
}

/// The ten kinds along each axis; the axis whose length has the largest prime factor is eliminated.
TEST_F(EliminatedUniformAxis, EveryKindAlongEveryAxis) {
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    for (int kind = 0; kind < 10; ++kind)
        for (int axis = 0; axis < 3; ++axis)
            for (const double helmholtz : {0.0, 0.4}) {
                Extents points{12, 12, 12};
                points[axis] = 23;
                const Problem problem = make_problem({kind, (kind + 3) % 10, (kind + 6) % 10}, points,
                                                     Discretization::second_order, helmholtz);
                compare<double>(problem, worst);
                compare<float>(problem, worst_float);
            }
}

TEST_F(EliminatedUniformAxis, IsTheSlowestOne) {
    Problem problem = make_problem({cell_dd, cell_nn, cell_p}, {32, 30, 32});
    Options options = test_options();
    options.threads = 1;
    options.middle = Middle::eliminate;
    const auto eliminated = [&] {
        const std::string text = Solver<double>(problem, options).description();
        const std::size_t at = text.find(" eliminated");
        return at == std::string::npos ? ' ' : text[at - 1];
    };
    EXPECT_EQ(eliminated(), 'y');
    problem.grid.axes[0].points = 37;
    EXPECT_EQ(eliminated(), 'x');
    problem.grid.axes[2].points = 47;
    EXPECT_EQ(eliminated(), 'z');
    options.middle = Middle::transform;
    EXPECT_EQ(eliminated(), ' ');
}

TEST_F(EliminatedUniformAxis, IsRefusedWhereItCannotBe) {
    Options options = test_options();
    options.middle = Middle::eliminate;
    Problem problem = make_problem({cell_dd, cell_nn, cell_p}, {8, 7, 8}, Discretization::spectral);
    expect_error(ErrorCode::unsupported, {"spectral", "eliminate", "wanted automatic or transform"},
                 [&] { Solver<double>(problem, options); });
    problem.discretization = Discretization::second_order;
    problem.helmholtz = -100.0;
    expect_error(ErrorCode::unsupported, {"axis y can be eliminated only", "found -100", "or the middle transform"},
                 [&] { Solver<double>(problem, options); });
    problem.helmholtz = 0.0;
    problem.grid.axes[0] = stretched_axis(Centering::cell, all_walls()[1], 8, 3.0, 1);
    options.middle = Middle::transform;
    expect_error(ErrorCode::unsupported, {"axis x has positions", "found the middle transform"},
                 [&] { Solver<double>(problem, options); });
}

TEST(EliminatedUniformAxisOfCufft, IsRefused) {
    if (eliminates_under_test) GTEST_SKIP() << "this engine has one";
    Options options = test_options();
    options.middle = Middle::eliminate;
    Problem problem = make_problem({cell_dd, cell_nn, cell_p}, {8, 7, 8});
    expect_error(ErrorCode::unsupported, {"an axis is to be eliminated", "cufft", "use engine host"},
                 [&] { Solver<double>(problem, options); });
    problem.grid.axes[0] = stretched_axis(Centering::cell, all_walls()[1], 8, 3.0, 1);
    expect_error(ErrorCode::unsupported, {"axis x has positions", "cufft", "use engine host"},
                 [&] { Solver<double>(problem, options); });
}

}  // namespace
}  // namespace poisson3d
