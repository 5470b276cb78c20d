// Axes as networks of conductances: their currents on functions for which they are exact, and their eigenvalues.
#include "chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "axis_kind.hpp"
#include "axis_rules.hpp"
#include "chain_spectrum.hpp"
#include "problems.hpp"
#include "uneven_axis.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr std::array centerings{Centering::cell, Centering::node};
constexpr double eps = std::numeric_limits<double>::epsilon();

/// body(axis, what it is) for short axes of all kinds.
template <class Body>
void for_each_axis(Body body) {
    for (const Centering centering : centerings)
        for (const Walls& walls : all_walls())
            for (const Spread spread : spreads)
                for (const Index points : {1, 2, 3, 4, 7, 12}) {
                    Axis axis{points, 1.0, 0.0, centering, walls.lower, walls.upper};
                    if (points < fewest_points(axis)) continue;
                    axis = uneven_axis(centering, walls, spread, points, 3.0);
                    body(axis, std::string(name(centering)) + " " + walls.name + " " + std::to_string(points));
                }
}

/// Expects D (−u'') out of every unknown, of u = value and its derivative, to rounding.
template <class Value, class Slope>
void expect_currents(const Axis& axis, Value value, Slope slope, double second, const std::string& what) {
    const Chain chain = make_chain(axis);
    const std::vector<double> x = coordinates(axis);
    const Index first = axis_kind(axis).first;
    const auto n = static_cast<Index>(chain.volumes.size());
    const auto u = [&](Index i) { return value(x[first + i]); };
    for (Index i = 0; i < n; ++i) {
        double out = 0.0, size = 0.0;
        const auto add = [&](double term) { out += term, size += std::abs(term); };
        if (i > 0) add(chain.links[i] * u(i)), add(-chain.links[i] * u(i - 1));
        if (i + 1 < n) add(chain.links[i + 1] * u(i)), add(-chain.links[i + 1] * u(i + 1));
        for (const int side : {0, 1}) {
            if (i != (side == 0 ? 0 : n - 1)) continue;
            const double wall = side == 0 ? 0.0 : 3.0;
            add(chain.ground[side] * u(i));
            add(-chain.feed[side] * data_of_wall(axis, side, value(wall), slope(wall)));
        }
        EXPECT_NEAR(out, -chain.volumes[i] * second, 8.0 * eps * size) << what << ", unknown " << i;
    }
}

TEST(Chain, HasNoCurrentsLeftOverWhereUIsLinear) {
    for_each_axis([](const Axis& axis, const std::string& what) {
        if (axis.periodic()) return;
        expect_currents(
            axis, [](double x) { return 2.0 - 0.75 * x; }, [](double) { return -0.75; }, 0.0, what);
    });
}

TEST(Chain, IsExactForQuadraticsOnNodes) {
    for_each_axis([](const Axis& axis, const std::string& what) {
        if (axis.periodic() || axis.centering == Centering::cell) return;
        expect_currents(
            axis, [](double x) { return 1.0 + x * (0.5 - 0.3 * x); }, [](double x) { return 0.5 - 0.6 * x; }, -0.6,
            what);
    });
}

TEST(Chain, OfAUniformAxisIsItsStencil) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 5, 8}) {
            const Axis axis = make_axis(kind, points, 0.45);
            if (points < fewest_points(axis)) continue;
            const Matrix matrix = stencil_matrix(axis);
            const Chain chain = make_chain(axis);
            const Index n = matrix.size();
            Matrix made(n);
            for (Index i = 0; i < n; ++i) {
                made[i][i] -= (i == 0 ? chain.ground[0] : 0.0) + (i == n - 1 ? chain.ground[1] : 0.0);
                for (const Index side : {0, 1}) {
                    made[i][i] -= chain.links[i + side];
                    made[i][(i + 2 * side - 1 + n) % n] += chain.links[i + side];
                }
                for (Index c = 0; c < n; ++c)
                    EXPECT_NEAR(static_cast<double>(made[i][c] / chain.volumes[i]),
                                static_cast<double>(matrix[i][c]), 1e-14)
                        << kinds[kind].name << " " << points;
            }
            if (n == 1 && axis.periodic()) continue;  // linked to itself it has none
            for (Index i = 0; i < n; ++i)
                EXPECT_NEAR(row_norms(chain)[i], -2.0 * static_cast<double>(matrix[i][i]), 1e-14)
                    << kinds[kind].name << " " << points;
        }
}

TEST(Chain, FillsTheAxis) {
    for_each_axis([](const Axis& axis, const std::string& what) {
        double sum = 0.0;
        for (const double volume : make_chain(axis).volumes) sum += volume;
        const std::vector<double> h = steps_of(axis);
        const bool nodes = axis.centering == Centering::node;
        if (nodes && axis.lower == Boundary::dirichlet) sum += 0.5 * h.front();
        if (nodes && axis.upper == Boundary::dirichlet) sum += 0.5 * h.back();
        EXPECT_NEAR(sum, axis.length(), 8.0 * eps * axis.length()) << what;
    });
}

TEST(Chain, TakesDirichletAndNeumannCellsForRobinOnes) {
    for (const Spread spread : spreads)
        for (const Index points : {1, 2, 9})
            for (const Walls& walls : all_walls()) {
                if (walls.lower == Boundary::periodic || walls.name.find('R') != std::string::npos) continue;
                const Axis plain = uneven_axis(Centering::cell, walls, spread, points);
                Axis robin = plain;
                robin.lower = robin.upper = Boundary::robin;
                const auto numbers = [](Boundary wall) {
                    return wall == Boundary::dirichlet ? Robin{1.0, 0.0} : Robin{0.0, 1.0};
                };
                robin.robin = {numbers(walls.lower), numbers(walls.upper)};
                const Chain a = make_chain(plain), b = make_chain(robin);
                EXPECT_EQ(a.links, b.links);
                EXPECT_EQ(a.volumes, b.volumes);
                EXPECT_EQ(a.ground, b.ground);
                EXPECT_EQ(a.feed, b.feed);
                EXPECT_EQ(axis_kind(plain).constant_mode, axis_kind(robin).constant_mode);
            }
}

TEST(ChainEigenvalues, OfUniformAxesAreTheFormulas) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 4, 9, 40}) {
            const Axis axis = make_axis(kind, points, 0.7);
            if (points < fewest_points(axis)) continue;
            std::vector<double> wanted;
            for (Index k = 0; k < unknowns(axis).count; ++k)
                wanted.push_back(static_cast<double>(-mode_eigenvalue(axis, Discretization::second_order, k)));
            std::ranges::sort(wanted);
            const Chain chain = make_chain(axis);
            for (std::size_t k = 0; k < wanted.size(); ++k)
                EXPECT_NEAR(chain_eigenvalue(chain, static_cast<Index>(k)), wanted[k], 1e-7 * wanted[k])
                    << kinds[kind].name << " " << points << ", " << k;
            EXPECT_EQ(chain_eigenvalue(chain, static_cast<Index>(wanted.size())),
                      std::numeric_limits<double>::infinity());
        }
}

/// Sums of eigenvalues and of their squares are those of D⁻¹A's diagonal, and of the products of opposite entries.
TEST(ChainEigenvalues, HaveTheSumsOfTheMatrix) {
    for_each_axis([](const Axis& axis, const std::string& what) {
        const Chain chain = make_chain(axis);
        const std::vector<double> norms = row_norms(chain);
        const std::size_t n = norms.size();
        double sum = 0.0, squares = 0.0, trace = 0.0, trace_of_square = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            const double value = chain_eigenvalue(chain, static_cast<Index>(k));
            sum += value, squares += value * value;
            trace += 0.5 * norms[k], trace_of_square += 0.25 * norms[k] * norms[k];
            const double link = chain.links[k];  // to the one before, which is the last for k = 0
            trace_of_square += 2.0 * link * link / (chain.volumes[k] * chain.volumes[(k + n - 1) % n]);
        }
        if (n == 2 && chain.ring)  // both links join the same two
            trace_of_square += 4.0 * chain.links[0] * chain.links[1] / (chain.volumes[0] * chain.volumes[1]);
        EXPECT_NEAR(sum, trace, 1e-8 * trace) << what;
        EXPECT_NEAR(squares, trace_of_square, 1e-8 * trace_of_square) << what;
    });
}

TEST(MeanWeights, AreVolumesOnAnAxisThatIsEliminated) {
    const Walls walls{Boundary::dirichlet, Boundary::neumann, "DN"};
    const Axis nodes = uneven_axis(Centering::node, walls, Spread::random, 5);
    const std::vector<double> weights = mean_weights(nodes);
    const std::vector<double> h = steps_of(nodes);
    EXPECT_EQ(weights, (std::vector<double>{0.0, 0.5 * h[0] + 0.5 * h[1], 0.5 * h[1] + 0.5 * h[2],
                                            0.5 * h[2] + 0.5 * h[3], 0.5 * h[3]}));
    const Axis cells = uneven_axis(Centering::cell, walls, Spread::random, 5);
    EXPECT_EQ(mean_weights(cells), steps_of(cells));
}

}  // namespace
}  // namespace poisson3d
