// Mixed precision: single where it cannot be seen. The solution is that of a solve in double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "padded.hpp"
#include "plain_faces.hpp"
#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"
#include "stretched_axis.hpp"
#include "test_mixed_solver.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Waves longer than the box: what float resolves worst, and what its residual must not lose in rounding.
Field<double> smooth_field(const Extents& e) {
    Field<double> f(e);
    const auto v = f.view();
    for (Index i = 0; i < e[0]; ++i)
        for (Index j = 0; j < e[1]; ++j)
            for (Index k = 0; k < e[2]; ++k)
                v(i, j, k) = std::exp(std::cos(3.0 * static_cast<double>(i) / static_cast<double>(e[0]) + 0.4)) *
                             std::sin(1.0 + 2.0 * static_cast<double>(j) / static_cast<double>(e[1])) *
                             std::exp(std::cos(2.0 * static_cast<double>(k) / static_cast<double>(e[2])));
    return f;
}

double backward_error(const Problem& problem, const Field<double>& f, const Field<double>& u, const Result& result,
                      const BoundaryData<double>& boundary = {}, double scale = 1.0) {
    ResidualMeter<double> meter(problem, u.view(), scale, result.mean_removed, boundary);
    meter.add(0, read(f));
    return meter.result().backward;
}

double distance(FieldView<const double> a, FieldView<const double> b) {
    Real error = 0;
    Real size = 0;
    for (Index i = 0; i < a.extents[0]; ++i)
        for (Index j = 0; j < a.extents[1]; ++j)
            for (Index k = 0; k < a.extents[2]; ++k) {
                const Real d = static_cast<Real>(a(i, j, k)) - b(i, j, k);
                error += d * d;
                size += static_cast<Real>(b(i, j, k)) * b(i, j, k);
            }
    return static_cast<double>(std::sqrt(error / (size > 0 ? size : 1)));
}

/// What the solver promises: 10 eps of backward error.
constexpr double backward = 10 * tolerance::eps<double>;
/// Two solves, each within the tolerance of one from the exact solution.
double apart(const Extents& points) {
    return 2 * tolerance::solve<double>(points);
}

class Agreement {
public:
    void check(const Problem& problem, const Field<double>& f, const BoundaryData<double>& boundary = {},
               double loss = 1.0) {
        Result result;
        const Field<double> u = mixed(problem, f, &result, std::nullopt, boundary);
        backward_.check(backward_error(problem, f, u, result, boundary), backward, describe(problem));
        Field<double> expected(problem.grid.points());
        Options options;
        options.engine = Engine::host;
        Solver<double> solver(problem, options);
        solver.solve(f.view(), expected.view(), boundary);
        forward_.check(distance(read(u), read(expected)), loss * apart(problem.grid.points()), describe(problem));
        const double mean = solver.result().mean_removed;
        EXPECT_NEAR(result.mean_removed, mean, 100 * tolerance::eps<double> * std::max(1.0, std::abs(mean)));
        EXPECT_EQ(result.singular, singular(problem));
    }

private:
    Worst<double> backward_{"backward"}, forward_{"distance_to_double"};
};

TEST(Mixed, IsAsGoodAsDoubleBesideAnUnevenAxis) {
    if (!eliminates_under_test) GTEST_SKIP() << "engine cufft eliminates no axis";
    Agreement agreement;
    for (int n = 0; n < 30; ++n) {
        Problem problem = make_problem({n % 10, (n + 3) % 10, (n + 7) % 10}, {24, 33, 40},
                                       Discretization::second_order, n % 4 == 1 ? 0.4 : 0.0);
        Axis& uneven = problem.grid.axes[n % 3];
        const std::vector<Walls> walls = all_walls();
        uneven = stretched_axis(n % 2 == 0 ? Centering::cell : Centering::node, walls[n % walls.size()],
                                uneven.points, 4.0, n);
        agreement.check(problem, random_field<double>(problem.grid.points(), 40 + n));
    }
}

TEST(Mixed, IsAsGoodAsDoubleForAllKindsAndSizes) {
    Agreement agreement;
    const std::array<Extents, 5> sizes{{{33, 47, 129}, {31, 97, 53}, {16, 16, 16}, {17, 100, 72}, {64, 9, 40}}};
    for (int n = 0; n < 50; ++n) {
        const Kinds which = combination((7 + 83 * n) % combinations);
        for (const double helmholtz : {0.0, 0.3}) {
            const Problem problem =
                make_problem(which, sizes[n % 5], Discretization::second_order, n % 3 == 0 ? helmholtz : 0.0);
            if (n % 3 != 0 && helmholtz != 0.0) continue;
            agreement.check(problem, random_field<double>(sizes[n % 5], n));
            agreement.check(problem, smooth_field(sizes[n % 5]));
        }
    }
}

TEST(Mixed, IsAsGoodAsDoubleForEachKindOnAllAxes) {
    Agreement agreement;
    for (int kind = 0; kind < 10; ++kind)
        for (const double helmholtz : {0.0, 1e-4, 2.0}) {
            const Extents points{21, 32, 27};
            const Problem problem =
                make_problem({kind, kind, kind}, points, Discretization::second_order, helmholtz);
            agreement.check(problem, random_field<double>(points, kind));
            agreement.check(problem, smooth_field(points));
        }
}

TEST(Mixed, IsAsGoodAsDoubleForTheSmallestSizes) {
    Agreement agreement;
    for (int number = 0; number < combinations; number += 3) {
        const Kinds which = combination(number);
        for (const Index more : {0, 1, 2}) {
            Extents points = smallest_points(which);
            points[number % 3] += more;
            const Problem problem =
                make_problem(which, points, Discretization::second_order, number % 2 == 0 ? 0.0 : 0.7);
            agreement.check(problem, random_field<double>(points, number));
        }
    }
}

TEST(Mixed, IsAsGoodAsDoubleForACubeOf128) {
    Agreement agreement;
    const Extents points{128, 128, 128};
    agreement.check(make_problem({cell_p, cell_dd, node_nn}, points), random_field<double>(points));
    agreement.check(make_problem({cell_nn, cell_nn, cell_nn}, points), smooth_field(points));
}

// Needles have the smallest eigenvalues beside the largest, and few points over which rounding averages.
TEST(Mixed, IsAsGoodAsDoubleForNeedlesInMoreSteps) {
    Agreement agreement;
    for (const Index length : {509, 4099, 16384})
        for (const int kind : {+cell_p, +cell_nn, +cell_dn, +node_nd})
            for (const int axis : {0, 2}) {
                Kinds which{cell_nn, cell_nn, cell_nn};
                Extents points{4, 4, 4};
                which[axis] = kind;
                points[axis] = length;
                const Problem problem = make_problem(which, points);
                const int steps = TestMixedSolver(problem)->refinements();
                EXPECT_GE(steps, length > 16000 ? 3 : 2) << describe(problem);
                EXPECT_LE(steps, (length > 4000 ? 4 : 3) + (on_device_under_test ? 1 : 0)) << describe(problem);
                agreement.check(problem, random_field<double>(points, axis));
                agreement.check(problem, smooth_field(points));
            }
}

TEST(Mixed, TakesTwoStepsForOrdinaryBoxes) {
    for (const Extents& points : {Extents{16, 16, 16}, {128, 64, 96}, {33, 129, 60}})
        for (int kind = 0; kind < 10; ++kind)
            EXPECT_EQ(TestMixedSolver(make_problem({kind, cell_nn, (kind + 3) % 10}, points))->refinements(), 2);
}

// A solver that does not refine, or refines with a wrong residual, stays where single precision is.
TEST(Mixed, EveryRefinementTakesTheErrorDown) {
    const Extents points{24, 33, 40};
    for (int number = 0; number < combinations; number += 91) {
        const Problem problem = make_problem(combination(number), points);
        const Field<double> f = random_field<double>(points, number);
        Field<double> expected = solved(problem, f);
        std::vector<double> errors;
        std::vector<double> residuals;
        for (const int refinements : {0, 1, 2, 3}) {
            Result result;
            const Field<double> u = mixed(problem, f, &result, refinements);
            errors.push_back(distance(read(u), read(expected)) / tolerance::eps<double>);
            residuals.push_back(backward_error(problem, f, u, result) / tolerance::eps<double>);
        }
        EXPECT_GT(residuals[0], 1e7) << describe(problem);  // about eps of float
        EXPECT_GT(errors[0], 1e7) << describe(problem);
        EXPECT_GT(errors[1], 20) << describe(problem);
        EXPECT_LT(residuals[1], 2000) << describe(problem);
        EXPECT_LT(errors[1], 1e5) << describe(problem);
        EXPECT_LE(residuals[2], 10) << describe(problem);
        EXPECT_LE(residuals[3], 10) << describe(problem);
    }
}

// The constant of a box without Dirichlet faces has the eigenvalue −λ, so no λ is too small.
TEST(Mixed, IsAsGoodAsDoubleForAnyPositiveHelmholtzConstant) {
    Agreement agreement;
    const Extents points{19, 31, 26};
    for (const Kinds& which :
         {Kinds{cell_p, cell_nn, node_nn}, {node_p, cell_p, cell_p}, {cell_dn, cell_p, node_nn}})
        for (const double helmholtz : {1e-300, 1e-60, 1e-30, 1e-12, 1e-9, 1e-8, 1e-7, 1e-5, 1e-3, 10.0, 1e4}) {
            const Problem problem = make_problem(which, points, Discretization::second_order, helmholtz);
            if (which[0] == cell_dn && helmholtz < 1e-40) continue;  // 0 in float, which says so
            agreement.check(problem, random_field<double>(points, 3));
        }
}

// Between eigenvalues, where sums of float cancel: as many digits as those sums have in double.
TEST(Mixed, IsAsGoodAsDoubleForNegativeHelmholtzConstants) {
    Agreement agreement;
    const Extents points{19, 31, 26};
    for (const Kinds& which : {Kinds{cell_p, cell_nn, node_nn}, {cell_dn, node_dd, cell_p}})
        for (const double helmholtz : {-1e-9, -1e-4, -0.1, -2.0, -7.5, -1e3}) {
            const Problem problem = make_problem(which, points, Discretization::second_order, helmholtz);
            double least = 1e300;
            double norm = std::abs(helmholtz);
            for (int a = 0; a < 3; ++a) norm += 4.0 / std::pow(problem.grid.axes[a].spacing, 2);
            for (Index i = 0; i < unknowns(problem.grid.axes[0]).count; ++i)
                for (Index j = 0; j < unknowns(problem.grid.axes[1]).count; ++j)
                    for (Index k = 0; k < unknowns(problem.grid.axes[2]).count; ++k) {
                        const Real sum = mode_eigenvalue(problem.grid.axes[0], problem.discretization, i) +
                                         mode_eigenvalue(problem.grid.axes[1], problem.discretization, j) +
                                         mode_eigenvalue(problem.grid.axes[2], problem.discretization, k);
                        least = std::min(least, std::abs(static_cast<double>(sum) - helmholtz));
                    }
            agreement.check(problem, random_field<double>(points, 3), {},
                            std::max(1.0, 2 * std::abs(helmholtz) / least));
        }
}

constexpr std::array<Kinds, 5> closed{{{cell_p, cell_nn, node_nn},
                                       {node_nn, node_nn, node_nn},
                                       {cell_p, cell_p, node_p},
                                       {cell_nn, node_p, cell_nn},
                                       {node_nn, cell_p, cell_nn}}};

TEST(Mixed, RemovesTheMeanInDoubleAndLeavesNone) {
    Worst<double> removed("mean");
    Worst<double> left("solution_mean");
    const Extents points{23, 32, 29};
    for (const Kinds& which : closed)
        for (const double constant : {0.0, 0.5, 1000.0}) {
            const Problem problem = make_problem(which, points);
            Field<double> f = random_field<double>(points, 7);
            for (Index i = 0; i < f.size(); ++i) f.data()[i] += constant;
            Result result;
            const Field<double> u = mixed(problem, f, &result, std::nullopt, {}, -2.5);
            EXPECT_TRUE(result.singular);
            const double expected = -2.5 * plain_mean(problem.grid, read(f));
            removed.check(std::abs(result.mean_removed - expected) / (2.5 * (1 + constant)),
                          8 * tolerance::eps<double>, describe(problem));
            double largest = 0;
            for (Index i = 0; i < u.size(); ++i) largest = std::max(largest, std::abs(u.data()[i]));
            left.check(std::abs(plain_mean(problem.grid, read(u))) / largest, tolerance::eps<double>,
                       describe(problem));
        }
}

TEST(Mixed, AGaugePointIsExactlyZero) {
    Agreement agreement;
    const Extents points{11, 19, 14};
    const std::array<Index, 3> places[] = {{0, 0, 0}, {10, 18, 13}, {3, 17, 5}};
    int number = 0;
    for (const Kinds& which : closed)
        for (const auto& [i, j, k] : places) {
            Problem problem = make_problem(which, points);
            problem.gauge.point = {i, j, k};
            const Field<double> f = random_field<double>(points, ++number);
            const Field<double> u = mixed(problem, f);
            EXPECT_EQ(u.view()(i, j, k), 0.0) << describe(problem);
            EXPECT_FALSE(std::signbit(u.view()(i, j, k))) << describe(problem);
            agreement.check(problem, f);
        }
}

/// Arrays on all faces, a number on one.
PlainFaces<double> random_faces(const Problem& problem, std::uint64_t seed) {
    Index n = 0;
    return PlainFaces<double>(problem.grid, true, [&](int axis, int side, auto) {
        return axis == 1 && side == 1 ? 0.75 : uniform(n++, seed + 10 * axis + side);
    });
}

TEST(Mixed, BoundaryDataIsExactOnDirichletNodesAndInEveryResidual) {
    Agreement agreement;
    const std::array<Extents, 3> sizes{{{13, 20, 18}, {5, 4, 9}, {3, 3, 3}}};
    for (int number = 0; number < combinations; number += 17) {
        const Kinds which = combination(number);
        const Extents& points = sizes[number % 3];
        const Problem problem =
            make_problem(which, points, Discretization::second_order, number % 2 == 0 ? 0.0 : 0.4);
        const PlainFaces<double> faces = random_faces(problem, number);
        const BoundaryData<double> boundary = faces.data();
        const Field<double> f = random_field<double>(points, number);
        agreement.check(problem, f, boundary);
        const Field<double> u = mixed(problem, f, nullptr, std::nullopt, boundary);
        for (Index i = 0; i < points[0]; ++i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k) {
                    const std::array<Index, 3> at{i, j, k};
                    for (int axis = 0; axis < 3; ++axis) {  // the first that holds it decides
                        if (unknowns(problem.grid.axes[axis]).contain(at[axis])) continue;
                        const double g = faces(axis, at[axis] == 0 ? 0 : 1, at);
                        ASSERT_EQ(u.view()(i, j, k), g) << describe(problem) << i << " " << j << " " << k;
                        break;
                    }
                }
    }
}

TEST(Mixed, TheScaleActsOnTheFieldAlone) {
    const Problem problem = make_problem({cell_dn, node_dd, cell_nn}, {12, 15, 10});
    const PlainFaces<double> faces = random_faces(problem, 1);
    const BoundaryData<double> boundary = faces.data();
    const Field<double> f = random_field<double>(problem.grid.points());
    Field<double> scaled(problem.grid.points());
    for (Index i = 0; i < f.size(); ++i) scaled.data()[i] = -8 * f.data()[i];
    const Field<double> u = mixed(problem, f, nullptr, std::nullopt, boundary, -8);
    EXPECT_EQ(different<double>(read(u), read(mixed(problem, scaled, nullptr, std::nullopt, boundary))), 0);
}

// Powers of two go through every step exactly, however far outside float they are.
TEST(Mixed, AnyUnitsOfTheRightHandSideGiveTheSameBits) {
    const Extents points{14, 19, 16};
    for (const Kinds& which : {Kinds{cell_p, cell_nn, node_nn}, {cell_dd, node_dn, cell_p}})
        for (const double helmholtz : {0.0, 0.5}) {
            const Problem problem = make_problem(which, points, Discretization::second_order, helmholtz);
            const Field<double> f = random_field<double>(points, 4);
            Result result;
            const Field<double> u = mixed(problem, f, &result);
            for (const int power : {-900, -300, -140, 140, 300, 900}) {
                Field<double> g(points);
                for (Index i = 0; i < g.size(); ++i) g.data()[i] = std::ldexp(f.data()[i], power);
                Result other;
                Field<double> v = mixed(problem, g, &other);
                for (Index i = 0; i < v.size(); ++i) v.data()[i] = std::ldexp(v.data()[i], -power);
                EXPECT_EQ(different<double>(read(u), read(v)), 0) << power << ": " << describe(problem);
                EXPECT_EQ(std::ldexp(other.mean_removed, -power), result.mean_removed);
            }
        }
}

TEST(Mixed, AnyUnitsOfLengthThatSingleTakesGiveTheSameBits) {
    const Extents points{14, 19, 16};
    for (const Kinds& which : {Kinds{cell_p, cell_nn, node_nn}, {cell_dd, node_dn, cell_p}})
        for (const double helmholtz : {0.0, 0.5}) {
            Problem problem = make_problem(which, points, Discretization::second_order, helmholtz);
            const Field<double> f = random_field<double>(points, 4);
            const Field<double> u = mixed(problem, f);
            for (const int power : {-59, -31, 31, 55}) {
                Problem other = problem;
                for (Axis& axis : other.grid.axes) axis.spacing = std::ldexp(axis.spacing, power);
                other.helmholtz = std::ldexp(helmholtz, -2 * power);
                Field<double> v = mixed(other, f);
                for (Index i = 0; i < v.size(); ++i) v.data()[i] = std::ldexp(v.data()[i], -2 * power);
                EXPECT_EQ(different<double>(read(u), read(v)), 0) << power << ": " << describe(problem);
            }
        }
}

TEST(Mixed, NothingGivesZeroAndSoDoesAConstantThatIsRemoved) {
    for (const Kinds& which : {Kinds{cell_p, cell_nn, node_nn}, {cell_dd, node_dn, cell_p}}) {
        const Problem problem = make_problem(which, {9, 8, 10});
        for (const double value : {0.0, 3.0}) {
            if (value != 0.0 && !singular(problem)) continue;
            Result result;
            const Field<double> u = mixed(problem, filled_field<double>(problem.grid.points(), value), &result);
            for (Index i = 0; i < u.size(); ++i) ASSERT_EQ(u.data()[i], 0.0) << describe(problem);
            EXPECT_EQ(result.mean_removed, value);
        }
    }
}

TEST(Mixed, WhatStandsAtDirichletNodesIsIgnored) {
    for (int number = 0; number < combinations; number += 61) {
        const Problem problem = make_problem(combination(number), {9, 12, 10});
        const Field<double> f = random_field<double>(problem.grid.points(), number);
        Field<double> g = filled_field(problem.grid.points(), std::numeric_limits<double>::quiet_NaN());
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) { g.view()(i, j, k) = read(f)(i, j, k); });
        EXPECT_EQ(different<double>(read(mixed(problem, f)), read(mixed(problem, g))), 0) << describe(problem);
    }
}

TEST(Mixed, PitchesAndGhostLayersAreNeitherReadNorWritten) {
    for (int number = 0; number < combinations; number += 61) {
        const Problem problem = make_problem(combination(number), {9, 19, 13});
        const Field<double> f = random_field<double>(problem.grid.points(), 8);
        for (const Memory memory : all_memories) {
            Options options = test_options();
            options.memory = memory;
            const Field<double> expected = mixed(problem, f, nullptr, std::nullopt, {}, 1.0, options);
            Padded<double> from(problem.grid.points(), {1, 2, 3}, {2, 0, 5});
            from.fill(read(f));
            const Padded<double> before = from;
            Padded<double> to(problem.grid.points(), {2, 1, 1}, {0, 3, 4});
            TestMixedSolver solver(problem, options);
            for (int again = 0; again < 2; ++again) {
                solver.solve(from.view(), to.view());
                EXPECT_EQ(different<double>(to.view(), read(expected)), 0) << describe(problem);
                EXPECT_EQ(to.damage(), 0) << describe(problem);
                EXPECT_EQ(from.differs_from(before), 0) << "f was written: " << describe(problem);
            }
        }
    }
}

TEST(Mixed, ThreadsMemoryModesPlansAndOtherSolversChangeNoBit) {
    // On a device the modes are done by different FFTs: the bits of each are its own.
    const std::vector<std::vector<Memory>> ways =
        on_device_under_test ? std::vector<std::vector<Memory>>{{Memory::fast}, {Memory::standard}, {Memory::low}}
                             : std::vector<std::vector<Memory>>{{Memory::fast, Memory::standard, Memory::low}};
    for (const Kinds& which : {Kinds{cell_p, cell_nn, node_nn}, {cell_dd, node_dn, cell_p}})
        for (const std::vector<Memory>& modes : ways) {
            const Problem problem = make_problem(which, {19, 34, 26});
            const Field<double> f = random_field<double>(problem.grid.points(), 9);
            const Field<double> other = smooth_field(problem.grid.points());
            Options options = test_options();
            options.memory = modes.front();
            Result first;
            const Field<double> expected = mixed(problem, f, &first, std::nullopt, {}, 1.0, options);
            for (const int threads : on_device_under_test ? std::vector{1} : std::vector{1, 2, 3, 7})
                for (const Memory memory : modes) {
                    options.threads = threads;
                    options.memory = memory;
                    TestMixedSolver solver(problem, options);
                    EXPECT_EQ(solver->memory(), memory);
                    EXPECT_TRUE(on_device_under_test || solver->threads() == threads);
                    Field<double> u = filled_field<double>(problem.grid.points());
                    for (int again = 0; again < 2; ++again) {
                        solver.solve(f.view(), u.view());
                        EXPECT_EQ(different<double>(u.view(), read(expected)), 0) << threads << describe(problem);
                        EXPECT_EQ(solver->result().mean_removed, first.mean_removed);
                        solver.solve(other.view(), u.view(), {}, 1e200);
                    }
                    MixedSolver moved = std::move(*solver);
                    *solver = std::move(moved);
                    solver.solve(f.view(), u.view());
                    EXPECT_EQ(different<double>(u.view(), read(expected)), 0);
                }
        }
}

}  // namespace
}  // namespace poisson3d
