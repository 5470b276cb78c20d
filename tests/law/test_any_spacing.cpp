// One axis of any spacing, with any walls, eliminated: against long double, against the uniform axis, against
// itself.
#include <gtest/gtest.h>

#include "coefficients_of_steps.hpp"
#include "dense.hpp"
#include "plain_faces.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "separable.hpp"
#include "stretched_axis.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// body(centering, walls) for every pair of walls of cells and of nodes.
template <class Body>
void for_each_kind(const Body& body) {
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const Walls& walls : all_walls()) body(centering, walls);
}

/// Relative errors of u and of the mean removed.
template <class T>
void compare(const Problem& problem, std::uint64_t seed, Worst<T>& worst, int threads = 1) {
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points, seed);
    const Field<T> same = random_field<T>(points, seed);
    Options options = test_options();
    options.threads = threads;
    Field<T> u = filled_field<T>(points);
    TestSolver<T> solver(problem, options);
    solver.solve(read(same), u.view());
    const Field<Real> expected = separable_solve(problem, read(f));
    const double allowed = std::max(tolerance::solve<T>(points), tolerance::solve<T>({8, 8, 8}));
    worst.check(relative_error(read(u), read(expected)), allowed, describe(problem));
}

class AnySpacing : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        if (!eliminates_under_test) GTEST_SKIP() << "engine cufft eliminates no axis";
    }
};

/// Every pair of walls along every axis, beside every kind of the two others.
TEST_P(AnySpacing, EveryMix) {
    const int axis = GetParam();
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    Index number = 0;
    for_each_kind([&](Centering centering, const Walls& walls) {
        for (const int others : {0, 7, 16, 22, 31, 38, 43, 49, 54, 65, 76, 87, 98})
            for (const double helmholtz : {0.0, 0.7}) {
                ++number;
                Kinds which{};
                which[axis == 0 ? 1 : 0] = others / 10;
                which[axis == 2 ? 1 : 2] = others % 10;
                Problem problem = make_problem(which, {4 + number % 3, 3 + number % 4, 5 + number % 5},
                                               Discretization::second_order, helmholtz);
                Axis& given = problem.grid.axes[axis];
                given = stretched_axis(centering, walls, given.points, number % 2 == 0 ? 1000.0 : 3.0, number);
                compare<double>(problem, number, worst, 1 + static_cast<int>(number % 3));
                compare<float>(problem, number, worst_float);
            }
    });
}

/// Lengths about the ends of runs and of runs of runs, and blocks of lines that are not full.
TEST_P(AnySpacing, EveryLength) {
    const int axis = GetParam();
    Worst<double> worst{"solution"};
    Worst<float> worst_float{"solution"};
    for (const Index n : {1, 2, 3, 15, 16, 17, 31, 32, 33, 47, 48, 49, 257})
        for_each_kind([&](Centering centering, const Walls& walls) {
            if (n > 200 && walls.name != "PP" && walls.name != "DR") return;  // seconds of long double
            Extents points{9, 10, 11};
            points[axis] = n;
            Problem problem = make_problem({cell_nn, cell_nn, cell_nn}, points);
            problem.grid.axes[axis] = stretched_axis(centering, walls, n, 30.0, static_cast<std::uint64_t>(n));
            if (n < fewest_points(problem.grid.axes[axis])) return;
            compare<double>(problem, 5, worst, 2);
            compare<float>(problem, 5, worst_float, 2);
        });
}

/// Needles: single precision is as far from double as it may be, also where sums along the axis are long and its
/// lowest mode is nearly everything.
TEST_P(AnySpacing, Needles) {
    const int axis = GetParam();
    Worst<float> worst{"solution"};
    for_each_kind([&](Centering centering, const Walls& walls) {
        for (const double ratio : {3.0, 1000.0}) {
            Extents points{16, 16, 16};
            points[axis] = 4096;
            Problem problem = make_problem({cell_nn, cell_p, cell_dn}, points);
            problem.grid.axes[axis] = stretched_axis(centering, walls, 4096, ratio, 11);
            const Field<float> f = random_field<float>(points, 2);
            const Field<double> same = random_field<double>(points, 2);
            Field<float> u = filled_field<float>(points);
            Field<double> expected = filled_field<double>(points);
            TestSolver<float>(problem).solve(read(f), u.view());
            TestSolver<double>(problem).solve(read(same), expected.view());
            const Field<Real> reference = long_field(expected);
            worst.check(relative_error(read(u), read(reference)), tolerance::solve<float>(points),
                        describe(problem));
        }
    });
}

/// What apply() makes of a field is what its operator is.
TEST_P(AnySpacing, Apply) {
    const int axis = GetParam();
    for_each_kind([&](Centering centering, const Walls& walls) {
        Problem problem = make_problem({cell_dd, node_nn, cell_p}, {8, 9, 10});
        problem.grid.axes[axis] = stretched_axis(centering, walls, 18, 10.0, 3);
        const Extents points = problem.grid.points();
        const Field<double> u = random_field<double>(points, 8);
        Field<double> f = filled_field<double>(points);
        TestSolver<double>(problem).apply(read(u), f.view());
        const Field<Real> expected = separable_apply(problem, read(u));
        EXPECT_LE(relative_error(read(f), read(expected)), tolerance::solve<double>(points)) << describe(problem);
    });
}

/// Coefficients of equal steps: the solution by transforms.
TEST_P(AnySpacing, EqualStepsAreTheUniformAxis) {
    const int axis = GetParam();
    for (int number = 0; number < 10; ++number)
        for (const double helmholtz : {0.0, 0.3}) {
            Problem problem = make_problem({number, (number + 3) % 10, (number + 6) % 10}, {33, 24, 30},
                                           Discretization::second_order, helmholtz);
            Axis& given = problem.grid.axes[axis];
            given.spacing = 0.25;
            const Extents points = problem.grid.points();
            const Field<double> f = random_field<double>(points, 4);
            Field<double> u = filled_field<double>(points);
            TestSolver<double>(problem).solve(read(f), u.view());
            given.custom = coefficients_of_steps(given);
            Field<double> eliminated = filled_field<double>(points);
            TestSolver<double>(problem).solve(read(f), eliminated.view());
            Field<Real> expected(points);
            for (Index i = 0; i < u.size(); ++i) expected.data()[i] = u.data()[i];
            EXPECT_LE(relative_error(read(eliminated), read(expected)), 2 * tolerance::solve<double>(points))
                << describe(problem);
        }
}

/// Linear u on any grid, with the data of all faces, is exact: also where faces of other axes meet the eliminated
/// one.
TEST_P(AnySpacing, BoundaryDataOfLinearFields) {
    const int axis = GetParam();
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const Walls& walls : all_walls()) {
            if (walls.lower == Boundary::periodic) continue;
            const bool cells = centering == Centering::cell;
            Problem problem =
                make_problem({cells ? cell_dn : node_nd, node_dd, cells ? cell_nd : node_dd}, {17, 9, 8});
            problem.grid.axes[axis] = stretched_axis(centering, walls, 21, 20.0, 6);
            const Grid& grid = problem.grid;
            const std::array slopes{0.7, -1.3, 0.4};
            const std::array coordinates{poisson3d::coordinates(grid.axes[0]), poisson3d::coordinates(grid.axes[1]),
                                         poisson3d::coordinates(grid.axes[2])};
            const auto value = [&](const std::array<double, 3>& x) {
                return 2.0 + slopes[0] * x[0] + slopes[1] * x[1] + slopes[2] * x[2];
            };
            const auto place = [&](const std::array<Index, 3>& at) {
                return std::array{coordinates[0][at[0]], coordinates[1][at[1]], coordinates[2][at[2]]};
            };
            const PlainFaces<double> faces(grid, false, [&](int a, int side, const std::array<Index, 3>& at) {
                std::array<double, 3> x = place(at);
                x[a] = side == 0 ? grid.axes[a].origin : grid.axes[a].origin + grid.axes[a].length();
                return data_of_wall(grid.axes[a], side, value(x), slopes[a]);
            });
            const Extents points = grid.points();
            const Field<double> f = filled_field<double>(points, 0.0);
            Field<double> u = filled_field<double>(points);
            TestSolver<double>(problem).solve(read(f), u.view(), faces.data());
            double worst = 0;
            for (Index i = 0; i < points[0]; ++i)
                for (Index j = 0; j < points[1]; ++j)
                    for (Index k = 0; k < points[2]; ++k)
                        worst = std::max(worst, std::abs(u.view()(i, j, k) - value(place({i, j, k}))));
            EXPECT_LE(worst, 200.0 * tolerance::solve<double>(points)) << describe(problem) << walls.name;
        }
}

/// Where the solution is fixed at a point it is 0 there, and differs from that of mean zero by a constant.
TEST_P(AnySpacing, GaugeAtAPoint) {
    const int axis = GetParam();
    Problem problem = make_problem({cell_nn, node_nn, cell_p}, {12, 9, 20});
    problem.grid.axes[axis] =
        stretched_axis(Centering::cell, {Boundary::neumann, Boundary::neumann, ""}, 19, 9.0, 2);
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points, 3);
    Field<double> mean_zero = filled_field<double>(points);
    Field<double> fixed = filled_field<double>(points);
    TestSolver<double> solver(problem);
    solver.solve(read(f), mean_zero.view());
    EXPECT_LE(std::abs(weighted_mean(problem.grid, read(mean_zero))), 1e-15);
    EXPECT_NEAR(solver.result().mean_removed, weighted_mean(problem.grid, read(f)), 1e-15);
    problem.gauge.point = {4, 7, 11};
    for (const int threads : {1, 3}) {
        Options options = test_options();
        options.threads = threads;
        TestSolver<double>(problem, options).solve(read(f), fixed.view());
        const double constant = mean_zero.view()(4, 7, 11);
        EXPECT_EQ(fixed.view()(4, 7, 11), 0.0);
        for (Index i = 0; i < f.size(); ++i)
            ASSERT_NEAR(fixed.data()[i], mean_zero.data()[i] - constant, 1e-13 * std::abs(constant) + 1e-14) << i;
    }
}

/// Robin faces (1, 0) and (0, 1) of cells are Dirichlet and Neumann faces to the bit.
TEST_P(AnySpacing, RobinFacesInclude) {
    const int axis = GetParam();
    for (const Boundary kind : {Boundary::dirichlet, Boundary::neumann}) {
        Problem problem = make_problem({cell_dd, cell_nn, cell_p}, {8, 9, 10}, Discretization::second_order, 0.2);
        problem.grid.axes[axis] = stretched_axis(Centering::cell, {kind, Boundary::dirichlet, ""}, 20, 10.0, 9);
        const Extents points = problem.grid.points();
        const Field<double> f = random_field<double>(points, 4);
        Field<double> u = filled_field<double>(points);
        TestSolver<double>(problem).solve(read(f), u.view());
        Axis& robin = problem.grid.axes[axis];
        robin.lower = Boundary::robin;
        robin.robin[0] = kind == Boundary::dirichlet ? Robin{1.0, 0.0} : Robin{0.0, 1.0};
        Field<double> same = filled_field<double>(points);
        TestSolver<double>(problem).solve(read(f), same.view());
        for (Index i = 0; i < u.size(); ++i) ASSERT_EQ(u.data()[i], same.data()[i]) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Axes, AnySpacing, testing::Range(0, 3),
                         [](const auto& axis) { return std::string(1, "XYZ"[axis.param]); });

}  // namespace
}  // namespace poisson3d
