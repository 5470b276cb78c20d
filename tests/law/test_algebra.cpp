// What a solution operator must be, whatever the numbers: linear, self-adjoint, the inverse of apply().
#include <gtest/gtest.h>

#include "dense.hpp"
#include "plain_stencil.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Extents points{13, 10, 18};

/// Every 53rd combination from the parameter on, both discretizations, λ = 0 and not.
class Algebra : public testing::TestWithParam<int> {
protected:
    template <class Body>
    static void for_each_problem(Body body) {
        for (int number = GetParam(); number < combinations; number += 53)
            body(make_problem(combination(number), points, discretizations[number % 2],
                              number % 3 == 0 ? 0.9 : 0.0));
    }
};

/// a·x + b·y in long double.
template <class T>
Field<Real> combine(Real a, const Field<T>& x, Real b, const Field<T>& y) {
    Field<Real> sum(x.extents());
    for (Index i = 0; i < sum.size(); ++i) sum.data()[i] = a * x.data()[i] + b * y.data()[i];
    return sum;
}

/// A random field with zeros at Dirichlet nodes.
template <class T>
Field<T> random_unknowns(const Grid& grid, std::uint64_t seed) {
    const Field<T> all = random_field<T>(grid.points(), seed);
    Field<T> field = filled_field<T>(grid.points(), T(0));
    for_each_unknown(grid, [&](Index i, Index j, Index k) { field.view()(i, j, k) = all.view()(i, j, k); });
    return field;
}

template <class T>
Real product(const Grid& grid, const Field<T>& a, const Field<T>& b) {
    Real sum = 0;
    for_each_unknown(grid, [&](Index i, Index j, Index k) {
        const Real weight =
            mean_weight(grid.axes[0], i) * mean_weight(grid.axes[1], j) * mean_weight(grid.axes[2], k);
        sum += weight * static_cast<Real>(a.view()(i, j, k)) * static_cast<Real>(b.view()(i, j, k));
    });
    return sum;
}

/// Root mean square of |Λ − λ| times that of its inverse: what rounding is multiplied by when one operator undoes
/// the other on data that has all modes.
double amplification(const Problem& problem) {
    std::array<std::vector<Real>, 3> values;
    for (int a = 0; a < 3; ++a)
        for (Index k = 0; k < unknowns(problem.grid.axes[a]).count; ++k)
            values[a].push_back(mode_eigenvalue(problem.grid.axes[a], problem.discretization, k));
    Real squares = 0;
    Real inverses = 0;
    for (const Real x : values[0])
        for (const Real y : values[1])
            for (const Real z : values[2]) {
                const Real sum = x + y + z - problem.helmholtz;
                squares += sum * sum;
                inverses += sum == 0 ? 0 : 1 / (sum * sum);
            }
    return static_cast<double>(std::sqrt(squares * inverses)) / static_cast<double>(unknown_count(problem.grid));
}

template <class T>
void check_linearity(const Problem& problem, Worst<T>& worst) {
    const Field<T> f = random_field<T>(points, 1);
    const Field<T> g = random_field<T>(points, 2);
    Field<T> both(points);
    for (Index i = 0; i < both.size(); ++i)  // exact: 24-bit numbers times small ones
        both.data()[i] = T(0.5) * f.data()[i] - T(0.25) * g.data()[i];
    const Field<Real> expected = combine(0.5L, solved(problem, f), -0.25L, solved(problem, g));
    worst.check(relative_error(read(solved(problem, both)), expected.view()), tolerance::solve<T>(points),
                describe(problem));
}

TEST_P(Algebra, SolvingIsLinear) {
    Worst<double> worst("linear");
    Worst<float> worst_float("linear");
    for_each_problem([&](const Problem& problem) {
        check_linearity(problem, worst);
        check_linearity(problem, worst_float);
    });
}

/// Of several fields: where one mode is nearly all of u, what it rounds is a single random number.
template <class T>
void check_scale(const Problem& problem, Worst<T>& worst) {
    const T scale = T(-12.566370614359172);
    constexpr int fields = 3;
    double squares = 0.0;
    for (std::uint64_t seed = 3; seed < 3 + fields; ++seed) {
        const Field<T> g = random_field<T>(points, seed);
        const Field<T> once = solved(problem, g), more = solved<T>(problem, g, nullptr, scale);
        const double error = relative_error(read(more), combine(static_cast<Real>(scale), once, 0, once).view());
        squares += error * error;
    }
    worst.check(std::sqrt(squares / fields), 0.5 * tolerance::solve<T>(points), describe(problem));
    const Field<T> f = random_field<T>(points, 3);
    const Field<T> once = solved(problem, f);
    const Field<T> four = solved<T>(problem, f, nullptr, T(-4));
    for (Index i = 0; i < once.size(); ++i)  // a power of two rounds nothing
        ASSERT_EQ(four.data()[i], T(-4) * once.data()[i]) << i << " of " << describe(problem);
    const Field<T> none = solved<T>(problem, f, nullptr, T(0));
    for (Index i = 0; i < none.size(); ++i) ASSERT_EQ(none.data()[i], T(0));
}

TEST_P(Algebra, ScaleMultipliesTheRightHandSide) {
    Worst<double> worst("scale");
    Worst<float> worst_float("scale");
    for_each_problem([&](const Problem& problem) {
        check_scale(problem, worst);
        check_scale(problem, worst_float);
    });
}

template <class T>
void check_self_adjoint(const Problem& problem, Worst<T>& worst) {
    const Grid& grid = problem.grid;
    const Field<T> f = random_unknowns<T>(grid, 4);
    const Field<T> g = random_unknowns<T>(grid, 5);
    const Field<T> u = solved(problem, f);
    const Field<T> v = solved(problem, g);
    const Real difference = std::abs(product(grid, u, g) - product(grid, f, v));
    const Real scale = std::sqrt(product(grid, u, u) * product(grid, g, g));
    worst.check(static_cast<double>(difference / scale), tolerance::solve<T>(points), describe(problem));
}

TEST_P(Algebra, SolvingIsSelfAdjointInTheWeightedProduct) {
    Worst<double> worst("self_adjoint");
    Worst<float> worst_float("self_adjoint");
    for_each_problem([&](const Problem& problem) {
        check_self_adjoint(problem, worst);
        check_self_adjoint(problem, worst_float);
    });
}

template <class T>
void check_inverses(const Problem& problem, Worst<T>& there, Worst<T>& back) {
    const double allowed = tolerance::solve<T>(points) * amplification(problem);
    TestSolver<T> solver(problem, test_options());
    const Field<T> start = random_unknowns<T>(problem.grid, 6);
    Field<T> between = filled_field<T>(points);
    Field<T> end = filled_field<T>(points);
    // Constants are lost on the way where they are in the null space.
    Field<Real> expected = combine(1, start, 0, start);
    if (singular(problem)) {
        const double mean = plain_mean(problem.grid, read(start));
        for (Index i = 0; i < expected.size(); ++i) expected.data()[i] -= mean;
    }
    solver.solve(start.view(), between.view());
    solver.apply(between.view(), end.view());
    there.check(relative_error(read(end), expected.view()), allowed, describe(problem));
    EXPECT_EQ(solver.result().mean_removed, 0.0) << "apply() removes nothing";
    solver.apply(start.view(), between.view(), T(8));
    solver.solve(between.view(), end.view(), T(0.125));
    back.check(relative_error(read(end), expected.view()), allowed, describe(problem));
}

TEST_P(Algebra, SolveAndApplyUndoEachOther) {
    Worst<double> there("apply_solve");
    Worst<double> back("solve_apply");
    Worst<float> there_float("apply_solve");
    Worst<float> back_float("solve_apply");
    for_each_problem([&](const Problem& problem) {
        check_inverses(problem, there, back);
        check_inverses(problem, there_float, back_float);
    });
}

INSTANTIATE_TEST_SUITE_P(From, Algebra, testing::Values(0, 11, 22, 33, 44), testing::PrintToStringParamName());

}  // namespace
}  // namespace poisson3d
