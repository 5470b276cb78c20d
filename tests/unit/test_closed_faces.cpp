// Walls and faces (solvers/engines/host/walled_engine.cpp): two or three free axes, against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "free_green.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {
namespace {

constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann, F = Boundary::free;

struct Ends {
    Centering centering;
    Boundary lower, upper;
};

constexpr std::array<Ends, 10> free_kinds{{{Centering::cell, F, F},
                                           {Centering::node, F, F},
                                           {Centering::cell, N, F},
                                           {Centering::cell, D, F},
                                           {Centering::cell, F, N},
                                           {Centering::cell, F, D},
                                           {Centering::node, N, F},
                                           {Centering::node, D, F},
                                           {Centering::node, F, N},
                                           {Centering::node, F, D}}};

Axis axis_of(const Ends& ends, Index points, double spacing) {
    return {std::max(points, Index{1}), spacing, 0.0, ends.centering, ends.lower, ends.upper};
}

std::string describe(const Problem& problem) {
    std::string text;
    for (const Axis& axis : problem.grid.axes)
        text += std::string(name(axis.centering)) + " " + name(axis.lower) + ":" + name(axis.upper) + " " +
                std::to_string(axis.points) + ", ";
    return text + "helmholtz " + std::to_string(problem.helmholtz);
}

/// Largest error over the largest |u|, in eps of T.
template <class T>
double error(const Problem& problem) {
    const Extents points = problem.grid.points();
    Field<T> f(points), u(points);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] = static_cast<T>(uniform(static_cast<std::uint64_t>(i)));
    Options options;
    options.engine = Engine::host;
    options.threads = 2;
    Solver<T> solver(problem, options);
    solver.solve(std::as_const(f).view(), u.view());
    const Field<Real> exact = FreeGreen(problem).solve(std::as_const(f).view());
    Real worst = 0, largest = 0;
    for (Index i = 0; i < u.size(); ++i) {
        worst = std::max(worst, std::abs(exact.data()[i] - static_cast<Real>(u.data()[i])));
        largest = std::max(largest, std::abs(exact.data()[i]));
    }
    return static_cast<double>(worst / largest) / tolerance::eps<T>;
}

TEST(ClosedFaces, ThreeFreeAxes) {
    double worst = 0;
    const std::array<Extents, 4> sizes{{{3, 2, 5}, {8, 3, 4}, {2, 5, 9}, {4, 4, 4}}};
    for (int number = 0; number < 1000; ++number) {
        const Extents n = sizes[number % 4];
        Problem problem;
        problem.grid.axes = {axis_of(free_kinds[number / 100], n[0], 1.0),
                             axis_of(free_kinds[number / 10 % 10], n[1], 0.7),
                             axis_of(free_kinds[number % 10], n[2], 1.6)};
        problem.helmholtz = number % 3 == 2 ? 0.3 : 0.0;
        for (Axis& axis : problem.grid.axes) axis.points = std::max(axis.points, fewest_points(axis));
        const double e = error<double>(problem);
        worst = std::max(worst, e);
        ASSERT_LT(e, 16) << describe(problem);
    }
    std::printf("three: %.2f eps\n", worst);
}

TEST(ClosedFaces, TwoFreeAxes) {
    double worst = 0;
    for (int bound = 0; bound < 3; ++bound)
        for (int number = 0; number < 1000; number += 1) {
            Problem problem;
            const int kind[2] = {number / 100, number / 10 % 10};
            const int wall = number % 10;
            const Index sizes[3] = {5, 4, 6};
            int next = 0;
            for (int a = 0; a < 3; ++a)
                problem.grid.axes[a] =
                    a == bound ? make_axis(wall, sizes[a], 0.8)
                               : axis_of(free_kinds[kind[next++]], sizes[(a + number) % 3], 1.0 + 0.3 * a);
            problem.helmholtz = number % 3 == 2 ? 0.3 : 0.0;
            const double e = error<double>(problem);
            worst = std::max(worst, e);
            if (e > 7) std::printf("%.1f %s\n", e, describe(problem).c_str());
        }
    std::printf("two: %.2f eps\n", worst);
}

TEST(ClosedFaces, SlowLinesAlongXAreEliminated) {
    double worst = 0;
    for (int number = 0; number < 100; ++number) {
        Problem problem;
        problem.grid.axes = {axis_of(free_kinds[number % 10], 37, 1.0), axis_of(free_kinds[number / 10], 3, 0.7),
                             axis_of(free_kinds[(7 * number + 2) % 10], 5, 1.6)};
        if (number % 3 == 1) problem.grid.axes[1 + number % 2] = make_axis(number / 7 % 10, 4, 0.8);
        problem.helmholtz = number % 4 == 2 ? 0.3 : 0.0;
        const double e = error<double>(problem);
        worst = std::max(worst, e);
        EXPECT_LT(e, 32) << describe(problem);
    }
    std::printf("eliminated: %.2f eps\n", worst);
}

}  // namespace
}  // namespace poisson3d::test
