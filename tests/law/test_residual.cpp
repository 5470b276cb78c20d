// The residual of the discrete equations at real sizes, by the meter users have and by independent means.
#include <gtest/gtest.h>

#include "dense.hpp"
#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "separable.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

struct Sizes {
    const char* name;
    Extents points;
    int first;  ///< combination to begin with
    friend void PrintTo(const Sizes& sizes, std::ostream* out) { *out << sizes.name; }
};

constexpr std::array<Sizes, 4> all_sizes{{
    {"Odd", {33, 47, 129}, 0},
    {"Even", {64, 64, 64}, 20},
    {"Prime", {31, 97, 53}, 40},
    {"Mixed", {17, 100, 72}, 60},
}};

class ResidualAtSize : public testing::TestWithParam<Sizes> {
protected:
    /// A sample in which every kind meets every axis: the digits of 83 n run through all.
    static std::vector<Kinds> sample(int count) {
        std::vector<Kinds> result;
        for (int n = 0; n < count; ++n) result.push_back(combination((GetParam().first + 83 * n) % combinations));
        return result;
    }
};

struct PlainResidual {
    double max = 0.0, max_rhs = 0.0, max_solution = 0.0;
};

template <class T>
PlainResidual plain_residual(const Problem& problem, FieldView<const T> f, FieldView<const T> u, double mean) {
    PlainResidual result;
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        const double wanted = static_cast<double>(f(i, j, k));
        const double r = std::abs(wanted - mean - plain_operator(problem, u, i, j, k));
        if (!(r <= result.max)) result.max = r;
        result.max_rhs = std::max(result.max_rhs, std::abs(wanted));
        result.max_solution = std::max(result.max_solution, std::abs(static_cast<double>(u(i, j, k))));
    });
    return result;
}

template <class T>
void check_stencil(const Problem& problem, Worst<T>& worst) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 5);
    Result result;
    const Field<T> u = solved(problem, f, &result);
    const PlainResidual plain = plain_residual(problem, read(f), read(u), result.mean_removed);

    double norm = std::abs(problem.helmholtz);
    for (const Axis& axis : problem.grid.axes) norm += 4.0 / (axis.spacing * axis.spacing);
    const double scale = norm * plain.max_solution + plain.max_rhs;
    worst.check(plain.max / scale, tolerance::backward<T>(points), describe(problem));

    ResidualMeter<T> meter(problem, u.view(), 1.0, result.mean_removed);
    meter.add(0, read(f));
    const Residual measured = meter.result();
    // Both are sums of some ten terms no larger than `scale`, rounded in double.
    EXPECT_NEAR(measured.max, plain.max, 8 * tolerance::eps<double> * scale) << describe(problem);
    EXPECT_EQ(measured.max_rhs, plain.max_rhs);
    EXPECT_EQ(measured.max_solution, plain.max_solution);
    EXPECT_DOUBLE_EQ(measured.backward, measured.max / scale);
}

TEST_P(ResidualAtSize, SecondOrder) {
    Worst<double> worst("backward");
    Worst<float> worst_float("backward");
    for (const Kinds& which : sample(10))
        for (const double helmholtz : {0.0, 0.3}) {
            const Problem problem = make_problem(which, GetParam().points, Discretization::second_order, helmholtz);
            check_stencil(problem, worst);
            check_stencil(problem, worst_float);
        }
}

template <class T>
void check_spectral(const Problem& problem, Worst<T>& worst) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 6);
    Result result;
    const Field<T> u = solved(problem, f, &result);
    const Field<Real> exact = separable_apply(problem, read(u));
    PlainResidual plain;
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        const Real r = f.view()(i, j, k) - result.mean_removed - exact.view()(i, j, k);
        plain.max = std::max(plain.max, static_cast<double>(std::abs(r)));
        plain.max_rhs = std::max(plain.max_rhs, std::abs(static_cast<double>(f.view()(i, j, k))));
        plain.max_solution = std::max(plain.max_solution, std::abs(static_cast<double>(u.view()(i, j, k))));
    });
    double norm = 0.0;  // the largest |eigenvalue|: λ ≥ 0 here, so all have one sign
    for (const Axis& axis : problem.grid.axes) {
        Real largest = 0;
        for (Index k = 0; k < unknowns(axis).count; ++k)
            largest = std::max(largest, -mode_eigenvalue(axis, Discretization::spectral, k));
        norm += static_cast<double>(largest);
    }
    norm += problem.helmholtz;
    const double scale = norm * plain.max_solution + plain.max_rhs;
    worst.check(plain.max / scale, tolerance::backward<T>(points), describe(problem));

    // The meter with L u from the transforms in double, as the program measures it.
    Field<double> wide(points);
    for (Index i = 0; i < wide.size(); ++i) wide.data()[i] = static_cast<double>(u.data()[i]);
    Field<double> applied = filled_field<double>(points);
    TestSolver<double>(problem, test_options()).apply(wide.view(), applied.view());
    ResidualMeter<T> meter(problem, applied.view(), plain.max_solution, 1.0, result.mean_removed);
    meter.add(0, read(f));
    EXPECT_NEAR(meter.result().max, plain.max, tolerance::solve<double>(points) * scale) << describe(problem);
    EXPECT_NEAR(meter.result().backward, plain.max / scale, tolerance::solve<double>(points)) << describe(problem);
}

TEST_P(ResidualAtSize, Spectral) {
    Worst<double> worst("backward");
    Worst<float> worst_float("backward");
    for (const Kinds& which : sample(4)) {
        const Problem problem =
            make_problem(which, GetParam().points, Discretization::spectral, which[2] % 2 == 0 ? 0.0 : 0.3);
        check_spectral(problem, worst);
        check_spectral(problem, worst_float);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ResidualAtSize, testing::ValuesIn(all_sizes),
                         [](const auto& size) { return size.param.name; });

}  // namespace
}  // namespace poisson3d
