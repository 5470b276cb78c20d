// Solutions that are no eigenfunctions: the stencil converges with order 2, the spectral eigenvalues faster than
// any power, because the functions here have smooth periodic, odd or even extensions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plain_stencil.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// g(s) and g''(s) for s in [0, 1], g = A(s) exp(B(s)): A meets the boundary conditions, B keeps them and spoils
/// the symmetry.
struct Shape {
    Real value, second;
};

Shape shape(const Axis& axis, Real steepness, Real s) {
    const Real pi = std::numbers::pi_v<Real>;
    struct Part {
        Real f = 1, first = 0, second = 0;
    };
    const auto sine = [&](Real rate) -> Part {
        return {std::sin(rate * s), rate * std::cos(rate * s), -rate * rate * std::sin(rate * s)};
    };
    const auto cosine = [&](Real rate, Real shift) -> Part {
        const Real x = rate * s + shift;
        return {std::cos(x), -rate * std::sin(x), -rate * rate * std::cos(x)};
    };
    Part a;
    Part b = cosine(pi, 0);  // even about both ends
    if (axis.periodic())
        b = cosine(2 * pi, 0.4L);
    else if (axis.lower == Boundary::dirichlet)
        a = sine(axis.upper == Boundary::dirichlet ? pi : pi / 2);
    else if (axis.upper == Boundary::dirichlet)
        a = cosine(pi / 2, 0);
    const Real b1 = steepness * b.first;
    const Real b2 = steepness * b.second;
    const Real e = std::exp(steepness * b.f);
    return {a.f * e, (a.second + 2 * a.first * b1 + a.f * (b2 + b1 * b1)) * e};
}

/// An axis of the kind with `steps` steps between its faces.
Axis unit_axis(int kind, Index steps, double length) {
    Axis axis = make_axis(kind, steps, length / static_cast<double>(steps), -0.3);
    if (axis.centering == Centering::node && !axis.periodic()) ++axis.points;
    return axis;
}

/// max|u − exact| / max|exact| after solving for the exact solution's right-hand side; constants do not count.
double error(const Kinds& which, Index steps, Discretization discretization, double steepness) {
    Problem problem;
    problem.discretization = discretization;
    problem.grid.axes = {unit_axis(which[0], steps, 1.0), unit_axis(which[1], steps, 1.4),
                         unit_axis(which[2], steps, 0.8)};
    if (!singular(problem)) problem.helmholtz = 2.5;
    std::array<std::vector<Shape>, 3> shapes;
    std::array<Real, 3> lengths{};
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        lengths[a] = axis.length();
        for (Index j = 0; j < axis.points; ++j)
            shapes[a].push_back(shape(axis, steepness, (axis.position(j) - axis.origin) / lengths[a]));
    }
    Field<double> exact = filled_field<double>(problem.grid.points(), 0.0);
    Field<double> f = filled_field<double>(problem.grid.points(), 0.0);
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        const Shape x = shapes[0][i];
        const Shape y = shapes[1][j];
        const Shape z = shapes[2][k];
        const Real u = x.value * y.value * z.value;
        exact.view()(i, j, k) = static_cast<double>(u);
        f.view()(i, j, k) =
            static_cast<double>(x.second * y.value * z.value / (lengths[0] * lengths[0]) +
                                x.value * y.second * z.value / (lengths[1] * lengths[1]) +
                                x.value * y.value * z.second / (lengths[2] * lengths[2]) - problem.helmholtz * u);
    });
    const Field<double> u = solved(problem, f);
    const double mean = singular(problem) ? plain_mean(problem.grid, read(exact)) : 0.0;
    double largest = 0.0;
    double worst = 0.0;
    for (Index i = 0; i < u.size(); ++i) {
        largest = std::max(largest, std::abs(exact.data()[i]));
        const double difference = std::abs(u.data()[i] - (exact.data()[i] - mean));
        if (!(difference <= worst) && exact.data()[i] != 0.0) worst = difference;
    }
    return worst / largest;
}

class Convergence : public testing::TestWithParam<int> {
protected:
    /// The kind on axis a, beside it two others; with the kinds without a Dirichlet face once alone, singular.
    static std::vector<Kinds> cases() {
        std::vector<Kinds> result;
        for (int a = 0; a < 3; ++a) {
            Kinds which{cell_dd, node_dn, cell_nd};
            which[a] = GetParam();
            result.push_back(which);
            which = {cell_p, node_nn, cell_nn};
            which[a] = GetParam();
            result.push_back(which);
        }
        return result;
    }
};

TEST_P(Convergence, StencilHasOrderTwo) {
    for (const Kinds& which : cases()) {
        const double coarse = error(which, 24, Discretization::second_order, 0.6);
        const double fine = error(which, 48, Discretization::second_order, 0.6);
        EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1)
            << which[0] << which[1] << which[2] << ": " << coarse << " to " << fine;
    }
}

TEST_P(Convergence, SpectralIsFasterThanAnyPower) {
    for (const Kinds& which : cases()) {
        std::array<double, 4> errors{};
        for (int level = 0; level < 4; ++level)
            errors[level] = error(which, 4 << level, Discretization::spectral, 2.0);
        const double first = std::log2(errors[0] / errors[1]);
        const double second = std::log2(errors[1] / errors[2]);
        const std::string text = std::to_string(which[0]) + std::to_string(which[1]) + std::to_string(which[2]) +
                                 ": orders " + std::to_string(first) + ", " + std::to_string(second);
        EXPECT_GT(second, first + 4.0) << text;  // the order itself grows
        EXPECT_GT(second, 12.0) << text;
        EXPECT_LT(errors[3], 1e-13) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Convergence, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

}  // namespace
}  // namespace poisson3d
