// Problems without a Dirichlet face: what is removed from f, how the constant is fixed, and what λ changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>

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

/// f less its mean, in double; `mean` gets it.
template <class T>
Field<double> without_mean(const Grid& grid, const Field<T>& f, double& mean) {
    mean = plain_mean(grid, read(f));
    Field<double> rest(f.extents());
    for (Index i = 0; i < f.size(); ++i) rest.data()[i] = static_cast<double>(f.data()[i]) - mean;
    return rest;
}

/// The solution for f against that for f without its mean: in double, or, where T is double, in that as well, which
/// then may err as much. Of a constant that large the mean itself is only as good as T.
template <class T>
double loss_by_constant(const Problem& problem, const Field<T>& f) {
    double mean = 0.0;
    const Field<double> rest = without_mean(problem.grid, f, mean);
    Options options = test_options();
    options.engine = Engine::host;
    Field<double> reference = filled_field<double>(f.extents());
    Solver<double>(problem, options).solve(read(rest), reference.view());
    Field<Real> expected(f.extents());
    std::copy_n(reference.data(), f.size(), expected.data());
    Result result;
    const Field<T> u = solved(problem, f, &result);
    EXPECT_NEAR(result.mean_removed, mean,
                2 * std::abs(mean) * tolerance::eps<T> + tolerance::solve<T>(f.extents()))
        << describe(problem);
    return relative_error(read(u), read(expected));
}

constexpr double constants[] = {0.3, -1.0, 3.0, 30.0, -1000.0, 1e5, 1e7};

TYPED_TEST(Singular, NoConstantCostsDigits) {
    using T = TypeParam;
    Worst<T> worst("constants");
    for (const Extents& points : {Extents{6, 9, 7}, Extents{32, 17, 30}, Extents{13, 40, 2}})
        for (int number = 0; number < closed_combinations; number += points[0] == 6 ? 1 : 5) {
            const Problem problem = make_problem(closed_combination(number), points, discretizations[number % 2]);
            const double constant = constants[number % std::size(constants)];
            Field<T> f = random_field<T>(points, number);
            for (Index i = 0; i < f.size(); ++i) f.data()[i] += static_cast<T>(constant);
            // In double it is the reference whose mean rounds.
            const double reference = sizeof(T) == 8 ? std::abs(constant) : 0.0;
            worst.check(loss_by_constant(problem, f), (1 + reference) * tolerance::solve<T>(points),
                        describe(problem) + ", constant " + std::to_string(constant));
        }
}

// Where a constant weighs N times as much in the last transform as in f. Before f lost all but a few σ / √samples
// of it, 0.3 to 3 cost up to 77 eps here, and 1000 up to 26.
TEST(SingularInFloat, NoConstantCostsDigitsOfALargeBox) {
    Worst<float> worst("constants_large");
    const Extents points{128, 128, 128};
    int seed = 0;
    for (const Kinds& which :
         {Kinds{cell_nn, cell_nn, cell_nn}, {node_p, cell_p, cell_p}, {node_nn, cell_nn, cell_p}})
        for (const double constant : {0.3, 3.0, 1000.0}) {
            const Problem problem = make_problem(which, points);
            Field<float> f = random_field<float>(points, ++seed);
            for (Index i = 0; i < f.size(); ++i) f.data()[i] += static_cast<float>(constant);
            worst.check(loss_by_constant(problem, f), tolerance::solve<float>(points),
                        describe(problem) + ", constant " + std::to_string(constant));
        }
}

// Uniform in [−1, 1) with all digits of double. Numbers of few digits plus a constant all end in the digits of the
// constant, and lose them to the same side: in a part of the box that is a step of 0.05 eps, which counts.
double long_uniform(std::uint64_t index) {
    return static_cast<double>(hash(index, 1) >> 11) * 0x1p-52 - 1.0;
}

// What is taken from f must not be rounded to one side where only a part of f varies: with all its digits 0.1 to
// 0.4 cost 20 to 65 eps here.
TEST(SingularInFloat, NoConstantCostsDigitsWhereAPartOfTheBoxHoldsNothingElse) {
    Worst<float> worst("constants_beside_noise");
    const Extents points{128, 128, 128};
    const Problem problem = make_problem({cell_nn, cell_nn, cell_nn}, points);
    for (const Index planes : {43, 85})
        for (const float constant : {0.1F, 0.2F, 0.4F, 1000.0F}) {
            Field<float> f(points);
            for (Index i = 0; i < f.size(); ++i) {
                const double noise = i / (points[1] * points[2]) < planes ? long_uniform(i) : 0.0;
                f.data()[i] = static_cast<float>(constant + noise);
            }
            worst.check(loss_by_constant(problem, f), tolerance::solve<float>(points),
                        std::to_string(planes) + " planes, constant " + std::to_string(constant));
        }
}

// A mean that is nowhere near the median, and charges of which there are few.
TEST(SingularInFloat, NoMeanOfAFieldThatIsNotSymmetricCostsDigits) {
    Worst<float> worst("means_large");
    const Extents points{128, 128, 128};
    const Problem problem = make_problem({cell_nn, node_p, cell_nn}, points);
    for (const std::uint64_t one_in : {7, 500, 100000})
        for (const float constant : {0.0F, 30.0F}) {
            Field<float> f(points);
            for (Index i = 0; i < f.size(); ++i) f.data()[i] = constant + (hash(i, 3) % one_in == 0 ? 1.0F : 0.0F);
            worst.check(loss_by_constant(problem, f), tolerance::solve<float>(points), std::to_string(one_in));
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
