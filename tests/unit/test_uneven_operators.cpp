// The operator, boundary terms, residual, means and gradient where steps of an axis differ or a face is a Robin
// one: orders of convergence, what is exact, and sums over rows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "boundary_terms.hpp"
#include "chain_spectrum.hpp"
#include "coefficients_of_steps.hpp"
#include "expect_error.hpp"
#include "gradient_rule.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "range.hpp"
#include "spectrum.hpp"
#include "uneven_solve.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr std::array centerings{Centering::cell, Centering::node};
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double kappa = 3.0;

/// The axis in one place of a box whose two others have one point, and no part in the operator.
Problem line_problem(const Axis& axis, int place, double helmholtz) {
    Problem problem;
    for (Axis& each : problem.grid.axes) each.points = 1;
    problem.grid.axes[place] = axis;
    problem.helmholtz = helmholtz;
    return problem;
}

BoundaryData<double> data_of(const std::array<double, 2>& gamma, int place) {
    BoundaryData<double> data;
    for (const std::size_t side : {0, 1}) data.faces[place][side].constant = gamma[side];
    return data;
}

Residual residual_of(const Problem& problem, const std::vector<double>& u, const std::vector<double>& f,
                     const BoundaryData<double>& data = {}) {
    const Extents points = problem.grid.points();
    ResidualMeter<double> meter(problem, FieldView<const double>(u.data(), points), 1.0, 0.0, data);
    meter.add(0, FieldView<const double>(f.data(), points));
    return meter.result();
}

/// The derivative along the axis at all points.
template <class T>
std::vector<double> gradient_of(const Axis& axis, int place, const std::vector<double>& values,
                                const std::array<double, 2>& gamma) {
    const std::vector<T> u(values.begin(), values.end());
    Slopes<T> slopes;
    GradientTask<T> task;
    task.u = u.data();
    const Extents points = line_problem(axis, place, 0.0).grid.points();
    task.u_y = points[2], task.u_x = points[1] * points[2];
    task.rule[place] = make_axis_rule<T>(axis, slopes);
    for (const int side : {0, 1}) task.face[place][side].constant = static_cast<T>(gamma[side]);
    std::vector<double> result;
    for (Index j = 0; j < axis.points; ++j)
        result.push_back(place == 0   ? task.template component<0>(j, 0, 0)
                         : place == 1 ? task.template component<1>(0, j, 0)
                                      : task.template component<2>(0, 0, j));
    return result;
}

struct Known {
    double u, slope, second;
};

/// Of period 1.
Known known(double x) {
    const double t = 2.0 * std::numbers::pi;
    const double s = std::sin(t * x + 0.4), c = std::cos(t * x + 0.4), e = std::exp(0.5 * s);
    return {e, 0.5 * t * c * e, t * t * (0.25 * c * c - 0.5 * s) * e};
}

struct Errors {
    double u = 0.0, flux = 0.0, gradient = 0.0;
};

Errors errors_on(const Axis& axis) {
    const std::vector<double> x = coordinates(axis);
    std::vector<double> f;
    for (const double at : x) f.push_back(known(at).second - kappa * known(at).u);
    std::array<double, 2> gamma{};
    for (const int side : {0, 1}) gamma[side] = data_of_wall(axis, side, known(side).u, known(side).slope);
    const std::vector<double> u = solve_line(axis, kappa, f, gamma);
    EXPECT_LE(residual_of(line_problem(axis, 1, kappa), u, f, data_of(gamma, 1)).backward, 4.0 * eps);
    const std::vector<double> slope = gradient_of<double>(axis, 1, u, gamma);
    Errors errors;
    for (std::size_t j = 0; j < x.size(); ++j) {
        errors.u = std::max(errors.u, std::abs(u[j] - known(x[j]).u));
        errors.gradient = std::max(errors.gradient, std::abs(slope[j] - known(x[j]).slope));
        if (j == 0) continue;
        const double between = axis.centering == Centering::cell ? step_ends(axis)[j]
                                                                 : 0.5 * (x[j - 1] + x[j]);  // where the flux lives
        errors.flux = std::max(errors.flux, std::abs((u[j] - u[j - 1]) / (x[j] - x[j - 1]) - known(between).slope));
    }
    return errors;
}

/// The slope of log error over log n, by least squares.
double order(const std::array<Index, 5>& sizes, const std::array<double, 5>& errors) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const double x = std::log(static_cast<double>(sizes[i])), y = -std::log(errors[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (5 * sxy - sx * sy) / (5 * sxx - sx * sx);
}

TEST(UnevenOrders, OfTheSolutionItsFluxesAndItsGradientAreTwo) {
    constexpr std::array<Index, 5> sizes{32, 64, 128, 256, 512};
    for (const Centering centering : centerings)
        for (const Walls& walls : all_walls())
            for (const Spread spread : spreads) {
                std::array<double, 5> u{}, flux{}, gradient{};
                for (std::size_t i = 0; i < 5; ++i) {
                    // Grids at random: the worst of many, since steps at an end differ by up to 4.
                    for (std::uint64_t seed = 0; seed < (spread == Spread::random ? 64U : 1U); ++seed) {
                        const Errors e =
                            errors_on(uneven_axis(centering, walls, spread, sizes[i], 1.0, 100 * i + seed));
                        u[i] = std::max(u[i], e.u);
                        flux[i] = std::max(flux[i], e.flux);
                        gradient[i] = std::max(gradient[i], e.gradient);
                    }
                }
                const std::string what = std::string(name(centering)) + " " + walls.name + " spread " +
                                         std::to_string(static_cast<int>(spread));
                EXPECT_GE(order(sizes, u), 1.9) << what;
                EXPECT_GE(order(sizes, flux), 1.9) << what;
                EXPECT_GE(order(sizes, gradient), 1.9) << what;
            }
}

TEST(UnevenOperators, AreExactWhereUIsLinear) {
    for (const Centering centering : centerings)
        for (const Walls& walls : all_walls())
            for (const Spread spread : spreads)
                for (const Index points : {1, 2, 3, 4, 9})
                    for (const int place : {0, 1, 2}) {
                        if (walls.lower == Boundary::periodic) continue;
                        if (points < fewest_points({1, 1.0, 0.0, centering, walls.lower, walls.upper})) continue;
                        const Axis axis = uneven_axis(centering, walls, spread, points, 3.0);
                        std::vector<double> u, f;
                        for (const double x : coordinates(axis))
                            u.push_back(2.0 - 0.75 * x), f.push_back(-kappa * u.back());
                        const std::array<double, 2> gamma{data_of_wall(axis, 0, 2.0, -0.75),
                                                          data_of_wall(axis, 1, -0.25, -0.75)};
                        const std::string what = std::string(name(centering)) + " " + walls.name + " " +
                                                 std::to_string(points) + " place " + std::to_string(place);
                        EXPECT_LE(
                            residual_of(line_problem(axis, place, kappa), u, f, data_of(gamma, place)).backward,
                            4.0 * eps)
                            << what;
                        const std::vector<double> h = steps_of(axis);
                        const double finest = *std::ranges::min_element(h);
                        for (const double slope : gradient_of<double>(axis, place, u, gamma))
                            EXPECT_NEAR(slope, -0.75, 16.0 * eps / finest) << what;
                        for (const double slope : gradient_of<float>(axis, place, u, gamma))
                            EXPECT_NEAR(slope, -0.75, 16.0 * 1.2e-7 / finest) << what;
                    }
}

/// A ring knows no linear function; it must know where it closes.
TEST(UnevenOperators, OfARingDoNotDependOnWhereItIsOpened) {
    for (const Centering centering : centerings)
        for (const Index points : {1, 2, 3, 8}) {
            Axis axis = uneven_axis(centering, all_walls().front(), Spread::random, points);
            axis.widths = steps_of(axis);
            axis.positions.clear();
            std::vector<double> u;
            for (Index j = 0; j < points; ++j) u.push_back(uniform(static_cast<std::uint64_t>(j), 3));
            Axis turned = axis;
            std::vector<double> v = u;
            std::ranges::rotate(turned.widths, turned.widths.begin() + 1);
            std::ranges::rotate(v, v.begin() + 1);
            const auto stencil_of = [](const Axis& along, const std::vector<double>& field) {
                const Problem problem = line_problem(along, 2, kappa);
                std::vector<double> out(field.size());
                apply_stencil<double>(problem, {field.data(), problem.grid.points()},
                                      {out.data(), problem.grid.points()});
                return out;
            };
            for (const auto& [a, b] :
                 {std::pair{stencil_of(axis, u), stencil_of(turned, v)},
                  std::pair{gradient_of<double>(axis, 2, u, {}), gradient_of<double>(turned, 2, v, {})}})
                for (Index j = 0; j < points; ++j)
                    EXPECT_NEAR(a[(j + 1) % points], b[j], 1e-12 * (1.0 + std::abs(b[j]))) << points;
        }
}

/// Coefficients of a uniform axis: the same operator, terms and gradient, up to the rounding of other formulas.
TEST(UnevenOperators, OfEqualStepsAreTheUniformOnes) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 7})
            for (const int place : {0, 1, 2}) {
                const Axis plain = make_axis(kind, points, 0.25, 1.5);
                if (points < fewest_points(plain)) continue;
                Axis placed = plain;
                placed.custom = coefficients_of_steps(plain);
                const Problem a = line_problem(plain, place, kappa), b = line_problem(placed, place, kappa);
                const Extents extents = a.grid.points();
                const Field<double> u = random_field<double>(extents, 5);
                Field<double> of_a(extents), of_b(extents);
                apply_stencil<double>(a, u.view(), of_a.view());
                apply_stencil<double>(b, u.view(), of_b.view());
                const std::vector<double> values(u.data(), u.data() + u.size());
                const auto slopes_a = gradient_of<double>(plain, place, values, {0.5, -0.75});
                const auto slopes_b = gradient_of<double>(placed, place, values, {0.5, -0.75});
                for (Index j = 0; j < points; ++j) {
                    EXPECT_NEAR(of_a.data()[j], of_b.data()[j], 64 * 4 * eps) << kinds[kind].name << " " << points;
                    EXPECT_NEAR(slopes_a[j], slopes_b[j], 4 * 8 * eps) << kinds[kind].name << " " << points;
                }
                const auto terms_a = make_boundary_terms<double>(a.grid),
                           terms_b = make_boundary_terms<double>(b.grid);
                for (const int side : {0, 1})
                    EXPECT_EQ(terms_a.factor[place][side], terms_b.factor[place][side])
                        << kinds[kind].name << " " << points << " side " << side;
            }
}

/// The worst row counts, each measured by its own coefficients.
TEST(UnevenResidual, IsMeasuredRowByRow) {
    for (const int place : {0, 1, 2})
        for (const Centering centering : centerings) {
            const Axis axis = uneven_axis(centering, all_walls()[7], Spread::tanh, 40);  // N R
            Problem problem = line_problem(axis, place, kappa);
            for (int a = 0; a < 3; ++a)
                if (a != place) problem.grid.axes[a] = make_axis(cell_dn, 3 + a, 0.3);
            const Extents points = problem.grid.points();
            const Field<double> u = random_field<double>(points, 1), f = random_field<double>(points, 2);
            Field<double> applied(points);
            apply_stencil<double>(problem, u.view(), applied.view());
            const std::vector<double> norms = row_norms(make_chain(axis));
            double wanted = 0.0, largest = 0.0, largest_f = 0.0;
            for (Index i = 0; i < u.size(); ++i)
                largest = std::max(largest, std::abs(u.data()[i])),
                largest_f = std::max(largest_f, std::abs(f.data()[i]));
            for (Index i = 0; i < points[0]; ++i)
                for (Index j = 0; j < points[1]; ++j)
                    for (Index k = 0; k < points[2]; ++k) {
                        const Index row = place == 0 ? i : place == 1 ? j : k;
                        const double norm = norms[row] + 2 * 4.0 / 0.09 + kappa;
                        wanted = std::max(wanted, std::abs(f.view()(i, j, k) - applied.view()(i, j, k)) /
                                                      (norm * largest + largest_f));
                    }
            ResidualMeter<double> meter(problem, read(u), 1.0, 0.0);
            meter.add(0, read(f));
            // Rows whose coefficients agree in their first seven bits are taken together.
            EXPECT_GE(meter.result().backward, wanted * (1 - 1e-13));
            EXPECT_LE(meter.result().backward, wanted * (1 + 1.0 / 64));
            EXPECT_NEAR(operator_norm(problem), std::ranges::max(norms) + 2 * 4.0 / 0.09 + kappa, 1e-9);
            Field<double> bad = random_field<double>(points, 1);
            bad.data()[u.size() / 2] = std::nan("");
            ResidualMeter<double> broken(problem, read(bad), 1.0, 0.0);
            broken.add(0, read(f));
            EXPECT_TRUE(std::isnan(broken.result().backward));
        }
}

TEST(UnevenMean, OfALinearFunctionIsItsValueInTheMiddle) {
    for (const Centering centering : centerings)
        for (const int place : {0, 1, 2}) {
            const Walls closed = all_walls()[5];
            ASSERT_EQ(closed.name, "NN");
            Problem problem = line_problem(uneven_axis(centering, closed, Spread::random, 11, 2.0), place, 0.0);
            std::vector<double> f;
            for (const double x : coordinates(problem.grid.axes[place])) f.push_back(3.0 + x);
            EXPECT_NEAR(weighted_mean<double>(problem.grid, {f.data(), problem.grid.points()}), 4.0, 16 * eps);
        }
}

TEST(UnevenSpectrum, IsThatOfAllModesOrABoundOfIt) {
    for (const Walls& walls : all_walls())
        for (const int place : {0, 1, 2})
            for (const int other : {cell_p, cell_dd, node_nn})
                for (const double helmholtz : {0.0, 2.0}) {
                    Problem problem = make_problem({other, cell_nn, cell_nn}, {4, 3, 5});
                    std::swap(problem.grid.axes[0], problem.grid.axes[(place + 1) % 3]);
                    problem.grid.axes[place] = uneven_axis(Centering::cell, walls, Spread::random, 5);
                    problem.helmholtz = helmholtz;
                    const Chain chain = make_chain(problem.grid.axes[place]);
                    const auto a = eigenvalues(problem.grid.axes[(place + 1) % 3], problem.discretization);
                    const auto b = eigenvalues(problem.grid.axes[(place + 2) % 3], problem.discretization);
                    bool closed = true;
                    for (const Axis& axis : problem.grid.axes) closed = closed && axis_kind(axis).constant_mode;
                    double least = 1e300, most = 0.0;
                    for (std::size_t i = 0; i < a.size(); ++i)
                        for (std::size_t j = 0; j < b.size(); ++j)
                            for (Index k = 0; k < 5; ++k) {
                                const double value = chain_eigenvalue(chain, k) - a[i] - b[j] + helmholtz;
                                most = std::max(most, value);
                                if (!closed || i + j + static_cast<std::size_t>(k) > 0)
                                    least = std::min(least, value);
                            }
                    EXPECT_NEAR(smallest_eigenvalue(problem), least, 1e-6 * least) << walls.name;
                    EXPECT_GE(largest_eigenvalue(problem), most * (1 - 1e-6)) << walls.name;
                    EXPECT_LE(largest_eigenvalue(problem), 2.5 * most) << walls.name;
                }
}

TEST(UnevenRange, OfSinglePrecisionRefusesWhatItCannotHold) {
    Problem problem = line_problem(uneven_axis(Centering::cell, all_walls()[1], Spread::random, 6), 0, 0.0);
    EXPECT_NO_THROW(validate_range<float>(problem));
    problem.grid.axes[0].positions.clear();
    problem.grid.axes[0].widths = {1.0, 1.0, 1e-20, 1e-20, 1.0, 1.0};
    EXPECT_NO_THROW(validate_range<double>(problem));
    expect_error(ErrorCode::data, {"inverse squares", "single precision"}, [&] { validate_range<float>(problem); });
    problem.grid.axes[0].widths = std::vector<double>(6, 1e20);
    EXPECT_NO_THROW(validate_range<double>(problem));
    expect_error(ErrorCode::data, {"inverse squares", "single precision"}, [&] { validate_range<float>(problem); });
    problem = line_problem(uneven_axis(Centering::cell, all_walls()[9], Spread::random, 6), 0, 0.0);
    problem.grid.axes[0].robin[0] = {1e-60, 1e-60};  // the data would be multiplied with 10^60
    EXPECT_NO_THROW(validate_range<double>(problem));
    expect_error(ErrorCode::data, {"single precision"}, [&] { validate_range<float>(problem); });
}

}  // namespace
}  // namespace poisson3d
