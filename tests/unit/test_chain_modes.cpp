// Modes of chains, whose eigenvalues may be as small or as close as they like (mode_laws.hpp).
#include "chain_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "isolated_eigenvalues.hpp"
#include "mode_laws.hpp"
#include "random_values.hpp"
#include "ring_modes.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

using namespace test;

constexpr double eps = tolerance::eps<double>;

void check(const Chain& chain, const std::string& what) {
    check_modes(chain, make_chain_modes(chain), what);
}

Chain chain_of(Index nodes) {
    Chain chain;
    chain.links.assign(static_cast<std::size_t>(nodes) + 1, 1.0);
    chain.links.front() = chain.links.back() = 0.0;
    chain.volumes.assign(static_cast<std::size_t>(nodes), 1.0);
    return chain;
}

TEST(ChainModes, OfAxesOfAllSorts) {
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const Walls& walls : all_walls())
            for (const Index points : {1, 2, 3, 4, 5, 17, 64, 131}) {
                std::vector<Axis> axes;
                for (const Spread spread : spreads)
                    axes.push_back(uneven_axis(centering, walls, spread, points, 2.0, 3));
                for (const double ratio : {10.0, 1e3, 1e6})
                    axes.push_back(stretched_axis(centering, walls, points, ratio, 5));
                for (std::size_t i = 0; i < axes.size(); ++i)
                    if (points >= fewest_points(axes[i]))
                        check(make_chain(axes[i]),
                              walls.name + " " + std::to_string(points) + " points, axis " + std::to_string(i));
            }
}

/// Neumann cells: 4 sin²(πk/2n) and cosines.
TEST(ChainModes, OfEqualStepsAreCosines) {
    const int n = 257;
    const ChainModes modes = make_chain_modes(chain_of(n));
    const Real pi = std::acos(Real(-1));
    for (int k = 0; k < n; ++k) {
        const Real sine = 2 * std::sin(pi * k / (2 * n));
        EXPECT_NEAR(modes.eigenvalues[k], static_cast<double>(sine * sine),
                    2 * eps * static_cast<double>(sine * sine));
        const double sign = modes.backward[k] > 0 ? 1.0 : -1.0;
        for (int j = 0; j < n; ++j)
            EXPECT_NEAR(
                sign * modes.backward[j * n + k],
                static_cast<double>((k == 0 ? 1 : std::sqrt(Real(2))) * std::cos(pi * k * (2 * j + 1) / (2 * n))),
                4 * eps)
                << k << " " << j;
    }
}

TEST(ChainModes, OfFewNodes) {
    Chain one = chain_of(1);
    EXPECT_EQ(make_chain_modes(one).eigenvalues[0], 0.0);
    one.ground = {0.5, 0.25};
    one.volumes[0] = 3.0;
    EXPECT_NEAR(make_chain_modes(one).eigenvalues[0], 0.25, eps);
    Chain two = chain_of(2);
    two.ground = {3.0, 3.0};
    const ChainModes modes = make_chain_modes(two);
    EXPECT_NEAR(modes.eigenvalues[0], 3.0, 4 * eps);
    EXPECT_NEAR(modes.eigenvalues[1], 5.0, 4 * eps);
}

/// Nearly closed: the least eigenvalue is what leaks, over what is there, to its last digits.
TEST(ChainModes, KnowTheLeastEigenvalue) {
    for (const double leak : {1e-12, 1e-40, 1e-200}) {
        Chain chain = chain_of(40);
        double volume = 0.0;
        for (std::size_t j = 0; j < 40; ++j) volume += chain.volumes[j] = 1.0 + static_cast<double>(j % 3);
        chain.ground[1] = leak;
        const ChainModes modes = make_chain_modes(chain);
        EXPECT_NEAR(modes.eigenvalues[0] / (leak / volume), 1.0, std::max(4 * eps, 40 * leak * volume)) << leak;
        check(chain, std::to_string(leak));
    }
}

/// Pairs and more of eigenvalues as close as one likes: mirrored halves, and equal blocks with weak links between.
TEST(ChainModes, OfCloseEigenvalues) {
    for (const double weak : {1e-6, 1e-12, 1e-15, 1e-18, 1e-22, 1e-26, 1e-30, 1e-60}) {
        for (const std::size_t block : {1, 2, 3, 8}) {
            Chain chain = chain_of(48);
            for (std::size_t j = 1; j < 48; ++j)
                chain.links[j] = j % block == 0 ? weak : 1.0 + static_cast<double>(j % block);
            check(chain, "blocks of " + std::to_string(block) + ", links " + std::to_string(weak));
            chain.ground[0] = 1.0;
            check(chain, "ground, blocks of " + std::to_string(block) + ", links " + std::to_string(weak));
        }
        for (const std::size_t n : {20, 21}) {
            Chain chain = chain_of(static_cast<Index>(n));
            const auto at = [&](std::size_t j) { return std::pow(weak, static_cast<double>(j) / 20.0); };
            for (std::size_t j = 0; j < n; ++j) {
                chain.volumes[j] = 1.0 / at(std::min(j, n - 1 - j));
                if (j > 0) chain.links[j] = at(std::min(j, n - j));
            }
            check(chain, "mirrored, " + std::to_string(n) + " nodes, " + std::to_string(weak));
        }
    }
}

/// Pairs: equal steps, and those that repeat or are their own mirror image, or nearly.
TEST(ChainModes, OfRings) {
    for (const std::size_t n : {2, 3, 4, 6, 9, 12, 40, 61, 128})
        for (std::size_t sort = 0; sort < 5; ++sort)
            for (const double disturbed : {0.0, 1e-15, 1e-11, 1e-7}) {
                Chain chain;
                chain.ring = true;
                chain.links.resize(n + 1);
                for (std::size_t j = 0; j < n; ++j) {
                    const double t = static_cast<double>(j) / static_cast<double>(n);
                    const double wave = std::cos(6.283185307179586 * t);
                    const double twice = std::cos(12.566370614359172 * t);
                    const double by_turns = 1.0 + static_cast<double>(j % 2);
                    chain.volumes.push_back(std::array{1.0, by_turns, std::exp(3 * wave), 1.5 + twice, 1.0}[sort]);
                    chain.links[j] = std::array{1.0, 1.0, std::exp(-3 * wave), 1.0, 1.2 + wave}[sort];
                    chain.links[j] *= 1.0 + disturbed * uniform(static_cast<Index>(j), 11);
                }
                chain.links[n] = chain.links[0];
                const std::optional<ChainModes> modes = ring_ladder_modes(chain, nullptr);
                EXPECT_TRUE(modes) << n << " " << sort << " " << disturbed;
                check(chain, "ring of " + std::to_string(n) + ", sort " + std::to_string(sort) +
                                 ", disturbed by 10^" + std::to_string(std::log10(disturbed)));
            }
}

TEST(ChainModes, OfUnitsFarApart) {
    for (const double unit : {1e-100, 1e-30, 1e30, 1e100}) {
        Chain chain = chain_of(30);
        for (std::size_t j = 1; j < 30; ++j) chain.links[j] = unit * (1.5 + uniform(static_cast<Index>(j), 3));
        chain.ground[0] = unit;
        check(chain, std::to_string(unit));
    }
}

/// Two equal chains with next to nothing between.
TEST(IsolatedEigenvalues, AreGroupedWhereTheyAreOne) {
    std::vector<double> links(9, 1.0), volumes(8, 1.0);
    links[4] = 1e-60;
    volumes[1] = volumes[6] = 2.0;
    const LadderView chain{8, links.data(), volumes.data(), {0.5, 0.5}};
    const std::vector<EigenvalueGroup> groups = isolated_eigenvalues(chain, 1e-3, 6.0, nullptr);
    ASSERT_EQ(groups.size(), 4);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(groups[i].first, static_cast<Index>(2 * i));
        EXPECT_EQ(groups[i].count, 2);
        EXPECT_LE(static_cast<double>(groups[i].high - groups[i].low), 1e-26 * groups[i].high.high);
    }
    links[4] = 1e-20;
    EXPECT_EQ(isolated_eigenvalues(chain, 1e-3, 6.0, nullptr).size(), 8);
}

}  // namespace
}  // namespace poisson3d::lines
