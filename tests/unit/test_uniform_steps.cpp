// Positions and widths that are uniform to rounding, on both sides of the limit: where the axis is transformed,
// with which step, and what does not change.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "chain.hpp"
#include "gradient_rule.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/solver.hpp"
#include "problems.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr std::array centerings{Centering::cell, Centering::node};

/// An axis of that many steps with positions from `first` to `last`, as linspace makes them.
Axis linspace(Centering centering, Index steps, double first, double last, Boundary walls = Boundary::dirichlet) {
    Axis axis{.points = steps, .centering = centering, .lower = walls, .upper = walls};
    if (centering == Centering::node && walls != Boundary::periodic) ++axis.points;
    const double h = (last - first) / static_cast<double>(steps);
    for (Index j = 0; j < steps; ++j) axis.positions.push_back(static_cast<double>(j) * h + first);
    axis.positions.push_back(last);
    return axis;
}

Axis with_widths(Axis axis) {
    const std::vector<double> x = std::exchange(axis.positions, {});
    axis.origin = x.front();
    for (std::size_t j = 1; j < x.size(); ++j) axis.widths.push_back(x[j] - x[j - 1]);
    return axis;
}

TEST(UniformSteps, AreThoseOfLinspace) {
    for (const Centering centering : centerings)
        for (const Boundary walls : {Boundary::periodic, Boundary::dirichlet, Boundary::neumann})
            for (const Index steps : {2, 3, 7, 100, 257, 1000, 99991})
                for (const auto& [first, last] : {std::pair{0.0, 1.0}, std::pair{-1.0, 1.0}, std::pair{0.1, 0.7},
                                                  std::pair{-3.3e-7, 1.1e-7}, std::pair{-1.0 / 3.0, 1e9}}) {
                    const Axis axis = linspace(centering, steps, first, last, walls);
                    EXPECT_TRUE(axis.uniform() && has_fast_transform(axis)) << steps << " " << first;
                    EXPECT_EQ(axis.step(), (last - first) / static_cast<double>(steps));
                }
    // Far from 0: what is left of the steps there, seven digits, says no more.
    EXPECT_TRUE(linspace(Centering::cell, 100, 1e9, 1e9 + 1.0).uniform());
}

TEST(UniformSteps, EndEightRoundingsOfTheLargestPositionAway) {
    for (const Centering centering : centerings)
        for (const std::size_t moved : {1, 8, 15})
            for (const double sign : {-1.0, 1.0})
                for (const double scale : {1.0, 1024.0}) {
                    // In sixteenths, so that nothing is rounded; the largest is the lower end.
                    const Axis even = linspace(centering, 16, -scale, 0.0);
                    const auto uniform_at = [&](double roundings) {
                        Axis axis = even;
                        axis.positions[moved] += sign * roundings * eps * scale;
                        return axis.uniform() && has_fast_transform(axis);
                    };
                    EXPECT_TRUE(uniform_at(0.0) && uniform_at(7.0)) << moved;
                    EXPECT_FALSE(uniform_at(9.0) || uniform_at(1e6)) << moved;
                }
}

TEST(UniformSteps, OfWidthsAreCountedFromTheLowerFace) {
    for (const Centering centering : centerings)
        for (const double origin : {0.0, -7e9}) {
            Axis axis = with_widths(linspace(centering, 16, 0.0, 1.0));
            axis.origin = origin;
            const auto uniform_at = [&](double roundings) {
                Axis changed = axis;  // end 5 moves
                changed.widths[4] += roundings * eps, changed.widths[5] -= roundings * eps;
                return changed.uniform();
            };
            EXPECT_TRUE(uniform_at(0.0) && uniform_at(7.0));
            EXPECT_FALSE(uniform_at(9.0) || uniform_at(1e6)) << origin;
            EXPECT_EQ(axis.step(), 1.0 / 16.0);
        }
    EXPECT_TRUE(with_widths(linspace(Centering::cell, 1000, 0.1, 0.7)).uniform());
    // Widths of 13 digits may say what positions there could not.
    Axis tiny = with_widths(linspace(Centering::cell, 8, 0.0, 1.0));
    tiny.widths[3] *= 1.0 + 1e-13;
    EXPECT_FALSE(tiny.uniform());
}

TEST(UniformSteps, OneStepIsUniformAndAccumulatedOnesAreNot) {
    Axis one{.points = 1, .lower = Boundary::dirichlet, .upper = Boundary::neumann};
    one.positions = {0.3, 0.7};
    EXPECT_TRUE(has_fast_transform(one));
    EXPECT_EQ(one.step(), 0.7 - 0.3);
    Axis sums{.points = 100000};
    sums.positions = {0.0};
    for (Index j = 0; j < sums.points; ++j) sums.positions.push_back(sums.positions.back() + 0.1);
    EXPECT_FALSE(sums.uniform());
    EXPECT_NEAR(sums.step(), 0.1, 1e-12);  // the mean
}

TEST(UniformSteps, AreWhatASolverTakesAndPositionsStayWhatTheyAre) {
    for (const Centering centering : centerings)
        for (const bool widths : {false, true}) {
            const Axis placed = linspace(centering, 10, 0.1, 0.7);
            const Axis axis = widths ? with_widths(placed) : placed;
            const double h = axis.step();
            EXPECT_NE(placed.positions[4] - placed.positions[3], placed.positions[2] - placed.positions[1]);
            for (const double step : steps_of(axis)) EXPECT_EQ(step, h);
            if (!widths) {
                EXPECT_EQ(step_ends(axis), placed.positions);
            }
            for (Index j = 0; j < axis.points; ++j) {
                EXPECT_EQ(axis.position(j), coordinates(axis)[j]);
                EXPECT_NEAR(axis.position(j),
                            0.1 + (static_cast<double>(j) + (centering == Centering::cell ? 0.5 : 0)) * h, 4 * eps);
            }
        }
}

/// Kinds decide what is singular, not steps; Robin faces and coefficients are never transformed.
TEST(UniformSteps, ChangeNothingAboutWalls) {
    Problem problem;
    for (Axis& axis : problem.grid.axes) axis = linspace(Centering::cell, 10, 0.1, 0.7, Boundary::neumann);
    EXPECT_TRUE(singular(problem));
    EXPECT_EQ(first_uneven_axis(problem.grid), -1);
    EXPECT_NO_THROW(validate(problem));
    problem.discretization = Discretization::spectral;
    EXPECT_NO_THROW(validate(problem));
    problem.discretization = Discretization::second_order;
    Axis& y = problem.grid.axes[1];
    y.upper = Boundary::robin;
    y.robin[1] = {0.0, 2.0};
    EXPECT_TRUE(singular(problem));
    EXPECT_EQ(first_uneven_axis(problem.grid), 1);
    y.robin[1] = {1e-30, 2.0};
    EXPECT_FALSE(singular(problem));
    const Chain chain = make_chain(y);
    for (std::size_t j = 1; j + 1 < chain.links.size(); ++j) EXPECT_EQ(chain.links[j], chain.links[1]);
    y.upper = Boundary::dirichlet;
    EXPECT_FALSE(singular(problem));
    EXPECT_EQ(first_uneven_axis(problem.grid), -1);
    y.custom = {std::vector<double>(11, 1.0), std::vector<double>(10, 1.0)};
    EXPECT_EQ(first_uneven_axis(problem.grid), 1);
}

/// Operator, its norm, boundary terms and gradient are those of the step, whatever `spacing` says.
TEST(UniformSteps, GiveTheNumbersOfTheirStep) {
    for (const Centering centering : centerings)
        for (const Boundary walls : {Boundary::dirichlet, Boundary::neumann}) {
            Problem placed;
            Grid& grid = placed.grid;
            for (Axis& axis : grid.axes) axis = linspace(centering, 10, 0.1, 0.7, walls);
            Problem even = placed;
            Grid& plain = even.grid;
            for (Axis& axis : plain.axes) axis.spacing = axis.step(), axis.positions.clear();
            const Field<double> u = random_field<double>(grid.points(), 1);
            Field<double> applied(grid.points()), expected(grid.points());
            apply_stencil<double>(placed, read(u), applied.view());
            apply_stencil<double>(even, read(u), expected.view());
            EXPECT_TRUE(std::equal(applied.data(), applied.data() + applied.size(), expected.data()));
            EXPECT_EQ(operator_norm(placed), operator_norm(even));
            Slopes<double> slopes;
            const auto rule = make_axis_rule<double>(grid.axes[0], slopes),
                       wanted_rule = make_axis_rule<double>(plain.axes[0], slopes);
            EXPECT_EQ(rule.lower, nullptr);
            EXPECT_EQ(rule.factor, wanted_rule.factor);
            for (const int side : {0, 1}) EXPECT_EQ(rule.first.data[side], wanted_rule.first.data[side]);
            const auto terms = make_boundary_terms<double>(grid), wanted = make_boundary_terms<double>(plain);
            for (std::size_t a = 0; a < 3; ++a) {
                for (const int side : {0, 1}) EXPECT_EQ(terms.factor[a][side], wanted.factor[a][side]);
                EXPECT_EQ(mean_weights(grid.axes[a]), mean_weights(plain.axes[a]));
            }
        }
}

}  // namespace
}  // namespace poisson3d
