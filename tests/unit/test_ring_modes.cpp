// Modes of rings (mode_laws.hpp): of any steps, in pairs and more that are as near as one likes, by ladders; and by
// rotations where links are next to nothing.
#include "ring_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "jacobi_modes.hpp"
#include "mode_laws.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

using namespace test;

constexpr double eps = tolerance::eps<double>;

/// Of cells with these widths; of one cell, without links.
Chain ring_of(const std::vector<double>& widths) {
    const std::size_t n = widths.size();
    Chain ring;
    ring.ring = true;
    ring.volumes = widths;
    ring.links.resize(n + 1);
    if (n == 1) return ring;
    for (std::size_t j = 0; j < n; ++j) ring.links[j] = 2.0 / (widths[j] + widths[(j + n - 1) % n]);
    ring.links[n] = ring.links[0];
    return ring;
}

/// width(t, j) of n cells, t = j/n.
template <class Width>
Chain ring_of(std::size_t n, const Width& width) {
    std::vector<double> widths(n);
    for (std::size_t j = 0; j < n; ++j) widths[j] = width(static_cast<double>(j) / static_cast<double>(n), j);
    return ring_of(widths);
}

void check_ladders(const Chain& ring, const std::string& what) {
    const std::optional<ChainModes> modes = ring_ladder_modes(ring, nullptr);
    ASSERT_TRUE(modes) << what;
    check_modes(ring, *modes, what);
}

constexpr std::size_t lengths[] = {1, 2, 3, 4, 5, 7, 16, 31, 33, 64, 127, 211};

TEST(RingModes, OfAllSortsOfSteps) {
    constexpr double turn = 6.283185307179586;
    for (const std::size_t n : lengths) {
        const std::string what = std::to_string(n) + " cells, ";
        for (const double ratio : {1.0, 1.9, 30.0, 1000.0}) {
            const std::string of_ratio = what + "ratio " + std::to_string(ratio) + ", ";
            const double log = std::log(ratio);
            check_ladders(ring_of(n,
                                  [&](double, std::size_t j) {
                                      return std::exp(log * (0.5 + 0.5 * uniform(static_cast<Index>(j), 3)));
                                  }),
                          of_ratio + "at random");
            check_ladders(ring_of(n, [&](double t, std::size_t) { return std::exp(log * t); }),
                          of_ratio + "geometric");
            for (const double fine : {1.0, 2.0, 3.0, 5.0})
                check_ladders(
                    ring_of(n,
                            [&](double t, std::size_t) { return std::exp(0.5 * log * std::cos(turn * fine * t)); }),
                    of_ratio + "finest in places: " + std::to_string(fine));
        }
        check_ladders(ring_of(n,
                              [&](double t, std::size_t) {
                                  return std::tanh(5.0 * (t + 1.0 / static_cast<double>(n)) - 2.5) -
                                         std::tanh(5.0 * t - 2.5);
                              }),
                      what + "tanh");
        check_ladders(ring_of(n,
                              [&](double t, std::size_t) {
                                  return std::cos(0.5 * turn * t) -
                                         std::cos(0.5 * turn * (t + 1.0 / static_cast<double>(n)));
                              }),
                      what + "Chebyshev");
    }
}

/// Patterns that the closing link cuts, and mirror images about a cell, or about a face; all of them disturbed.
TEST(RingModes, OfPatternsAndMirrorImages) {
    for (const std::size_t n : lengths)
        for (const double disturbed : {0.0, 1e-15, 1e-11, 1e-7, 1e-4}) {
            const auto check = [&](const std::string& sort, const auto& width) {
                Chain ring = ring_of(n, [&](double, std::size_t j) { return width(j); });
                for (std::size_t j = 0; j < n; ++j)
                    ring.links[j] *= 1.0 + disturbed * uniform(static_cast<Index>(j), 11);
                ring.links[n] = ring.links[0];
                check_ladders(
                    ring, std::to_string(n) + " cells, " + sort + ", disturbed by " + std::to_string(disturbed));
            };
            for (const std::size_t period : {1, 2, 3, 5})
                check("period " + std::to_string(period),
                      [&](std::size_t j) { return 1.0 + static_cast<double>(j % period); });
            const auto any = [](std::size_t j) { return 2.0 + uniform(static_cast<Index>(j), 5); };
            check("mirrored about a face", [&](std::size_t j) { return any(std::min(j, n - 1 - j)); });
            check("mirrored about a cell", [&](std::size_t j) { return any(std::min(j, n - j)); });
        }
}

/// Equal blocks with weak links between: groups of as many eigenvalues as there are blocks. And a few heavy nodes.
TEST(RingModes, OfGroups) {
    for (const std::size_t block : {2, 3, 8, 16})
        for (const double weak : {1e-2, 1e-4, 1e-6, 1e-8}) {
            Chain ring = ring_of(std::vector<double>(48, 1.0));
            for (std::size_t j = 0; j < 48; ++j)
                ring.links[j] = j % block == 0 ? weak : 1.0 + static_cast<double>(j % block);
            ring.links[48] = ring.links[0];
            check_ladders(ring, "blocks of " + std::to_string(block) + ", links " + std::to_string(weak));
        }
    for (const double heavy : {10.0, 100.0, 1e4}) {
        Chain ring = ring_of(std::vector<double>(97, 1.0));
        for (const std::size_t j : {0, 48, 96}) ring.volumes[j] = heavy;
        check_ladders(ring, "heavy nodes, " + std::to_string(heavy));
        Chain even = ring_of(std::vector<double>(184, 1.0));
        for (const std::size_t j : {0, 92}) even.volumes[j] = heavy;
        check_ladders(even, "two heavy nodes, " + std::to_string(heavy));
    }
}

/// Chains, whose ground is one node more: with it at either end, at both or at none, and mirrored ones, whose upper
/// modes are pairs.
TEST(RingModes, OfChains) {
    for (const std::size_t n : {1, 2, 3, 5, 8, 31, 64})
        for (const double left : {0.0, 1e-6, 0.5, 30.0})
            for (const double right : {0.0, 0.5, 1e4})
                for (const double ratio : {1.0, 3.0, 1000.0}) {
                    Chain chain = ring_of(n, [&](double t, std::size_t j) {
                        const double any = std::log(ratio) * std::abs(uniform(static_cast<Index>(j), 3));
                        return std::exp(j % 2 == 0 ? any : std::log(ratio) * std::min(t, 1.0 - t));
                    });
                    chain.ring = false;
                    chain.links.front() = chain.links.back() = 0.0;
                    chain.ground = {left, right};
                    const std::string what = std::to_string(n) + " nodes, ground " + std::to_string(left) +
                                             " and " + std::to_string(right) + ", ratio " + std::to_string(ratio);
                    check_ladders(chain, what);
                    std::ranges::copy_n(chain.volumes.begin(), static_cast<std::ptrdiff_t>(n / 2),
                                        chain.volumes.rbegin());
                    for (std::size_t j = 1; j < n; ++j)
                        chain.links[j] = 2.0 / (chain.volumes[j] + chain.volumes[j - 1]);
                    chain.ground[1] = left;
                    check_ladders(chain, "mirrored " + what);
                }
}

/// 4 sin²(πk/n), twice each.
TEST(RingModes, OfEqualStepsAreThoseOfWaves) {
    for (const std::size_t n : {2, 3, 10, 101, 256}) {
        const std::optional<ChainModes> modes = ring_ladder_modes(ring_of(std::vector<double>(n, 1.0)), nullptr);
        ASSERT_TRUE(modes);
        for (std::size_t k = 0; k < n; ++k) {
            const Real sine = 2 * std::sin(std::acos(Real(-1)) * Real((k + 1) / 2) / Real(n));
            const auto value = static_cast<double>(sine * sine);
            EXPECT_NEAR(modes->eigenvalues[k], value, 2 * eps * value) << n << " " << k;
        }
    }
}

/// Where ladders tell nothing, rotations do; where they do, both find the same.
TEST(RingModes, OfNextToNothingBetweenParts) {
    for (const double weak : {1e-14, 1e-20, 1e-30, 1e-60})
        for (const std::size_t n : {7, 24, 40}) {
            Chain ring = ring_of(std::vector<double>(n, 1.0));
            for (std::size_t j = 0; j < n; ++j)
                ring.links[j] = (j % 3 == 0 ? weak : 1.0) * (1.5 + uniform(static_cast<Index>(j), 7));
            ring.links[n] = ring.links[0];
            const ChainModes modes = make_chain_modes(ring);
            const std::string what = std::to_string(n) + " nodes, links " + std::to_string(weak);
            const auto size = static_cast<double>(n);
            EXPECT_TRUE(std::ranges::is_sorted(modes.eigenvalues)) << what;
            EXPECT_LE(loss_of_orthogonality(modes), size * eps) << what;
            const Equation found = equation(ring, modes);
            EXPECT_LE(found.residual, size * eps) << what;
            EXPECT_LE(found.quotient, 2 * size * eps) << what;
        }
}

TEST(JacobiModes, HaveTheValuesOfLadders) {
    for (const std::size_t n : {2, 3, 8, 31, 64}) {
        const Chain ring = ring_of(n, [](double t, std::size_t j) {
            return std::exp(3.0 * std::cos(6.283185307179586 * t)) * (2.0 + uniform(static_cast<Index>(j), 3));
        });
        const std::optional<ChainModes> turned = jacobi_modes(ring), climbed = ring_ladder_modes(ring, nullptr);
        ASSERT_TRUE(turned && climbed);
        const auto size = static_cast<double>(n);
        EXPECT_LE(loss_of_orthogonality(*turned), size * eps);
        EXPECT_LE(equation(ring, *turned).residual, size * eps);
        for (std::size_t k = 0; k < n; ++k)
            EXPECT_NEAR(turned->eigenvalues[k], climbed->eigenvalues[k], size * eps * climbed->eigenvalues[k]);
    }
}

}  // namespace
}  // namespace poisson3d::lines
