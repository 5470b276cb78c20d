// Free faces against brute force in long double (free_space.hpp): every mix of faces, both discretizations, both
// precisions, every way the host has; boxes of few points, flat and long ones.
#include <gtest/gtest.h>

#include <cmath>

#include "free_faces.hpp"
#include "free_laws.hpp"
#include "free_space.hpp"

namespace poisson3d {
namespace {

using namespace test;

bool same_way(const Problem& problem) {
    return problem.discretization == Discretization::spectral;
}

template <class T>
double error_of(const Problem& problem, Middle way, const Field<double>& f, const Field<Real>& expected) {
    Field<T> rhs(problem.grid.points());
    for (Index i = 0; i < f.size(); ++i) rhs.data()[i] = static_cast<T>(f.data()[i]);
    const Field<T> u = solved(problem, rhs, nullptr, T(1), by_way(way));
    Real error = 0, largest = 0;
    for (Index i = 0; i < u.size(); ++i) {
        const Real difference = std::abs(u.data()[i] - expected.data()[i]);
        if (!(difference <= error)) error = difference;  // NaN stays
        largest = std::max(largest, std::abs(expected.data()[i]));
    }
    return static_cast<double>(error / largest);
}

/// The largest error, in units of what a solve may have; of f and of a single 1.
void expect_right(const Problem& problem, const std::string& what, double factor = 1) {
    ASSERT_NO_THROW(validate(problem)) << what;
    const Extents points = problem.grid.points();
    const auto f = random_field<double>(points, 5);
    const Field<Real> expected = FreeSpace(problem).solve(read(f));
    for (const Middle way : ways) {
        if (way != Middle::automatic && same_way(problem)) continue;
        EXPECT_LE(error_of<double>(problem, way, f, expected), factor * tolerance::solve<double>(points))
            << what << ", " << name(way);
        EXPECT_LE(error_of<float>(problem, way, f, expected), factor * tolerance::solve<float>(points))
            << what << ", " << name(way) << ", float";
    }
}

using FreeSpaceLaw = FreeSpaceTest;

TEST_F(FreeSpaceLaw, EveryMixIsSolvedAsByBruteForce) {
    std::size_t number = 0;
    for (const Mix& mix : free_mixes())
        for (const Discretization discretization : free_discretizations) {
            const double lambda = std::array{0.0, 1e-6, 0.0, 2.0, 0.0, 400.0, 30.0}[number++ % 7];
            expect_right(make_problem(mix, {4, 3, 6}, discretization, lambda),
                         describe(mix) + ", " + name(discretization) + ", lambda " + std::to_string(lambda));
        }
}

TEST_F(FreeSpaceLaw, BoxesOfFewPointsAreSolved) {
    for (const Extents& points : {Extents{1, 1, 1}, {2, 1, 3}, {1, 9, 2}, {3, 3, 1}, {2, 2, 2}})
        for (const Discretization discretization : free_discretizations)
            for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_df], free_kinds[node_nf]},
                                   Mix{kinds[cell_p], free_kinds[cell_ff], free_kinds[cell_fn]},
                                   Mix{free_kinds[node_fd], free_kinds[node_ff], kinds[cell_nn]},
                                   Mix{kinds[cell_dd], free_kinds[cell_ff], kinds[cell_p]}})
                for (const double lambda : {0.0, 5.0})
                    expect_right(make_problem(mix, points, discretization, lambda),
                                 describe(mix) + " " + std::to_string(points[0]) + " " + std::to_string(points[1]) +
                                     " " + std::to_string(points[2]) + ", " + name(discretization) + ", lambda " +
                                     std::to_string(lambda),
                                 3);  // u may be small beside the terms of its constant
}

TEST_F(FreeSpaceLaw, FlatAndLongBoxesAreSolved) {
    for (const std::array<double, 3>& steps : {std::array{1.0, 1.0, 1000.0}, {0.001, 1.0, 1.0}, {1.0, 30.0, 900.0}})
        for (const Discretization discretization : free_discretizations)
            for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]},
                                   Mix{free_kinds[cell_df], kinds[node_nn], free_kinds[cell_ff]},
                                   Mix{free_kinds[node_nf], kinds[cell_dd], kinds[cell_p]}}) {
                Problem problem = make_problem(mix, {5, 6, 4}, discretization);
                for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = steps[a];
                expect_right(problem, describe(mix) + ", steps to " + std::to_string(steps[2]) + ", " +
                                          name(discretization));
            }
}

TEST_F(FreeSpaceLaw, LongerLinesAreSolved) {
    for (const Discretization discretization : free_discretizations)
        for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_fn], free_kinds[node_nf]},
                               Mix{free_kinds[cell_df], free_kinds[cell_ff], kinds[cell_p]},
                               Mix{kinds[node_dd], free_kinds[cell_ff], kinds[cell_nn]}})
            expect_right(make_problem(mix, {17, 6, 26}, discretization), describe(mix));
}

TEST_F(FreeSpaceLaw, BoxesOfAHundredThousandPointsAreSolvedAtEachOfTheirEnds) {
    for (const Discretization discretization : free_discretizations)
        for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]},
                               Mix{free_kinds[node_nf], free_kinds[cell_df], free_kinds[node_ff]}}) {
            const Problem problem = make_problem(mix, {48, 45, 40}, discretization);
            const auto f = random_field<double>(problem.grid.points(), 5);
            const FreeSpace exact(problem);
            for (const Middle way : ways) {
                if (way != Middle::automatic && same_way(problem)) continue;
                const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
                for (const std::array<Index, 3>& point :
                     {std::array<Index, 3>{0, 0, 0}, {47, 44, 39}, {24, 21, 20}, {47, 3, 0}}) {
                    const Real expected = exact.at(read(f), point);
                    EXPECT_LE(std::abs(u.view()(point[0], point[1], point[2]) - expected),
                              tolerance::solve<double>(problem.grid.points()) * largest(u))
                        << describe(mix) << ", " << name(discretization) << ", " << name(way) << ", " << point[0];
                }
            }
        }
}

TEST_F(FreeSpaceLaw, LambdaBelowZeroIsSolvedBetweenWalls) {
    for (const Discretization discretization : free_discretizations)
        for (const Mix& mix : {Mix{kinds[cell_dd], free_kinds[cell_ff], free_kinds[cell_fn]},
                               Mix{free_kinds[cell_ff], kinds[node_dd], kinds[cell_dn]}})
            expect_right(make_problem(mix, {5, 5, 4}, discretization, -0.05), describe(mix));
}

TEST_F(FreeSpaceLaw, OtherGaugesAreConstantsAdded) {
    for (const Discretization discretization : free_discretizations)
        for (const Mix& mix : {Mix{free_kinds[cell_ff], kinds[cell_p], free_kinds[node_nf]},
                               Mix{kinds[node_nn], free_kinds[cell_ff], kinds[cell_p]},
                               Mix{free_kinds[cell_fn], kinds[cell_nn], kinds[cell_p]}})
            for (const Middle way : ways) {
                Problem problem = make_problem(mix, {6, 5, 4}, discretization);
                if (way != Middle::automatic && same_way(problem)) continue;
                const auto f = random_field<double>(problem.grid.points(), 8);
                const Field<Real> far = FreeSpace(problem).solve(read(f));
                Real sum = 0, weights = 0;
                const Grid& grid = problem.grid;
                for (Index i = 0; i < 6; ++i)
                    for (Index j = 0; j < 5; ++j)
                        for (Index k = 0; k < 4; ++k) {
                            const std::array<Index, 3> at{i, j, k};
                            Real weight = 1;
                            for (int a = 0; a < 3; ++a) {
                                const Axis& axis = grid.axes[a];
                                const bool end = (at[a] == 0 && axis.lower == Boundary::neumann) ||
                                                 (at[a] == axis.points - 1 && axis.upper == Boundary::neumann);
                                if (axis.centering == Centering::node && end) weight /= 2;
                            }
                            sum += weight * far.view()(i, j, k);
                            weights += weight;
                        }
                for (const bool mean : {true, false}) {
                    const bool eliminated = way == Middle::automatic && eliminates_free_axis(problem);
                    if (mean && on_device_under_test && eliminated) continue;  // refused
                    problem.gauge = {};
                    problem.gauge.mean = mean;
                    if (!mean) problem.gauge.point = {{2, 3, 1}};
                    const Real shift = mean ? sum / weights : far.view()(2, 3, 1);
                    Field<Real> expected(grid.points());
                    for (Index i = 0; i < far.size(); ++i) expected.data()[i] = far.data()[i] - shift;
                    EXPECT_LE(error_of<double>(problem, way, f, expected),
                              2 * tolerance::solve<double>(grid.points()))
                        << describe(mix) << ", " << name(discretization) << ", " << (mean ? "mean, " : "point, ")
                        << name(way);
                }
            }
}

}  // namespace
}  // namespace poisson3d
