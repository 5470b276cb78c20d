// Very large and very small numbers: λ, anisotropy and right-hand sides as far as the promise goes, and what is
// refused beyond.
#include <gtest/gtest.h>

#include <cmath>

#include "dense.hpp"
#include "expect_error.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "separable.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// No axis fills whole blocks of lines, and none has an even number of unknowns for all kinds.
constexpr Extents ragged{12, 9, 10};

template <class T>
class Range : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Range, Types);

/// Solves for random f and compares with the exact discrete solution, and the residual with its tolerance.
template <class T>
void expect_solved(const Problem& problem, Worst<T>& forward, Worst<T>& backward, std::uint64_t seed) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, seed);
    Result result;
    const Field<T> u = solved(problem, f, &result);
    const Field<Real> expected = separable_solve(problem, read(f));
    forward.check(relative_error(read(u), expected.view()), tolerance::solve<T>(points), describe(problem));
    if (problem.discretization == Discretization::spectral) return;
    ResidualMeter<T> meter(problem, u.view(), 1.0, result.mean_removed);
    meter.add(0, read(f));
    const double part = std::abs(problem.helmholtz) / operator_norm(problem);
    backward.check(meter.result().backward, tolerance::backward<T>(points, part), describe(problem));
}

/// u is nearly −f/λ: whatever is not divided by λ stands out by as much.
TYPED_TEST(Range, AHugeConstantDividesAllOfF) {
    Worst<TypeParam> forward("solution");
    Worst<TypeParam> backward("backward error");
    for (int number = 0; number < combinations; number += 37)
        for (const double helmholtz : {1e11, 1e19, 1e25, 1e30})
            expect_solved(make_problem(combination(number), ragged, discretizations[number % 2], helmholtz),
                          forward, backward, static_cast<std::uint64_t>(number));
}

TYPED_TEST(Range, SpacingsThatDifferByAnything) {
    constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    Worst<TypeParam> forward("solution");
    Worst<TypeParam> backward("backward error");
    for (const std::array<double, 3>& spacings :
         {std::array{1.0, 1e7, 1e-8}, {1.0, 1e-15, 1e-7}, {1.0, 1e14, 1e15}})
        for (const auto& order : orders)
            for (int number = 0; number < combinations; number += 111) {
                Problem problem = make_problem(combination(number), ragged);
                for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = spacings[order[a]];
                expect_solved(problem, forward, backward, static_cast<std::uint64_t>(number));
            }
}

}  // namespace
}  // namespace poisson3d
