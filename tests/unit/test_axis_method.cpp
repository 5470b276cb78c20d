// What is told of each axis before a solve, against what a solver of engine host says of itself.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expect_error.hpp"
#include "poisson3d/axis_method.hpp"

namespace poisson3d {
namespace {

Axis axis_of(Index points, Centering centering, Boundary lower, Boundary upper) {
    return {.points = points, .centering = centering, .lower = lower, .upper = upper};
}

const Axis wave = axis_of(30, Centering::cell, Boundary::periodic, Boundary::periodic);
const Axis prime = axis_of(67, Centering::cell, Boundary::neumann, Boundary::dirichlet);
const Axis nodes = axis_of(37, Centering::node, Boundary::dirichlet, Boundary::dirichlet);
const Axis space = axis_of(21, Centering::cell, Boundary::free, Boundary::free);

Axis uneven() {
    Axis axis = axis_of(5, Centering::cell, Boundary::dirichlet, Boundary::dirichlet);
    axis.widths = {1.0, 2.0, 3.0, 4.0, 5.0};
    return axis;
}

Problem problem_of(const Axis& x, const Axis& y, const Axis& z) {
    Problem problem;
    problem.grid.axes = {x, y, z};
    return problem;
}

void expect(const AxisMethod& found, AxisWay way, const std::string& transform, Index length, Index largest_prime) {
    EXPECT_EQ(found.way, way);
    EXPECT_EQ(found.transform, transform);
    EXPECT_EQ(found.length, length);
    EXPECT_EQ(found.largest_prime, largest_prime);
}

TEST(AxisMethods, LengthsAreHalfPeriods) {
    const auto found = axis_methods(problem_of(wave, prime, nodes), Middle::transform);
    expect(found[0], AxisWay::transformed, "DFT", 30, 5);
    expect(found[1], AxisWay::transformed, "DCT-IV", 67, 67);
    expect(found[2], AxisWay::transformed, "DST-I", 36, 3);
    const Axis last = axis_of(3, Centering::node, Boundary::neumann, Boundary::dirichlet);
    expect(axis_methods(problem_of(wave, wave, last))[2], AxisWay::transformed, "DCT-III", 2, 2);
    const Axis one = axis_of(1, Centering::cell, Boundary::neumann, Boundary::neumann);
    expect(axis_methods(problem_of(one, wave, one))[0], AxisWay::transformed, "DCT-II", 1, 1);
}

TEST(AxisMethods, AFreeAxisIsEliminatedClosedOrPadded) {
    expect(axis_methods(problem_of(space, wave, prime))[0], AxisWay::eliminated, "", 21, 1);
    const auto closed = axis_methods(problem_of(space, wave, space));
    EXPECT_EQ(closed[0].way, AxisWay::closed);
    EXPECT_EQ(closed[0].transform.substr(0, 3), "DST");
    EXPECT_TRUE(closed[0].length == 21 || closed[0].length == 22) << closed[0].length;
    expect(closed[1], AxisWay::transformed, "DFT", 30, 5);
    Problem spectral = problem_of(wave, space, prime);
    spectral.discretization = Discretization::spectral;
    expect(axis_methods(spectral)[1], AxisWay::padded, "DFT", 42, 7);
    expect(axis_methods(spectral)[2], AxisWay::transformed, "DCT-IV", 67, 67);
}

/// The solver names the axis that it eliminates.
TEST(AxisMethods, TheSolverEliminatesTheSameAxis) {
    const std::vector<Problem> problems{problem_of(wave, prime, nodes), problem_of(prime, wave, nodes),
                                        problem_of(nodes, wave, prime), problem_of(wave, uneven(), prime),
                                        problem_of(wave, wave, nodes),  problem_of(wave, prime, space)};
    for (const Problem& problem : problems)
        for (const Middle middle : {Middle::automatic, Middle::eliminate}) {
            Options options;
            options.engine = Engine::host;
            options.middle = middle;
            const std::string told = Solver<double>(problem, options).description();
            const auto methods = axis_methods(problem, middle);
            for (int a = 0; a < 3; ++a)
                EXPECT_EQ(methods[a].way == AxisWay::eliminated,
                          told.find(std::string(1, problem.grid.labels[a]) + " eliminated") != std::string::npos)
                    << told << " axis " << a;
        }
}

TEST(AxisMethods, ASecondAxisWithoutTransformIsMultiplied) {
    Axis shorter = uneven();
    shorter.points = 4;
    shorter.widths.pop_back();
    const Problem problem = problem_of(shorter, uneven(), wave);
    const auto found = axis_methods(problem);
    expect(found[0], AxisWay::multiplied, "", 4, 1);
    expect(found[1], AxisWay::eliminated, "", 5, 1);
}

TEST(AxisMethods, RefusesWhatASolverRefuses) {
    test::expect_error(ErrorCode::unsupported, {"middle transform"},
                       [] { axis_methods(problem_of(wave, uneven(), wave), Middle::transform); });
    const Axis none = axis_of(0, Centering::cell, Boundary::periodic, Boundary::periodic);
    test::expect_error(ErrorCode::data, {"points"}, [&] { axis_methods(problem_of(wave, none, wave)); });
}

}  // namespace
}  // namespace poisson3d
