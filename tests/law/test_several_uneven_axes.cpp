// Two and three axes of any spacing, with any walls: one is eliminated, the others are multiplied with the matrices
// of their modes. Against dense matrices in long double, against lines in long double, against itself.
#include <gtest/gtest.h>

#include "coefficients_of_steps.hpp"
#include "dense.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "separable.hpp"
#include "stretched_axis.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

class SeveralUnevenAxes : public testing::Test {
protected:
    void SetUp() override {
        if (!eliminates_under_test) GTEST_SKIP() << "engine cufft eliminates no axis";
    }
};

/// Which axes are uneven: two of them in three ways, all three.
constexpr std::array<std::array<bool, 3>, 4> choices{
    {{true, true, false}, {true, false, true}, {false, true, true}, {true, true, true}}};

Problem mixed_problem(const std::array<bool, 3>& uneven, const Extents& points, double ratio, int number,
                      double helmholtz) {
    Problem problem = make_problem({number % 10, (number + 3) % 10, (number + 7) % 10}, points,
                                   Discretization::second_order, helmholtz);
    const std::vector<Walls> walls = all_walls();
    for (int a = 0; a < 3; ++a)
        if (uneven[a])
            problem.grid.axes[a] =
                stretched_axis((number / (1 << a)) % 2 == 0 ? Centering::cell : Centering::node,
                               walls[(number * (a + 1) + 3 * a) % walls.size()], points[a], ratio, 10 * number + a);
    return problem;
}

template <class T>
Field<T> solved(const Problem& problem, std::uint64_t seed, Result* result = nullptr) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, seed);
    Field<T> u = filled_field<T>(points);
    TestSolver<T> solver(problem);
    solver.solve(read(f), u.view());
    if (result != nullptr) *result = solver.result();
    return u;
}

template <class T>
void compare_with_dense(const Problem& problem, std::uint64_t seed, Worst<T>& worst) {
    const Extents points = problem.grid.points();
    Result result;
    const Field<T> u = solved<T>(problem, seed, &result);
    const Dense::Solution expected = Dense(problem).solve(read(random_field<double>(points, seed)));
    worst.check(relative_error(read(u), read(expected.u)), 4 * tolerance::solve<T>({8, 8, 8}), describe(problem));
    EXPECT_NEAR(result.mean_removed, static_cast<double>(expected.mean_removed),
                16 * std::numeric_limits<T>::epsilon())
        << describe(problem);
}

/// Every pair of walls on every axis, singular problems too.
TEST_F(SeveralUnevenAxes, EveryMixAgainstDenseMatrices) {
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    int number = 0;
    for (const std::array<bool, 3>& uneven : choices)
        for (int mix = 0; mix < 60; ++mix) {
            ++number;
            const Extents points{3 + number % 3, 3 + number % 4, 3 + (number / 2) % 3};
            const Problem problem =
                mixed_problem(uneven, points, number % 2 == 0 ? 1000.0 : 3.0, number, number % 3 == 0 ? 0.7 : 0.0);
            compare_with_dense<double>(problem, number, worst);
            compare_with_dense<float>(problem, number, worst_float);
        }
}

/// All closed: the constant is a mode of every axis.
TEST_F(SeveralUnevenAxes, SingularProblems) {
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    const std::array closed{Walls{Boundary::neumann, Boundary::neumann, "NN"},
                            Walls{Boundary::periodic, Boundary::periodic, "PP"}};
    for (const std::array<bool, 3>& uneven : choices)
        for (int mix = 0; mix < 8; ++mix) {
            Problem problem = make_problem({cell_nn, node_nn, cell_p}, {5, 4, 6});
            for (int a = 0; a < 3; ++a)
                if (uneven[a])
                    problem.grid.axes[a] =
                        stretched_axis(mix % 2 == 0 ? Centering::cell : Centering::node, closed[(mix >> a) % 2],
                                       problem.grid.axes[a].points, 100.0, 7 * mix + a);
            ASSERT_TRUE(singular(problem));
            compare_with_dense<double>(problem, mix, worst);
            compare_with_dense<float>(problem, mix, worst_float);
        }
}

/// At sizes where blocks are full and sums long. Matrices lose more than transforms: see docs/accuracy.md.
TEST_F(SeveralUnevenAxes, LargerBoxes) {
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    int number = 0;
    for (const std::array<bool, 3>& uneven : choices)
        for (const double ratio : {1.0, 30.0, 1000.0}) {
            ++number;
            const Extents points = number % 2 == 0 ? Extents{33, 47, 40} : Extents{40, 21, 65};
            const Problem problem = mixed_problem(uneven, points, ratio, number, 0.3);
            const Field<Real> expected = separable_solve(problem, read(random_field<double>(points, 5)));
            worst.check(relative_error(read(solved<double>(problem, 5)), read(expected)),
                        2 * tolerance::solve<double>(points), describe(problem));
            worst_float.check(relative_error(read(solved<float>(problem, 5)), read(expected)),
                              2 * tolerance::solve<float>(points), describe(problem));
        }
}

/// The difference equations hold, row by row, and apply() gives f back.
TEST_F(SeveralUnevenAxes, Residuals) {
    int number = 0;
    for (const std::array<bool, 3>& uneven : choices)
        for (const double ratio : {3.0, 1000.0}) {
            ++number;
            const Extents points{37, 24, 50};
            const Problem problem = mixed_problem(uneven, points, ratio, number, 0.2);
            const Field<double> f = random_field<double>(points, 9);
            const Field<double> u = solved<double>(problem, 9);
            ResidualMeter<double> meter(problem, read(u), 1.0, 0.0);
            meter.add(0, read(f));
            EXPECT_LE(meter.result().backward, 32 * std::numeric_limits<double>::epsilon()) << describe(problem);
            Field<double> again = filled_field<double>(points);
            TestSolver<double>(problem).apply(read(u), again.view());
            const Field<Real> expected = separable_apply(problem, read(u));
            EXPECT_LE(relative_error(read(again), read(expected)), 8 * tolerance::solve<double>(points))
                << describe(problem);
        }
}

/// Sweeps of planes, of single passes and any number of threads do the same arithmetic.
TEST_F(SeveralUnevenAxes, ThreadsChangeNoBit) {
    const Extents points{19, 40, 33};
    const Problem problem = mixed_problem(choices[3], points, 30.0, 4, 0.0);
    const Field<double> f = random_field<double>(points, 3);
    const Field<double> expected = solved<double>(problem, 3);
    for (const int threads : {2, 3, 8}) {
        Options options = test_options();
        options.threads = threads;
        Field<double> u = filled_field<double>(points);
        TestSolver<double>(problem, options).solve(read(f), u.view());
        for (Index i = 0; i < u.size(); ++i) ASSERT_EQ(u.data()[i], expected.data()[i]) << threads << " " << i;
    }
}

/// Coefficients that say what positions say give the same bits.
TEST_F(SeveralUnevenAxes, CoefficientsOfStepsAreTheSteps) {
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const Walls& walls : all_walls()) {
            Problem problem =
                make_problem({cell_dn, node_dd, cell_p}, {9, 10, 11}, Discretization::second_order, 0.1);
            problem.grid.axes[0] = stretched_axis(centering, walls, 13, 10.0, 3);
            problem.grid.axes[2] = stretched_axis(centering, walls, 12, 10.0, 4);
            const Field<double> expected = solved<double>(problem, 1);
            for (const int a : {0, 2}) {
                Axis& axis = problem.grid.axes[a];
                axis.custom = coefficients_of_steps(axis);
                axis.widths.assign(axis.widths.size(), 1.0);  // which coefficients overrule
            }
            const Field<double> u = solved<double>(problem, 1);
            EXPECT_LE(relative_error(read(u), read(long_field(expected))),
                      8 * std::numeric_limits<double>::epsilon())
                << describe(problem);
        }
}

/// Coefficients of no grid at all.
TEST_F(SeveralUnevenAxes, AnyCoefficients) {
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    std::uint64_t seed = 0;
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const Walls& walls : all_walls())
            for (const int count : {1, 2, 3}) {
                Problem problem = make_problem({cell_dn, cell_nn, cell_p}, {5, 4, 6});
                for (int a = 0; a < count; ++a) {
                    Axis& axis = problem.grid.axes[a];
                    axis = stretched_axis(centering, walls, axis.points, 3.0, ++seed);
                    axis.widths.clear();
                    axis.custom.weights = random_steps(axis.points, 50.0, ++seed);
                    axis.custom.conductances =
                        random_steps(step_count(axis) + (centering == Centering::cell ? 1 : 0), 50.0, ++seed);
                    if (axis.periodic() && centering == Centering::cell)
                        axis.custom.conductances.back() = axis.custom.conductances.front();
                }
                compare_with_dense<double>(problem, seed, worst);
                compare_with_dense<float>(problem, seed, worst_float);
            }
}

}  // namespace
}  // namespace poisson3d
