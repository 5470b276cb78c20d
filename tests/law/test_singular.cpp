// Problems without a Dirichlet face: what is removed from f, how the constant is fixed, and what λ changes.
#include <gtest/gtest.h>

#include <bit>

#include "dense.hpp"
#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr std::array<int, 4> closed_kinds{cell_p, cell_nn, node_p, node_nn};
constexpr int closed_combinations = 64;

Kinds closed_combination(int number) {
    return {closed_kinds[number / 16], closed_kinds[number / 4 % 4], closed_kinds[number % 4]};
}

/// Every singular mix, second-order and spectral in turn.
template <class Body>
void for_each_closed_problem(const Extents& points, Body body) {
    for (int number = 0; number < closed_combinations; ++number)
        body(make_problem(closed_combination(number), points, discretizations[number % 2]), number);
}

template <class T>
class Singular : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Singular, Precisions);

TYPED_TEST(Singular, TheWeightedMeanIsRemovedAndReportedTimesScale) {
    using T = TypeParam;
    Worst<T> worst("mean");
    for_each_closed_problem({9, 12, 10}, [&](const Problem& problem, int number) {
        Field<T> f = random_field<T>(problem.grid.points(), number);
        for (Index i = 0; i < f.size(); ++i) f.data()[i] += T(0.5);
        Result result;
        const T scale = number % 3 == 0 ? T(1) : T(-2.5);
        const Field<T> u = solved(problem, f, &result, scale);
        EXPECT_TRUE(result.singular) << describe(problem);
        const double expected = static_cast<double>(scale) * plain_mean(problem.grid, read(f));
        worst.check(std::abs(result.mean_removed / expected - 1), tolerance::solve<T>(problem.grid.points()),
                    describe(problem));
    });
}

TYPED_TEST(Singular, TheSolutionHasMeanZero) {
    using T = TypeParam;
    Worst<T> worst("solution_mean");
    for_each_closed_problem({9, 12, 10}, [&](const Problem& problem, int number) {
        const Field<T> f = random_field<T>(problem.grid.points(), number);
        const Field<T> u = solved(problem, f);
        double largest = 0;
        for (Index i = 0; i < u.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(u.data()[i])));
        worst.check(std::abs(plain_mean(problem.grid, read(u))) / largest,
                    tolerance::solve<T>(problem.grid.points()), describe(problem));
    });
}

TYPED_TEST(Singular, AGaugePointIsExactlyZeroAndTheRestMovesAlong) {
    using T = TypeParam;
    Worst<T> worst("gauge");
    const Extents points{7, 19, 11};  // more lines than one block, and a ragged one
    const std::array<Index, 3> places[] = {{0, 0, 0}, {6, 18, 10}, {3, 17, 5}, {2, 8, 9}};
    for_each_closed_problem(points, [&](Problem problem, int number) {
        const Field<T> f = random_field<T>(points, number);
        Options options = test_options();
        options.memory = all_memories[number % 5 % 3];
        Result result;
        const Field<T> free = solved(problem, f, &result, T(1), options);
        const auto [i, j, k] = places[number % 4];
        problem.gauge.point = {i, j, k};
        const Field<T> fixed = solved(problem, f, &result, T(1), options);
        EXPECT_EQ(fixed.view()(i, j, k), T(0)) << describe(problem);
        EXPECT_FALSE(std::signbit(fixed.view()(i, j, k))) << describe(problem);
        EXPECT_NE(result.mean_removed, 0.0);
        // Elsewhere the difference is one rounded subtraction: of the same constant everywhere.
        Field<Real> expected(points);
        for (Index n = 0; n < free.size(); ++n)
            expected.data()[n] = static_cast<Real>(free.data()[n]) - static_cast<Real>(free.view()(i, j, k));
        worst.check(relative_error(read(fixed), expected.view()), tolerance::eps<T>, describe(problem));
    });
}

// A gauge is for the constant of singular problems: others keep their own.
TYPED_TEST(Singular, AGaugePointChangesNothingElsewhere) {
    using T = TypeParam;
    const Extents points{6, 7, 9};
    for (const auto& [which, helmholtz] :
         {std::pair{Kinds{cell_p, cell_nn, node_nn}, 0.25}, {Kinds{cell_p, cell_nd, node_nn}, 0.0}}) {
        Problem problem = make_problem(which, points, Discretization::second_order, helmholtz);
        const Field<T> f = random_field<T>(points);
        const Field<T> free = solved(problem, f);
        problem.gauge.point = {1, 2, 3};
        Result result;
        const Field<T> same = solved(problem, f, &result);
        EXPECT_FALSE(result.singular);
        EXPECT_EQ(result.mean_removed, 0.0);
        for (Index i = 0; i < free.size(); ++i) ASSERT_EQ(same.data()[i], free.data()[i]) << i;
    }
}

template <class T>
Field<T> random_around_1000(const Extents& points, std::uint64_t seed) {
    Field<T> f = random_field<T>(points, seed);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] += T(1000);
    return f;
}

// The rounding of a constant is the same in every line, so that it adds up where that of random numbers cancels.
constexpr double coherent = 4;

TYPED_TEST(Singular, ALargeConstantCostsFewDigits) {
    using T = TypeParam;
    Worst<T> worst("solution_1000");
    const Extents points{6, 9, 7};  // ragged blocks of lines: absent ones must not lend their constant
    for_each_closed_problem(points, [&](const Problem& problem, int number) {
        const Field<T> f = random_around_1000<T>(points, number);
        Result result;
        const Field<T> u = solved(problem, f, &result);
        const Dense::Solution expected = Dense(problem).solve(read(f));
        // What most of f is near is taken from it first, but not by the 3-D transforms of periodic boxes on a
        // device; and in double precision it is the reference that rounds at 1000.
        const bool box =
            problem.grid.axes[0].periodic() && problem.grid.axes[1].periodic() && problem.grid.axes[2].periodic();
        const double loss = sizeof(T) == 4 && !box ? 1 : 1000;
        const double allowed = coherent * loss * tolerance::solve<T>(points);
        worst.check(relative_error(read(u), expected.u.view()), allowed, describe(problem));
        EXPECT_NEAR(result.mean_removed, static_cast<double>(expected.mean_removed),
                    coherent * 1000 * tolerance::solve<T>(points));
    });
}

TYPED_TEST(Singular, ALargeConstantCostsNoBackwardError) {
    using T = TypeParam;
    Worst<T> worst("backward_1000");
    const Extents points{33, 47, 29};
    for (int number = 0; number < closed_combinations; number += 3) {
        const Problem problem = make_problem(closed_combination(number), points);
        const Field<T> f = random_around_1000<T>(points, number);
        Result result;
        const Field<T> u = solved(problem, f, &result);
        ResidualMeter<T> meter(problem, u.view(), 1.0, result.mean_removed);
        meter.add(0, read(f));
        worst.check(meter.result().backward, coherent * tolerance::backward<T>(points), describe(problem));
    }
}

TYPED_TEST(Singular, AConstantRightHandSideIsRemovedWhole) {
    using T = TypeParam;
    for_each_closed_problem({8, 4, 16}, [&](const Problem& problem, int) {
        Result result;
        const Field<T> u = solved(problem, filled_field<T>(problem.grid.points(), T(3)), &result);
        EXPECT_NEAR(result.mean_removed, 3.0, 3 * tolerance::solve<T>(problem.grid.points())) << describe(problem);
        for (Index i = 0; i < u.size(); ++i)
            ASSERT_LE(std::abs(u.data()[i]), 1000 * tolerance::eps<T>) << describe(problem);
    });
}

// λ decides by being 0 or not, never by being small.
TYPED_TEST(Singular, TheSmallestHelmholtzConstantMakesAProblemRegular) {
    using T = TypeParam;
    Worst<T> worst("tiny_helmholtz");
    const Extents points{5, 6, 7};
    for_each_closed_problem(points, [&](Problem problem, int number) {
        problem.helmholtz = number % 2 == 0 ? 1e-9 : 1e-30;
        EXPECT_FALSE(singular(problem));
        const Field<T> f = random_field<T>(points, number + 1);
        Result result;
        const Field<T> u = solved(problem, f, &result);
        EXPECT_FALSE(result.singular);
        EXPECT_EQ(result.mean_removed, 0.0);
        // All but the constant −mean/λ is lost in rounding beside it.
        const double constant = -plain_mean(problem.grid, read(f)) / problem.helmholtz;
        Field<Real> expected(points);
        for (Index i = 0; i < u.size(); ++i) expected.data()[i] = constant;
        const double allowed = 20 * std::max(tolerance::eps<T>, 100 * std::abs(1 / constant));
        worst.check(relative_error(read(u), expected.view()), allowed, describe(problem));
    });
}

TEST(SingularKinds, AreThoseWithoutADirichletFaceAndWithoutHelmholtz) {
    for (int number = 0; number < combinations; ++number) {
        Problem problem = make_problem(combination(number), {5, 5, 5});
        bool expected = true;
        for (const Axis& axis : problem.grid.axes)
            expected = expected && axis.lower != Boundary::dirichlet && axis.upper != Boundary::dirichlet;
        EXPECT_EQ(singular(problem), expected) << describe(problem);
        problem.helmholtz = std::bit_cast<double>(std::uint64_t{1});  // the smallest number there is
        EXPECT_FALSE(singular(problem));
        problem.helmholtz = -0.0;
        EXPECT_EQ(singular(problem), expected);
    }
}

}  // namespace
}  // namespace poisson3d
