// Heat kernels against their Fourier integral, and as a semigroup; their cosine sums against the sums written out.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cosine_sums.hpp"
#include "free_mixes.hpp"
#include "free_space.hpp"
#include "heat_kernel.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Real pi = std::numbers::pi_v<Real>;
constexpr Real digits = 1e-18L;

Axis free_axis(const Kind& kind, Index points, double step) {
    return {points, step, 0.0, kind.centering, kind.lower, kind.upper};
}

TEST(HeatKernel, OfTheLatticeIsItsFourierIntegral) {
    for (const Kind& kind : free_kinds)
        for (const Index points : {2, 3, 9})
            for (const double step : {1.0, 0.3})
                for (const Real x : {1e-7L, 0.3L, 5.0L, 800.0L, 9.9e3L, 1.1e4L, 3e6L, 1e9L, 1e20L}) {
                    const Axis axis = free_axis(kind, points, step);
                    const Real t = x * axis.spacing * axis.spacing / 2;
                    const std::vector<Real> kernel =
                        heat_kernel(Discretization::second_order, axis.spacing, t, window(axis) + 3);
                    const Matrix expected = FreeLine(axis, Discretization::second_order).heat(t);
                    const auto [first, count] = unknowns(axis);
                    for (Index r = 0; r < count; ++r)
                        for (Index c = 0; c < count; ++c)
                            EXPECT_LE(std::abs(heat_between(kernel, axis, first + r, first + c) - expected[r][c]),
                                      8 * digits * kernel[0])
                                << kind.name << " " << points << ", x = " << x << ", " << r << " from " << c;
                }
}

TEST(HeatKernel, KeepsRelativeDigitsFarOut) {
    // e^{−x} I_j(x) by its power series, all terms positive.
    for (const Real x : {1e-7L, 0.3L, 5.0L, 40.0L}) {
        const std::vector<Real> kernel = heat_kernel(Discretization::second_order, 1, x / 2, 200);
        for (Index j = 0; j < 200; j += 9) {
            Real term = 1, sum = 0;
            for (Index m = 1; m <= j; ++m) term *= x / 2 / static_cast<Real>(m);
            for (Index m = 0; m < 400; ++m) {
                sum += term;
                term *= x * x / 4 / static_cast<Real>((m + 1) * (m + 1 + j));
            }
            EXPECT_LE(std::abs(kernel[j] / (sum * std::exp(-x)) - 1), 40 * digits) << "x = " << x << ", j = " << j;
        }
    }
}

TEST(HeatKernel, LosesNothingAndComposes) {
    for (const Discretization discretization : discretizations)
        for (const Real t : {0.9L, 7.0L, 60.0L}) {
            const Index count = 200;
            const std::vector<Real> once = heat_kernel(discretization, 0.5L, t, count);
            const std::vector<Real> twice = heat_kernel(discretization, 0.5L, 2 * t, count);
            Real sum = once[0];
            for (Index j = 1; j < count; ++j) sum += 2 * once[j];
            EXPECT_LE(std::abs(sum - 1), 4 * digits);
            for (const Index j : {0, 1, 5, 30}) {
                Real composed = 0;
                for (Index i = j - count + 1; i < count; ++i) composed += once[std::abs(i)] * once[std::abs(j - i)];
                EXPECT_LE(std::abs(composed - twice[j]), 4 * digits)
                    << name(discretization) << " " << t << " " << j;
            }
        }
}

TEST(HeatKernel, HalfFreeLinesFeelTheirWall) {
    // Nothing leaves through a Neumann wall, and a Dirichlet wall is an odd image: the same on both sides.
    const std::vector<Real> kernel = heat_kernel(Discretization::second_order, 1, 3, 300);
    for (const Kind& kind : {free_kinds[cell_fn], free_kinds[node_nf]}) {
        const Axis axis = free_axis(kind, 100, 1);
        const Index wall = kind.lower == Boundary::free ? 99 : 0;
        for (const Index from : {wall, std::abs(wall - 3)}) {
            Real sum = 0;
            for (Index to = 0; to < 100; ++to)
                sum += mean_weight(free_axis(kinds[node_nn], 100, 1), to) * heat_between(kernel, axis, to, from) *
                       (kind.centering == Centering::cell && to == wall ? 2 : 1);
            const Real put = kind.centering == Centering::node && from == wall ? 0.5L : 1;
            EXPECT_LE(std::abs(sum - put), 8 * digits) << kind.name << " " << from;
        }
    }
    const Axis nodes = free_axis(free_kinds[node_fd], 100, 1);
    EXPECT_EQ(heat_between(kernel, nodes, 99, 40), 0);
    EXPECT_EQ(heat_between(kernel, nodes, 40, 99), 0);
    EXPECT_EQ(heat_between(kernel, nodes, -1, 98), kernel[99] - kernel[101]);
    EXPECT_EQ(heat_between(kernel, free_axis(free_kinds[cell_df], 100, 1), 100, 0), kernel[100] - kernel[101]);
}

TEST(CosineSums, AreTheSumsWrittenOut) {
    for (const Index m : {1, 2, 3, 4, 5, 12, 24, 37, 67, 100, 127, 256}) {
        std::vector<Real> first(m + 1), second(m + 1);
        for (Index j = 0; j <= m; ++j) {
            first[j] = uniform(j, 1);
            second[j] = uniform(j, 2);
        }
        const std::array<std::vector<Real>, 2> before{first, second};
        CosineSums sums(m);
        for (int twice = 0; twice < 2; ++twice) {  // nothing is left of the first call
            first = before[0], second = before[1];
            sums(first, second);
        }
        for (Index k = 0; k <= m; ++k)
            for (int line = 0; line < 2; ++line) {
                const std::vector<Real>& x = before[line];
                Real sum = x[0] + (k % 2 == 0 ? x[m] : -x[m]);
                for (Index j = 1; j < m; ++j)
                    sum += 2 * x[j] * std::cos(pi * static_cast<Real>(j * k % (2 * m)) / static_cast<Real>(m));
                EXPECT_LE(std::abs((line == 0 ? first : second)[k] - sum), digits * static_cast<Real>(m + 4))
                    << m << " " << k;
            }
    }
}

TEST(WindowedHeatKernel, IsTheModesOfTheWindow) {
    // Two times that are summed, two that no heat has left by, and one left over without a partner.
    for (const Discretization discretization : discretizations)
        for (const Index m : {1, 2, 5, 24, 31}) {
            const Real h = 0.3L;
            const Real reach = h * static_cast<Real>(m);
            const std::vector<Real> times{reach * reach / 40, reach * reach / 900, 3 * reach * reach, 1e-3L * h * h,
                                          50 * reach * reach};
            const std::vector<Real> modes = windowed_heat_kernel(discretization, h, m, times);
            const auto terms = static_cast<Index>(times.size());
            ASSERT_EQ(static_cast<Index>(modes.size()), (m + 1) * terms);
            const Index finer = discretization == Discretization::spectral && m < 24 ? (m + 23) / m : 1;
            for (Index q = 0; q < terms; ++q)
                for (Index k = 0; k <= m; ++k) {
                    const Index samples = finer * m;
                    const std::vector<Real> kernel =
                        heat_kernel(discretization, h / static_cast<Real>(finer), times[q], samples + 1);
                    Real sum = kernel[0] + (k % 2 == 0 ? kernel[samples] : -kernel[samples]);
                    for (Index j = 1; j < samples; ++j)
                        sum += 2 * kernel[j] *
                               std::cos(pi * static_cast<Real>(j * k % (2 * samples)) / static_cast<Real>(samples));
                    const Real s = pi * static_cast<Real>(k) / reach;
                    if (discretization == Discretization::spectral && times[q] <= reach * reach / 150)
                        sum = std::exp(-times[q] * s * s);
                    EXPECT_LE(std::abs(modes[k * terms + q] - sum), 40 * digits)
                        << name(discretization) << " " << m << ", time " << q << ", mode " << k;
                }
        }
}

}  // namespace
}  // namespace poisson3d
