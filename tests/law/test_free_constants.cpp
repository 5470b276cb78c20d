// Constants of free space that are known: Green's functions of the cubic and of the square lattice, of a plane, and
// what a small λ takes away.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "free_laws.hpp"

namespace poisson3d {
namespace {

using namespace test;

using FreeConstants = FreeSpaceTest;

constexpr double pi = std::numbers::pi;

TEST_F(FreeConstants, ASinglePointGivesTheGreensFunctionOfTheCubicLattice) {
    const double origin = 0.2527310098586630;
    for (const Middle way : ways)
        for (const double h : {1.0, 0.02}) {
            Problem problem =
                make_problem({free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[node_ff]}, {24, 20, 9});
            for (Axis& axis : problem.grid.axes) axis.spacing = h;
            Field<double> f = filled_field<double>(problem.grid.points(), 0.0);
            f.view()(2, 3, 1) = 1 / (h * h);
            const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
            const double allowed = tolerance::solve<double>(problem.grid.points());
            EXPECT_NEAR(u.view()(2, 3, 1), -origin, allowed * origin) << name(way);
            for (const Extents& next : {Extents{1, 3, 1}, {3, 3, 1}, {2, 4, 1}, {2, 3, 0}, {2, 3, 2}})
                EXPECT_NEAR(u.view()(next[0], next[1], next[2]) - u.view()(2, 3, 1), 1.0 / 6, allowed * origin);
            const double r2 = 20 * 20 + 15 * 15 + 7 * 7;
            const double fourth = (std::pow(20.0, 4) + std::pow(15.0, 4) + std::pow(7.0, 4)) / (r2 * r2);
            const double far = -(1 + (5 * fourth - 3) / (8 * r2)) / (4 * pi * std::sqrt(r2));
            EXPECT_NEAR(u.view()(22, 18, 8) / far, 1, 3 / (r2 * r2)) << name(way);
        }
}

TEST_F(FreeConstants, ALineGivesTheGreensFunctionOfTheSquareLattice) {
    const double euler = 0.57721566490153286;
    for (const Middle way : ways)
        for (const double h : {1.0, 0.02, 30.0})
            for (int constant = 0; constant < 3; ++constant) {
                Mix mix{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]};
                mix[constant] = kinds[constant == 0 ? cell_p : cell_nn];
                Extents points{7, 7, 7};
                points[constant] = 3;
                Problem problem = make_problem(mix, points);
                for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = a == constant ? 0.6 : h;
                Field<double> f = filled_field<double>(points, 0.0);
                std::array<Index, 3> at{2, 2, 2};
                for (Index k = 0; k < 3; ++k) {
                    at[constant] = k;
                    f.view()(at[0], at[1], at[2]) = 1;
                }
                const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
                const auto value = [&](Index i, Index j) {
                    std::array<Index, 3> place{};
                    place[constant == 0 ? 1 : 0] = 2 + i;
                    place[constant == 2 ? 1 : 2] = 2 + j;
                    place[constant] = 1;
                    return u.view()(place[0], place[1], place[2]) / (h * h);
                };
                const double allowed = tolerance::solve<double>(points) * largest(u) / (h * h);
                EXPECT_NEAR(value(0, 0), (std::log(h) - euler - 1.5 * std::log(2.0)) / (2 * pi), allowed)
                    << name(way);
                EXPECT_NEAR(value(1, 0) - value(0, 0), 0.25, allowed) << name(way);
                EXPECT_NEAR(value(1, 1) - value(0, 0), 1 / pi, allowed) << name(way);
            }
}

TEST_F(FreeConstants, APlaneGivesHalfTheDistance) {
    for (const Middle way : ways) {
        const Problem problem = make_problem({kinds[cell_p], free_kinds[node_ff], kinds[cell_nn]}, {3, 9, 2});
        const double h = problem.grid.axes[1].spacing;
        Field<double> f = filled_field<double>(problem.grid.points(), 0.0);
        for (Index i = 0; i < 3; ++i)
            for (Index k = 0; k < 2; ++k) f.view()(i, 2, k) = 1;
        const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
        const double allowed = tolerance::solve<double>(problem.grid.points()) * largest(u);
        for (Index j = 0; j < 9; ++j)
            EXPECT_NEAR(u.view()(1, j, 1), h * h * std::abs(static_cast<double>(j - 2)) / 2, allowed) << name(way);
    }
}

TEST_F(FreeConstants, ASmallLambdaTakesAConstantAway) {
    // e^{−√λ r}/4πr = 1/4πr − √λ/4π + λ r/8π.
    for (const Discretization discretization : free_discretizations)
        for (const Middle way : ways) {
            const Mix mix{free_kinds[cell_ff], free_kinds[node_ff], free_kinds[cell_ff]};
            Problem problem = make_problem(mix, {7, 6, 8}, discretization);
            const auto f = random_field<double>(problem.grid.points(), 3);
            double charge = 0;
            for (Index i = 0; i < f.size(); ++i) charge += f.data()[i] * 0.7 * 1.3 * 0.45;
            const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
            problem.helmholtz = 1e-10;
            const Field<double> screened = solved(problem, f, nullptr, 1.0, by_way(way));
            for (Index i = 0; i < u.size(); ++i)
                EXPECT_NEAR(screened.data()[i] - u.data()[i], charge * 1e-5 / (4 * pi), 3e-9 * largest(u))
                    << name(discretization) << ", " << name(way);
        }
}

}  // namespace
}  // namespace poisson3d
