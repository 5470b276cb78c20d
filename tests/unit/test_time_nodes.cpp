// Kernels summed over their nodes: constants that are known, and tables against another quadrature.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "free_mixes.hpp"
#include "gauss_legendre.hpp"
#include "heat_kernel.hpp"
#include "matrix.hpp"
#include "padded_symbol.hpp"
#include "time_nodes.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Real pi = std::numbers::pi_v<Real>;
constexpr double single_eps = std::numeric_limits<float>::epsilon();
constexpr double double_eps = std::numeric_limits<double>::epsilon();

Grid free_grid(const std::array<double, 3>& steps, const Extents& points, int unbounded = 3) {
    Grid grid;
    for (int a = 0; a < 3; ++a) {
        const Boundary face = a < unbounded ? Boundary::free : Boundary::periodic;
        grid.axes[a] = {points[a], steps[a], 0.0, Centering::cell, face, face};
    }
    return grid;
}

/// Σ_q w_q e^{−νt} Π B(t_q, j) over the free axes.
Real entry(const Grid& grid, const TimeNodes& nodes, Real nu, const std::array<Index, 3>& j) {
    Real sum = 0;
    for (Index q = 0; q < nodes.size(); ++q) {
        Real product = nodes.weights[q] * std::exp(-nu * nodes.times[q]);
        for (int a = 0; a < 3; ++a)
            if (grid.axes[a].unbounded())
                product *= heat_kernel(Discretization::second_order, grid.axes[a].spacing, nodes.times[q],
                                       window(grid.axes[a]) + 2)[j[a]];
        sum += product;
    }
    return sum;
}

TEST(TimeNodes, GiveTheKnownConstantsOfTheCubicLattice) {
    const Real origin = std::sqrt(6.0L) * std::tgamma(1 / 24.0L) * std::tgamma(5 / 24.0L) * std::tgamma(7 / 24.0L) *
                        std::tgamma(11 / 24.0L) / (192 * pi * pi * pi);
    for (const double eps : {single_eps, double_eps})
        for (const Index n : {1, 2, 8, 64, 256, 1024}) {
            const Grid grid = free_grid({1, 1, 1}, {n, n, n});
            const TimeNodes nodes = all_times(grid, 0, eps);
            const Real here = entry(grid, nodes, 0, {0, 0, 0});
            EXPECT_LE(std::abs(here / origin - 1), eps / 2) << n;
            EXPECT_LE(std::abs(6 * (here - entry(grid, nodes, 0, {1, 0, 0})) - 1), 2 * eps) << n;
            if (n < 256) continue;
            const Real square = 3.0L * static_cast<Real>(n) * static_cast<Real>(n);
            const Real fourth = 5 / 3.0L - 3;  // 5 Σ j⁴/r⁴ − 3
            const Real far = (1 + fourth / (8 * square)) / (4 * pi * std::sqrt(square));
            EXPECT_LE(std::abs(entry(grid, nodes, 0, {n, n, n}) / far - 1), eps / 2 + 100 / (square * square)) << n;
        }
}

TEST(TimeNodes, AreAsManyAsTheReferenceSays) {
    for (const auto& [n, most] : {std::pair<Index, Index>{64, 52}, {256, 65}, {512, 72}, {1024, 78}}) {
        EXPECT_LE(all_times(free_grid({1, 1, 1}, {n, n, n}), 0, double_eps).size(), most);
        EXPECT_LE(all_times(free_grid({1, 1, 1}, {n, n, n}), 0, single_eps).size(), 44);
    }
    Problem cube;
    cube.grid = free_grid({1, 1, 1}, {512, 512, 512});
    EXPECT_EQ(late_times(cube, 0, early_time(cube, double_eps), double_eps).size(), 48);
    EXPECT_LE(late_times(cube, 0, early_time(cube, single_eps), single_eps).size(), 24);
    EXPECT_LE(late_times(cube, 1e-8, early_time(cube, double_eps), double_eps).size(), 112);
}

TEST(TimeNodes, GiveTheConstantsOfTheSquareLattice) {
    // −K is u of 1 at one point.
    const Real euler = 0.57721566490153286060651209L;
    for (const double eps : {single_eps, double_eps})
        for (const double h : {1.0, 1e-3, 100.0})
            for (const Index n : {1, 3, 64, 512}) {
                const Grid grid = free_grid({h, h, 1}, {n, n, 5}, 2);
                const TimeNodes nodes = all_times(grid, 0, eps);
                const Real square = static_cast<Real>(h) * static_cast<Real>(h);
                const Real here = entry(grid, nodes, 0, {0, 0, 0});
                const Real logarithm = std::log(static_cast<Real>(h));
                EXPECT_LE(std::abs(-here / square - ((logarithm - euler - 1.5L * std::log(2.0L)) / (2 * pi))), eps)
                    << h << " " << n;
                EXPECT_LE(std::abs((here - entry(grid, nodes, 0, {1, 0, 0})) / square - 0.25L), eps)
                    << h << " " << n;
                EXPECT_LE(std::abs((here - entry(grid, nodes, 0, {1, 1, 0})) / square - 1 / pi), eps)
                    << h << " " << n;
            }
}

// Where another constant is taken from u in the end: K less a constant, and no unit of length.
TEST(TimeNodes, GiveTheSquareLatticeAConstantOfItsOwnSize) {
    for (const double eps : {single_eps, double_eps})
        for (const double h : {1.0, 1e-6, 1e6})
            for (const Index n : {1, 3, 64, 512}) {
                const Grid grid = free_grid({h, h, 1}, {n, n, 5}, 2);
                const TimeNodes far = all_times(grid, 0, eps), own = all_times(grid, 0, eps, false);
                ASSERT_EQ(own.size(), far.size());
                const Real square = static_cast<Real>(h) * static_cast<Real>(h);
                const auto value = [&](const TimeNodes& nodes, Index i, Index j) {
                    return entry(grid, nodes, 0, {i, j, 0}) / square;
                };
                const Real size = std::log(static_cast<Real>(n) + 1) + 2;
                const Real shift = value(own, 0, 0) - value(far, 0, 0);
                const Real allowed = 4 * eps * (std::abs(shift) + size);
                for (const auto& [i, j] : {std::pair<Index, Index>{1, 0}, {n / 2, n}, {n, n}})
                    EXPECT_LE(std::abs(value(own, i, j) - value(far, i, j) - shift), allowed) << h << " " << n;
                EXPECT_LE(std::abs(value(own, n, n)), 0.5) << h << " " << n;
                EXPECT_LE(std::abs(value(own, 0, 0)), size / (2 * pi)) << h << " " << n;
            }
}

/// ∫₀^∞ by panels of factor 2, in t up to where the integrand is a power series in t^{−1/2}, then in that.
Real integral(const std::function<Real(Real)>& f, Real shortest, Real longest, Real nu) {
    Real sum = 0;
    for (const auto [t, weight] : gauss_legendre(40, 0, shortest)) sum += weight * f(t);
    const Real end = nu > 0 ? std::min(longest, 60 / nu) : longest;
    Real t = shortest;
    for (; t < end; t *= 2)
        for (const auto [x, weight] : gauss_legendre(30, t, 2 * t)) sum += weight * f(x);
    if (nu > 0)
        for (; t * nu < 60; t *= 2)
            for (const auto [x, weight] : gauss_legendre(30, t, 2 * t)) sum += weight * f(x);
    else
        for (const auto [v, weight] : gauss_legendre(40, 0, 1 / std::sqrt(t)))
            sum += 2 * weight * f(1 / (v * v)) / (v * v * v);
    return sum;
}

TEST(TimeNodes, GiveEveryEntryOfTheTable) {
    for (const std::array<double, 3>& steps :
         {std::array{1.0, 1.0, 1.0}, {1.0, 1.0, 1000.0}, {1.0, 30.0, 900.0}, {0.7, 1.3, 0.45}})
        for (const Index n : {1, 8, 300})
            for (const double nu : {0.0, 1e-8, 0.01, 2.0, 400.0, 1e6}) {
                const Grid grid = free_grid(steps, {n, n, n});
                const auto [least, greatest] = std::minmax({steps[0], steps[1], steps[2]});
                const Real shortest = 0.5L / (nu + 12 / (static_cast<Real>(least) * least));
                const Real longest =
                    1e3L * static_cast<Real>(greatest * greatest) * static_cast<Real>((n + 1) * (n + 1));
                Real here = 0;
                for (const std::array<Index, 3>& j :
                     {std::array<Index, 3>{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {n / 2, 0, n}, {n, n, n}}) {
                    const Real expected = integral(
                        [&](Real t) {
                            Real product = std::exp(-nu * t);
                            for (int a = 0; a < 3; ++a)
                                product *= heat_kernel(Discretization::second_order, steps[a], t, j[a] + 1).back();
                            return product;
                        },
                        shortest, longest, nu);
                    if (j[0] + j[1] + j[2] == 0) here = expected;
                    for (const double eps : {single_eps, double_eps}) {
                        const Real error = entry(grid, all_times(grid, nu, eps), nu, j) - expected;
                        // A decaying kernel to the greatest entry; without λ each to itself.
                        EXPECT_LE(std::abs(error), 2 * eps * (nu > 0 ? here : expected))
                            << steps[2] << " " << n << ", nu " << nu << ", " << j[0] << " " << j[1] << " " << j[2];
                    }
                }
            }
}

// The late times and what is before them, in mode space, with nodes of each precision: K in double from the nodes
// of float is as good as float, that of double agrees with nodes of a higher precision.
TEST(LateTimes, GiveTheSymbolOfEveryWindow) {
    for (const Discretization discretization : discretizations)
        for (const std::array<double, 3>& steps : {std::array{1.0, 1.0, 1.0}, {1.0, 1.0, 200.0}, {0.7, 1.3, 0.45}})
            for (const Extents& points : {Extents{1, 1, 1}, {2, 3, 5}, {24, 40, 30}, {90, 2, 1}})
                for (const double lambda : {0.0, 1e-6, 3.0, 400.0}) {
                    Problem problem;
                    problem.grid = free_grid(steps, points);
                    problem.discretization = discretization;
                    problem.helmholtz = lambda;
                    const auto symbol = [&](double eps, const std::array<Index, 3>& k) {
                        const Real early = early_time(problem, eps);
                        const TimeNodes nodes = late_times(problem, lambda, early, eps);
                        Real total = lambda;
                        std::vector<Real> product = nodes.weights;
                        for (int a = 0; a < 3; ++a) {
                            total += poisson3d::symbol(discretization, steps[a], points[a])[k[a]];
                            const std::vector<Real> modes =
                                windowed_heat_kernel(discretization, steps[a], points[a], nodes.times);
                            for (Index q = 0; q < nodes.size(); ++q) product[q] *= modes[k[a] * nodes.size() + q];
                        }
                        Real sum = total > 0 ? -std::expm1(-early * total) / total : early;
                        for (Index q = 0; q < nodes.size(); ++q)
                            sum += product[q] * std::exp(-static_cast<Real>(lambda) * nodes.times[q]);
                        return sum;
                    };
                    for (const std::array<Index, 3>& k : {std::array<Index, 3>{0, 0, 0},
                                                          {1, 0, 0},
                                                          {0, 1, 1},
                                                          {points[0], points[1], points[2]},
                                                          {points[0] / 2, 1, 0}}) {
                        const Real expected = symbol(1e-19, k);
                        const Real largest = symbol(1e-19, {0, 0, 0});
                        for (const double eps : {single_eps, double_eps})
                            EXPECT_LE(std::abs(symbol(eps, k) / expected - 1),
                                      eps / 2 * (largest / expected > 1e6 ? 10 : 1))
                                << name(discretization) << " " << steps[2] << ", " << points[0]
                                << " points, lambda " << lambda << ", eps " << eps << ", mode " << k[0] << " "
                                << k[1] << " " << k[2];
                    }
                }
}

}  // namespace
}  // namespace poisson3d
