// Grids: every complaint names the axis, what was found and what is wanted; positions and lengths.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "poisson3d/error.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {
namespace {

constexpr Boundary p = Boundary::periodic;
constexpr Boundary d = Boundary::dirichlet;
constexpr Boundary n = Boundary::neumann;

Grid good_grid() {
    Grid grid;
    grid.axes[0] = {4, 0.5, 0.0, Centering::cell, d, n};
    grid.axes[1] = {5, 1.5, -2.0, Centering::node, d, d};
    grid.axes[2] = {1, 2.0, 3.0, Centering::cell, p, p};
    return grid;
}

/// Expects Error{data} with all the parts, for the fault on each axis in turn.
template <class Fault>
void expect_complaint(const std::vector<std::string>& parts, Fault fault) {
    for (int a = 0; a < 3; ++a) {
        Grid grid = good_grid();
        grid.labels = {'r', 's', 't'};
        fault(grid.axes[a]);
        try {
            validate(grid);
            ADD_FAILURE() << "no complaint about " << parts.front();
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(error.code(), ErrorCode::data);
            EXPECT_NE(message.find(std::string("axis ") + grid.labels[a]), std::string::npos) << message;
            for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
        }
    }
}

TEST(Grid, AGoodOneIsAccepted) {
    EXPECT_NO_THROW(validate(good_grid()));
}

TEST(Grid, OneSidedPeriodicityIsRefused) {
    for (const Boundary other : {d, n}) {
        expect_complaint({"periodic below", std::string(name(other)) + " above", "both"},
                         [&](Axis& axis) { axis.lower = p, axis.upper = other; });
        expect_complaint({std::string(name(other)) + " below", "periodic above", "both"},
                         [&](Axis& axis) { axis.lower = other, axis.upper = p; });
    }
}

TEST(Grid, TooFewPointsAreRefusedAndTheFewestAccepted) {
    struct Case {
        Centering centering;
        Boundary lower, upper;
        Index fewest;
    };
    const Case cases[] = {{Centering::cell, p, p, 1}, {Centering::cell, d, d, 1}, {Centering::cell, n, n, 1},
                          {Centering::cell, d, n, 1}, {Centering::cell, n, d, 1}, {Centering::node, p, p, 1},
                          {Centering::node, d, d, 3}, {Centering::node, n, n, 2}, {Centering::node, d, n, 2},
                          {Centering::node, n, d, 2}};
    for (const Case& c : cases) {
        const auto make = [&](Axis& axis, Index points) {
            axis = {points, 1.0, 0.0, c.centering, c.lower, c.upper};
        };
        Axis axis;
        make(axis, 10);
        EXPECT_EQ(fewest_points(axis), c.fewest);
        for (const Index points : {c.fewest - 1, Index{0}, Index{-7}})
            expect_complaint(
                {"found " + std::to_string(points) + " points", name(c.centering),
                 std::string(name(c.lower)) + ":" + name(c.upper), "at least " + std::to_string(c.fewest)},
                [&](Axis& wrong) { make(wrong, points); });
        Grid grid = good_grid();
        make(grid.axes[1], c.fewest);
        EXPECT_NO_THROW(validate(grid));
    }
}

TEST(Grid, SpacingsMustBePositiveFiniteAndOfUsefulSize) {
    const double infinity = std::numeric_limits<double>::infinity();
    expect_complaint({"spacing 0,", "wanted a finite number above 0"}, [](Axis& axis) { axis.spacing = 0.0; });
    expect_complaint({"spacing -0.1,", "wanted a finite number above 0"}, [](Axis& axis) { axis.spacing = -0.1; });
    expect_complaint({"spacing nan,", "finite"}, [](Axis& axis) { axis.spacing = std::nan(""); });
    expect_complaint({"spacing inf,", "finite"}, [&](Axis& axis) { axis.spacing = infinity; });
    expect_complaint({"spacing 1e-160,", "inverse square"}, [](Axis& axis) { axis.spacing = 1e-160; });
    expect_complaint({"spacing 1e+170,", "inverse square"}, [](Axis& axis) { axis.spacing = 1e170; });
}

TEST(Grid, OriginsMustBeFinite) {
    expect_complaint({"origin nan,", "finite"}, [](Axis& axis) { axis.origin = std::nan(""); });
    expect_complaint({"origin -inf,", "finite"},
                     [](Axis& axis) { axis.origin = -std::numeric_limits<double>::infinity(); });
}

TEST(Grid, SizesNoMemoryHoldsAreRefused) {
    Grid grid = good_grid();
    for (Axis& axis : grid.axes) axis.points = Index{1} << 21;
    try {
        validate(grid);
        ADD_FAILURE() << "2^63 points were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::data);
        EXPECT_NE(std::string(error.what()).find("2^55"), std::string::npos) << error.what();
    }
    grid.axes[0].points = std::numeric_limits<Index>::max();
    EXPECT_THROW(validate(grid), Error);
}

TEST(Axis, PositionsAndLengthsFollowTheCentering) {
    const Axis cells{4, 0.5, 10.0, Centering::cell, d, n};
    EXPECT_EQ(cells.position(0), 10.25);
    EXPECT_EQ(cells.position(3), 11.75);
    EXPECT_EQ(cells.length(), 2.0);
    const Axis nodes{5, 0.5, 10.0, Centering::node, n, d};
    EXPECT_EQ(nodes.position(0), 10.0);
    EXPECT_EQ(nodes.position(4), 12.0);
    EXPECT_EQ(nodes.length(), 2.0);
    const Axis ring{4, 0.5, 10.0, Centering::node, p, p};  // the end point is not repeated
    EXPECT_EQ(ring.position(3), 11.5);
    EXPECT_EQ(ring.length(), 2.0);
    EXPECT_TRUE(ring.periodic());
    EXPECT_FALSE(nodes.periodic());
}

TEST(Words, AreReadBackAndUnknownOnesListed) {
    for (const Boundary boundary : {p, d, n, Boundary::robin}) EXPECT_EQ(parse_boundary(name(boundary)), boundary);
    for (const Centering centering : {Centering::cell, Centering::node})
        EXPECT_EQ(parse_centering(name(centering)), centering);
    const auto message = [](auto call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::data);
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(
        message([] { parse_boundary("Dirichlet"); }),
        "unknown boundary 'Dirichlet': use periodic, dirichlet, neumann, robin or free; did you mean dirichlet?");
    EXPECT_EQ(message([] { parse_centering(""); }), "unknown centering '': use cell or node");
}

}  // namespace
}  // namespace poisson3d
