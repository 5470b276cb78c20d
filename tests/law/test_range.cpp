// Very large and very small numbers: λ, anisotropy and right-hand sides as far as the promise goes, and what is
// refused beyond.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Fields times a power of two.
template <class T>
Field<T> times(const Field<T>& field, int exponent) {
    Field<T> result(field.extents());
    for (Index i = 0; i < field.size(); ++i) result.data()[i] = std::ldexp(field.data()[i], exponent);
    return result;
}

template <class T>
bool same_bits(const Field<T>& a, const Field<T>& b) {
    return std::equal(a.data(), a.data() + a.size(), b.data());
}

/// Largest power of two with 2^exponent · largest ≤ bound.
int exponent_below(double bound, double largest) {
    return static_cast<int>(std::floor(std::log2(bound / largest)));
}

/// With values at all walls, of the size of f.
template <class T>
BoundaryData<T> faces_of(const Problem& problem, T value) {
    BoundaryData<T> data;
    for (int a = 0; a < 3; ++a)
        if (!problem.grid.axes[a].periodic())
            for (auto& face : data.faces[a]) face.constant = value;
    return data;
}

/// Powers of two change no digit, up to the largest f; one sign everywhere makes transforms grow most.
TYPED_TEST(Range, TheLargestRightHandSidesGiveTheSameBits) {
    using T = TypeParam;
    for (int kind = 0; kind < 10; ++kind) {
        const Problem problem = make_problem({kind, kind, kind}, {61, 65, 96});
        Field<T> f = random_field<T>(problem.grid.points());
        for (Index i = 0; i < f.size(); ++i) f.data()[i] = T(1) + T(0.25) * f.data()[i];
        Field<T> u(f.extents());
        TestSolver<T> solver(problem, test_options());
        solver.solve(f.view(), u.view());
        const double mean = solver.result().mean_removed;
        const double largest = solver.solver().range().largest;
        EXPECT_GE(largest, sizeof(T) == 8 ? 1e300 : 1e31);
        const int up = exponent_below(largest, 1.25);
        Field<T> scaled(f.extents());
        solver.solve(times(f, up).view(), scaled.view());
        EXPECT_TRUE(same_bits(scaled, times(u, up))) << describe(problem);
        EXPECT_EQ(solver.result().mean_removed, std::ldexp(mean, up)) << describe(problem);
    }
}

TYPED_TEST(Range, SoDoLargeValuesAtWalls) {
    using T = TypeParam;
    for (int number = 0; number < combinations; number += 37) {
        const Problem problem = make_problem(combination(number), ragged);
        const Field<T> f = random_field<T>(ragged, static_cast<std::uint64_t>(number));
        Field<T> u(ragged);
        Field<T> scaled(ragged);
        TestSolver<T> solver(problem, test_options());
        // Values at walls count over h², 5 for the narrowest axis, and add where three faces meet.
        const int up = exponent_below(solver.solver().range().largest, 40.0);
        solver.solve(f.view(), u.view(), faces_of<T>(problem, T(1)));
        solver.solve(times(f, up).view(), scaled.view(), faces_of<T>(problem, std::ldexp(T(1), up)));
        EXPECT_TRUE(same_bits(scaled, times(u, up))) << describe(problem);
    }
}

/// At the least f numbers are rounded where they have no digits left, but not before.
TYPED_TEST(Range, SmallRightHandSidesAreSolvedAsWell) {
    using T = TypeParam;
    Worst<T> forward("solution");
    Worst<T> backward("backward error");
    for (int number = 0; number < combinations; number += 37) {
        const Problem problem = make_problem(combination(number), {31, 9, 12}, Discretization::second_order, 2.0);
        const Extents points = problem.grid.points();
        TestSolver<T> solver(problem, test_options());
        const double smallest = solver.solver().range().smallest;
        EXPECT_LE(smallest, sizeof(T) == 8 ? 1e-290 : 1e-31);
        // u is between 1/40 and all of f here
        const int down = exponent_below(64 * smallest, 1.0);
        const Field<T> f = random_field<T>(points, static_cast<std::uint64_t>(number));
        const Field<T> small = times(f, down);
        Field<T> u(points);
        solver.solve(small.view(), u.view());
        const Field<Real> expected = separable_solve(problem, read(f));
        Field<Real> found(points);
        for (Index i = 0; i < u.size(); ++i) found.data()[i] = std::ldexp(static_cast<Real>(u.data()[i]), -down);
        forward.check(relative_error(read(found), expected.view()), tolerance::solve<T>(points), describe(problem));
        ResidualMeter<T> meter(problem, u.view(), 1.0, 0.0);
        meter.add(0, read(small));
        backward.check(meter.result().backward, tolerance::backward<T>(points), describe(problem));
    }
}

/// A scale that would leave the ordinary numbers with the power of two that f is read with.
TYPED_TEST(Range, TinyScalesKeepTheirDigits) {
    using T = TypeParam;
    constexpr int down = std::numeric_limits<T>::min_exponent - 1;  // the least ordinary number
    const T scale = T(1.7);
    const Problem problem = make_problem({cell_dd, node_nn, cell_dn}, {31, 9, 12});
    const Field<T> f = random_field<T>(problem.grid.points());
    const Field<T> u = solved(problem, f, nullptr, scale);
    const Field<T> tiny = solved(problem, times(f, -down - 4), nullptr, std::ldexp(scale, down));
    EXPECT_TRUE(same_bits(times(tiny, 4), u));
}

/// Within the range of what is divided by, solves are right; just beyond they are refused.
TYPED_TEST(Range, UnitsOfLengthUpToTheEdges) {
    using T = TypeParam;
    Worst<T> forward("solution");
    Worst<T> backward("backward error");
    // 4/h² of three axes below max/4, (n h)⁻² above 4 min
    const double largest = static_cast<double>(std::numeric_limits<T>::max());
    const double smallest = static_cast<double>(std::numeric_limits<T>::min());
    const double least_spacing = std::sqrt(3 * 4 / (largest / 4));
    const double max_spacing = std::sqrt(1 / (4 * smallest)) / 12;
    for (const Kinds& which : {Kinds{cell_dd, cell_dd, cell_dd}, Kinds{node_dn, cell_p, cell_nd}}) {
        const auto of = [&](double spacing) {
            Problem problem = make_problem(which, ragged);
            for (Axis& axis : problem.grid.axes) axis.spacing = spacing;
            return problem;
        };
        // f such that u is about 1: f itself may be as large or as small as 1/h² here.
        for (const double spacing : {1.01 * least_spacing, 0.99 * max_spacing}) {
            const Problem problem = of(spacing);
            const int exponent = -2 * std::ilogb(spacing) + (spacing > 1 ? 8 : -16);
            const Field<T> f = times(random_field<T>(ragged), exponent);
            const Field<T> u = solved(problem, f);
            forward.check(relative_error(read(u), separable_solve(problem, read(f)).view()),
                          tolerance::solve<T>(ragged),
                          describe(problem) + " h " + std::to_string(std::log10(spacing)));
            ResidualMeter<T> meter(problem, u.view(), 1.0, 0.0);
            meter.add(0, read(f));
            backward.check(meter.result().backward, tolerance::backward<T>(ragged), describe(problem));
        }
        for (const double spacing : {0.9 * least_spacing, 1.01 * max_spacing})
            expect_error(ErrorCode::data, {"spacings", "units of length"},
                         [&] { TestSolver<T> solver(of(spacing), test_options()); });
    }
}

TYPED_TEST(Range, AConstantThatIsNoOrdinaryNumberIsRefused) {
    const double least = 4.0 * static_cast<double>(std::numeric_limits<TypeParam>::min());
    Problem problem = make_problem({cell_p, node_nn, cell_nn}, ragged);
    problem.helmholtz = 0.99 * least;
    expect_error(ErrorCode::data, {"Helmholtz", "too near 0"},
                 [&] { TestSolver<TypeParam> solver(problem, test_options()); });
    problem.helmholtz = least;
    Field<TypeParam> f = filled_field<TypeParam>(ragged, static_cast<TypeParam>(-32 * least));
    const Field<TypeParam> u = solved(problem, f);
    for (Index i = 0; i < u.size(); ++i) EXPECT_NEAR(static_cast<double>(u.data()[i]), 32.0, 1e-4);
}

}  // namespace
}  // namespace poisson3d
