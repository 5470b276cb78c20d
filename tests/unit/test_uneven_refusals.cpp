// Positions, widths and Robin faces that are not accepted, and that it is said why; and where such points are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expect_error.hpp"
#include "middle_axis.hpp"
#include "poisson3d/solver.hpp"
#include "range.hpp"
#include "spectrum.hpp"
#include "uneven_axis.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Boundary p = Boundary::periodic;
constexpr Boundary d = Boundary::dirichlet;
constexpr Boundary n = Boundary::neumann;
constexpr Boundary r = Boundary::robin;

/// Axis y has positions.
Problem good_problem(Centering centering = Centering::cell) {
    Problem problem;
    problem.grid.axes[0] = {6, 0.5, 0.0, Centering::cell, d, d};
    problem.grid.axes[1] = {4, 1.0, 0.0, centering, n, n};
    problem.grid.axes[1].positions = {0.0, 1.0, 1.5, 4.0};
    if (centering == Centering::cell) problem.grid.axes[1].positions.push_back(4.25);
    problem.grid.axes[2] = {5, 0.5, 0.0, Centering::cell, p, p};
    return problem;
}

template <class Fault>
void refuse(ErrorCode code, const std::vector<std::string>& parts, Fault fault,
            Centering centering = Centering::cell) {
    Problem problem = good_problem(centering);
    EXPECT_NO_THROW(validate(problem));
    fault(problem.grid.axes[1]);
    expect_error(code, parts, [&] { validate(problem); });
}

TEST(UnevenAxis, CountsMustFit) {
    const auto drop = [](Axis& axis) { axis.positions.pop_back(); };
    refuse(ErrorCode::data, {"axis y: positions: found 4 numbers, 4 cells have 5"}, drop);
    refuse(ErrorCode::data, {"axis y: positions: found 3 numbers, 4 nodes have 4"}, drop, Centering::node);
    const auto ring = [](Axis& axis) { axis.lower = axis.upper = p; };
    refuse(ErrorCode::data, {"axis y: positions: found 4 numbers, 4 periodic nodes have 5"}, ring, Centering::node);
    const auto widths = [](Axis& axis) { axis.positions.clear(), axis.widths = {1.0, 2.0, 3.0, 4.0, 5.0}; };
    refuse(ErrorCode::data, {"axis y: widths: found 5 numbers, 4 cells have 4"}, widths);
    refuse(ErrorCode::data, {"axis y: widths: found 5 numbers, 4 nodes have 3"}, widths, Centering::node);
}

TEST(UnevenAxis, PositionsMustRise) {
    refuse(ErrorCode::data, {"axis y: positions: found 0.5 at index 2 after 1", "rise strictly"},
           [](Axis& axis) { axis.positions[2] = 0.5; });
    refuse(ErrorCode::data, {"axis y: positions: found 1 at index 2 after 1", "rise strictly"},
           [](Axis& axis) { axis.positions[2] = 1.0; });
    refuse(ErrorCode::data, {"axis y: positions: found nan at index 3", "finite"},
           [](Axis& axis) { axis.positions[3] = std::nan(""); });
    refuse(ErrorCode::data, {"axis y: positions: found inf at index 4", "finite"},
           [](Axis& axis) { axis.positions[4] = std::numeric_limits<double>::infinity(); });
}

TEST(UnevenAxis, StepsMustStandOutOfTheRoundingOfPositions) {
    refuse(ErrorCode::data, {"axis y: positions: found a step of", "up to index 2", "three digits", "give widths"},
           [](Axis& axis) { axis.positions[2] = 1.0 + 4e-13; });
    Problem problem = good_problem();
    problem.grid.axes[1].positions[2] = 1.0 + 1.1e-12;  // 1000 eps · 4.25 is 0.94e-12
    EXPECT_NO_THROW(validate(problem));
    Axis& axis = problem.grid.axes[1];
    axis.positions.clear();
    axis.widths = {1.0, 4e-13, 3.0, 0.25};
    axis.origin = 1e6;
    EXPECT_NO_THROW(validate(problem));
}

TEST(UnevenAxis, WidthsMustBePositiveAndOfUsefulSize) {
    const auto with = [](double width) {
        return [width](Axis& axis) { axis.positions.clear(), axis.widths = {1.0, 2.0, width, 1.0}; };
    };
    refuse(ErrorCode::data, {"axis y: widths: found 0 at index 2", "above 0"}, with(0.0));
    refuse(ErrorCode::data, {"axis y: widths: found -1 at index 2", "above 0"}, with(-1.0));
    refuse(ErrorCode::data, {"axis y: widths: found nan at index 2", "finite"}, with(std::nan("")));
    refuse(ErrorCode::data, {"axis y: widths: found 1e-160 at index 2", "inverse square"}, with(1e-160));
    refuse(ErrorCode::data, {"axis y: widths: found 1e+170 at index 2", "inverse square"}, with(1e170));
    refuse(ErrorCode::data, {"axis y: positions: found a step of 1e+168 up to index 1", "inverse square"},
           [](Axis& axis) {
               axis.positions = {0.0, 1e168, 2e168, 3e168, 1.03e170};
           });
    refuse(ErrorCode::data, {"axis y: found positions and widths", "only one"}, [](Axis& axis) {
        axis.widths = {1.0, 2.0, 1.0, 1.0};
    });
}

TEST(UnevenAxis, RobinFacesNeedTwoNumbersOfOneSign) {
    const auto with = [](double alpha, double beta, int side = 0) {
        return [=](Axis& axis) {
            (side == 0 ? axis.lower : axis.upper) = r;
            axis.robin[side] = {alpha, beta};
        };
    };
    refuse(ErrorCode::data, {"axis y: found α = 0, β = 0 on the lower Robin face", "above 0"}, with(0.0, 0.0));
    refuse(ErrorCode::data, {"axis y: found α = -1, β = -2 on the upper Robin face", "turn the sign"},
           with(-1.0, -2.0, 1));
    refuse(ErrorCode::data, {"α = -1, β = 0", "turn the sign"}, with(-1.0, 0.0));
    refuse(ErrorCode::data, {"α = -1, β = 2", "opposite signs", "feeds energy in"}, with(-1.0, 2.0));
    refuse(ErrorCode::data, {"α = 1, β = -2", "opposite signs", "feeds energy in"}, with(1.0, -2.0));
    refuse(ErrorCode::data, {"α = nan, β = 1", "finite"}, with(std::nan(""), 1.0));
    refuse(ErrorCode::data, {"α = 1, β = inf", "finite"}, with(1.0, std::numeric_limits<double>::infinity()));
    refuse(ErrorCode::data, {"α = 1e-200, β = 0", "between 1e-150 and 1e+150"}, with(1e-200, 0.0));
    refuse(ErrorCode::data, {"α = 1, β = 0 on the lower Robin face", "use dirichlet"}, with(1.0, 0.0),
           Centering::node);
    Problem problem = good_problem();  // numbers of faces that are no Robin ones are not read
    problem.grid.axes[1].robin[0] = {-1.0, std::nan("")};
    EXPECT_NO_THROW(validate(problem));
    for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {0.5, 2.0}}) {
        with(alpha, beta)(problem.grid.axes[1]);
        EXPECT_NO_THROW(validate(problem));
    }
}

TEST(UnevenAxis, TheFewestPointsOfRobinFacesAreThoseOfNeumannFaces) {
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const Boundary other : {d, n, r}) {
            const Index wanted = fewest_points({1, 1.0, 0.0, centering, n, other == r ? n : other});
            EXPECT_EQ(fewest_points({1, 1.0, 0.0, centering, r, other}), wanted);
            EXPECT_EQ(fewest_points({1, 1.0, 0.0, centering, other, r}), wanted);
        }
}

TEST(UnevenAxis, CoefficientsMustFit) {
    const auto custom = [](Centering centering, Boundary lower, Boundary upper) {
        Axis axis{4, 1.0, 0.0, centering, lower, upper};
        const std::size_t links = centering == Centering::cell ? 5 : lower == p ? 4 : 3;
        axis.custom = {std::vector<double>(links, 1.0), std::vector<double>(4, 1.0)};
        return axis;
    };
    const auto refuse = [](Axis axis, const std::vector<std::string>& words, auto change) {
        Grid grid = good_problem().grid;
        grid.axes[1] = axis;
        EXPECT_NO_THROW(validate(grid));
        change(grid.axes[1].custom);
        expect_error(ErrorCode::data, words, [&] { validate(grid); });
    };
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const auto& [lower, upper] : {std::pair{p, p}, std::pair{d, r}, std::pair{n, d}}) {
            const Axis axis = custom(centering, lower, upper);
            refuse(axis, {"axis y", "custom conductances", "found 1 numbers"},
                   [](Coefficients& c) { c.conductances.resize(1); });
            refuse(axis, {"axis y", "custom weights", "found 5 numbers"},
                   [](Coefficients& c) { c.weights.push_back(1.0); });
            refuse(axis, {"axis y", "custom weights", "found 0 at index 2"},
                   [](Coefficients& c) { c.weights[2] = 0.0; });
            refuse(axis, {"axis y", "custom conductances", "found -1 at index 1"},
                   [](Coefficients& c) { c.conductances[1] = -1.0; });
            refuse(axis, {"axis y", "custom conductances", "finite numbers"},
                   [](Coefficients& c) { c.conductances[1] = std::nan(""); });
        }
    refuse(custom(Centering::cell, p, p), {"the one that closes the ring"},
           [](Coefficients& c) { c.conductances.front() = 2.0; });
    Grid closed = good_problem().grid;
    closed.axes[1] = custom(Centering::cell, n, n);
    closed.axes[1].custom.conductances.front() = closed.axes[1].custom.conductances.back() = 0.0;
    EXPECT_NO_THROW(validate(closed));
}

TEST(UnevenProblem, HasNoSpectralDiscretization) {
    Problem problem = good_problem();
    problem.discretization = Discretization::spectral;
    expect_error(ErrorCode::unsupported,
                 {"axis y has positions, widths, coefficients or a Robin face", "spectral discretization",
                  "use second-order"},
                 [&] { validate(problem); });
}

TEST(UnevenProblem, IsForTheHostWhereAGpuCannotEliminate) {
    Problem problem;
    problem.grid.axes[0].points = 300;
    const auto refused = [&](Middle middle, Engine engine) {
        return refused_by_device(problem, middle, {engine, engine == Engine::fused ? 256 : 0});
    };
    for (const Engine engine : {Engine::cufft, Engine::fused}) {
        EXPECT_EQ(refused(Middle::automatic, engine), "");
        EXPECT_EQ(refused(Middle::transform, engine), "");
    }
    EXPECT_EQ(refused(Middle::eliminate, Engine::cufft),
              "an axis is to be eliminated, which engine cufft cannot have: use engine host");
    EXPECT_EQ(refused(Middle::eliminate, Engine::fused),
              "axis x is to be eliminated and has 300 unknowns, more than 256, which engine fused cannot have: use "
              "engine host");
    problem.grid.axes[0].points = 256;
    EXPECT_EQ(refused(Middle::eliminate, Engine::fused), "");
    problem.grid.axes[1].lower = Boundary::robin;
    EXPECT_EQ(refused(Middle::automatic, Engine::cufft),
              "axis y has positions, widths, coefficients, a Robin or a free face, which engine cufft cannot have: "
              "use engine "
              "host");
    EXPECT_EQ(refused(Middle::automatic, Engine::fused), "");
    problem.grid.axes[2].upper = Boundary::robin;
    EXPECT_EQ(refused(Middle::automatic, Engine::fused), "");
}

TEST(UnevenProblem, TakesLambdaDownToTheLowestModesOfTheOtherAxes) {
    Problem problem = good_problem();
    const double lowest = eigenvalues(problem.grid.axes[0], Discretization::second_order)[0];  // z has the constant
    const double eps = std::numeric_limits<double>::epsilon();
    problem.helmholtz = 0.999 * lowest;
    EXPECT_NO_THROW(validate(problem));
    EXPECT_EQ(resonant_modes(problem, eps), "");
    problem.helmholtz = 1.001 * lowest;
    expect_error(ErrorCode::unsupported, {"axis y has positions", "the Helmholtz constant", "or more"},
                 [&] { validate(problem); });
    for (const double factor : {1.0, 1.0 - 2 * eps, 1.0 + 2 * eps}) {  // κ = 0 meets the constant along y
        problem.helmholtz = factor * lowest;
        EXPECT_NO_THROW(validate(problem));
        EXPECT_EQ(resonant_modes(problem, eps), "(0, 0, 0)");
    }
    problem.grid.axes[1].upper = d;  // which is no mode, then
    problem.helmholtz = lowest;
    EXPECT_NO_THROW(validate(problem));
    EXPECT_EQ(resonant_modes(problem, eps), "");
    problem.helmholtz = (1.0 + 2 * eps) * lowest;
    expect_error(ErrorCode::unsupported, {"axis y has positions"}, [&] { validate(problem); });
}

TEST(UnevenProblem, IsSingularWithoutAlpha) {
    Problem problem = good_problem();
    problem.grid.axes[0].lower = problem.grid.axes[0].upper = n;
    EXPECT_TRUE(singular(problem));
    problem.grid.axes[1].upper = r;
    problem.grid.axes[1].robin[1] = {0.0, 2.0};
    EXPECT_TRUE(singular(problem));
    problem.grid.axes[1].robin[1] = {1e-30, 2.0};
    EXPECT_FALSE(singular(problem));
}

TEST(UnevenAxis, PositionsAndLengthsFollowTheCentering) {
    Axis cells{3, 1.0, 7.0, Centering::cell, n, n};
    cells.positions = {-1.0, 0.0, 2.0, 2.5};
    EXPECT_EQ(coordinates(cells), (std::vector<double>{-0.5, 1.0, 2.25}));
    EXPECT_EQ(steps_of(cells), (std::vector<double>{1.0, 2.0, 0.5}));
    EXPECT_EQ(step_ends(cells), cells.positions);
    EXPECT_EQ(cells.length(), 3.5);
    Axis ring{3, 1.0, 7.0, Centering::node, p, p};
    ring.widths = {1.0, 2.0, 0.5};
    EXPECT_EQ(coordinates(ring), (std::vector<double>{7.0, 8.0, 10.0}));
    EXPECT_EQ(step_ends(ring), (std::vector<double>{7.0, 8.0, 10.0, 10.5}));
    EXPECT_EQ(ring.length(), 3.5);
    for (const Axis* axis : {&cells, &ring})
        for (Index j = 0; j < 3; ++j) EXPECT_EQ(axis->position(j), coordinates(*axis)[j]);
    const Axis even{3, 0.5, 1.0, Centering::node, n, n};
    EXPECT_EQ(coordinates(even), (std::vector<double>{1.0, 1.5, 2.0}));
    EXPECT_EQ(steps_of(even), (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(step_ends(even), coordinates(even));
}

}  // namespace
}  // namespace poisson3d
