// Products of sampled sines and cosines are eigenfunctions of the discrete operator: solve() divides them by their
// eigenvalue and apply() multiplies by it, to rounding, for every kind on every axis.
#include <gtest/gtest.h>

#include <limits>

#include "axis_rules.hpp"
#include "dense.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

using Modes = std::array<Index, 3>;

Real eigenvalue(const Problem& problem, const Modes& modes) {
    Real sum = -static_cast<Real>(problem.helmholtz);
    for (int a = 0; a < 3; ++a) sum += mode_eigenvalue(problem.grid.axes[a], problem.discretization, modes[a]);
    return sum;
}

/// factor · the eigenfunction, 0 at Dirichlet nodes.
Field<Real> eigenfunction(const Problem& problem, const Modes& modes, Real factor) {
    Field<Real> field(problem.grid.points());
    const FieldView<Real> view = field.view();
    std::array<std::vector<Real>, 3> values;
    for (int a = 0; a < 3; ++a)
        for (Index j = 0; j < view.extents[a]; ++j) {
            const Axis& axis = problem.grid.axes[a];
            values[a].push_back(unknowns(axis).contain(j) ? mode_value(axis, modes[a], j) : 0);
        }
    for (Index i = 0; i < view.extents[0]; ++i)
        for (Index j = 0; j < view.extents[1]; ++j)
            for (Index k = 0; k < view.extents[2]; ++k)
                view(i, j, k) = factor * values[0][i] * values[1][j] * values[2][k];
    return field;
}

template <class T>
Field<T> rounded(const Field<Real>& field) {
    Field<T> result(field.extents());
    for (Index i = 0; i < field.size(); ++i) result.data()[i] = static_cast<T>(field.data()[i]);
    return result;
}

/// The part of u that is the eigenfunction, as a multiple of it: the others are orthogonal in the weighted product.
template <class T>
double coefficient(const Problem& problem, FieldView<const T> u, FieldView<const Real> wanted) {
    const auto& axes = problem.grid.axes;
    Real product = 0;
    Real square = 0;
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k) {
                const Real w = mean_weight(axes[0], i) * mean_weight(axes[1], j) * mean_weight(axes[2], k);
                product += w * u(i, j, k) * wanted(i, j, k);
                square += w * wanted(i, j, k) * wanted(i, j, k);
            }
    return static_cast<double>(product / square);
}

/// The least and the largest |eigenvalue| of a problem with λ ≥ 0, the 0 of constants left out.
std::array<double, 2> extremes(const Problem& problem) {
    std::array<std::vector<double>, 3> values;
    for (int a = 0; a < 3; ++a)
        for (Index k = 0; k < unknowns(problem.grid.axes[a]).count; ++k)
            values[a].push_back(
                static_cast<double>(-mode_eigenvalue(problem.grid.axes[a], problem.discretization, k)));
    double least = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const double x : values[0])
        for (const double y : values[1])
            for (const double z : values[2]) {
                const double sum = x + y + z + problem.helmholtz;
                if (sum > 0) least = std::min(least, sum);
                largest = std::max(largest, sum);
            }
    return {least, largest};
}

template <class T>
struct Measured {
    Worst<T> solve{"solve"}, apply{"apply"}, eigenvalue{"eigenvalue"};
};

/// Checks both directions for one eigenfunction, with another scale each.
template <class T>
void check(const Problem& problem, const Modes& modes, Measured<T>& worst) {
    const Extents points = problem.grid.points();
    const std::string where = describe(problem) + ", mode " + std::to_string(modes[0]) + " " +
                              std::to_string(modes[1]) + " " + std::to_string(modes[2]);
    const Field<T> f = rounded<T>(eigenfunction(problem, modes, 1));
    const Real value = eigenvalue(problem, modes);
    const double magnitude = static_cast<double>(std::abs(value));
    const auto [least, largest] = extremes(problem);
    // The rounding of f has all modes in it, which solve() and apply() multiply by other factors than this one.
    const double allowed = tolerance::solve<T>(points);
    Options options = test_options();
    options.threads = 1;  // for a problem this small a team costs more than the solve
    TestSolver<T> solver(problem, options);
    Field<T> u = filled_field<T>(points);
    solver.solve(f.view(), u.view(), T(-0.75));
    Field<Real> wanted = eigenfunction(problem, modes, -0.75L / value);
    worst.solve.check(relative_error(read(u), wanted.view()), allowed * magnitude / least, where);
    worst.eigenvalue.check(std::abs(coefficient(problem, read(u), wanted.view()) - 1), allowed, where);
    solver.apply(f.view(), u.view(), T(1.5));
    wanted = eigenfunction(problem, modes, 1.5L * value);
    worst.apply.check(relative_error(read(u), wanted.view()), allowed * largest / magnitude, where);
    worst.eigenvalue.check(std::abs(coefficient(problem, read(u), wanted.view()) - 1), allowed, where);
}

class Eigenfunctions : public testing::TestWithParam<std::tuple<Discretization, int>> {};

TEST_P(Eigenfunctions, AreSolvedToRounding) {
    const auto [discretization, kind] = GetParam();
    Measured<double> worst;
    Measured<float> worst_float;
    for (int a = 0; a < 3; ++a) {
        // The kind under test on axis a, two others that vary with it beside.
        Kinds which{(kind + 3) % 10, (kind + 6) % 10, (kind + 9) % 10};
        which[a] = kind;
        const Extents points{12, 9, 17};
        for (const double helmholtz : {0.0, 0.7}) {
            const Problem problem = make_problem(which, points, discretization, helmholtz);
            Index n = unknowns(problem.grid.axes[a]).count;
            for (const Index mode : {Index{0}, Index{1}, Index{2}, n / 2, n / 2 + 1, n - 2, n - 1}) {
                Modes modes{2, 1, 3};
                modes[a] = mode;
                check(problem, modes, worst);
                check(problem, modes, worst_float);
            }
        }
    }
}

// Alone on its axis, so that the eigenvalue is that of one axis and nothing hides an error in it.
TEST_P(Eigenfunctions, HaveTheEigenvalueOfTheirAxis) {
    const auto [discretization, kind] = GetParam();
    Measured<double> worst;
    for (int a = 0; a < 3; ++a) {
        Kinds which{cell_nn, cell_nn, cell_nn};
        which[a] = kind;
        Extents points{1, 1, 1};
        points[a] = 14;
        const Problem problem = make_problem(which, points, discretization);
        for (Index mode = 0; mode < unknowns(problem.grid.axes[a]).count; ++mode) {
            Modes modes{0, 0, 0};
            modes[a] = mode;
            if (eigenvalue(problem, modes) != 0) check(problem, modes, worst);
        }
    }
}

std::string case_name(const testing::TestParamInfo<std::tuple<Discretization, int>>& info) {
    const auto [discretization, kind] = info.param;
    return (discretization == Discretization::spectral ? "Spectral" : "Stencil") + std::string(kinds[kind].name);
}

INSTANTIATE_TEST_SUITE_P(All, Eigenfunctions,
                         testing::Combine(testing::ValuesIn(discretizations), testing::Range(0, 10)), case_name);

}  // namespace
}  // namespace poisson3d
