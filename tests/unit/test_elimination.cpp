// Lines eliminated, against a direct solve of the same equations with 33 digits that forms the diagonal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "chain_tables.hpp"
#include "constant_line.hpp"
#include "elimination.hpp"
#include "separator_lines.hpp"

namespace poisson3d::lines {

namespace {

__extension__ typedef __float128 Quad;

/// A random axis: steps within `ratio` of each other, tied to ground at its ends or not, or a ring.
Chain random_chain(int n, double ratio, bool below, bool above, bool ring, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exponent(-1.0, 0.0);
    Chain chain;
    chain.ring = ring;
    for (int j = 0; j < n; ++j) chain.volumes.push_back(std::pow(ratio, exponent(random)) / n);
    const auto link = [&](int a, int b) { return 2.0 / (chain.volumes[a] + chain.volumes[b]); };
    const double closing = ring && n > 1 ? link(n - 1, 0) : 0.0;
    chain.links.push_back(closing);
    for (int j = 1; j < n; ++j) chain.links.push_back(link(j - 1, j));
    chain.links.push_back(closing);
    chain.ground = {below ? 2.0 / chain.volumes.front() : 0.0, above ? 2.0 / chain.volumes.back() : 0.0};
    return chain;
}

/// Gaussian elimination from the first to the last node; of a ring each node is coupled to the last one, too.
template <class T>
std::vector<Quad> solve_directly(const ChainView<T>& chain, T kappa, const std::vector<T>& b) {
    const int n = chain.nodes;
    std::vector<Quad> diagonal(n), to_last(n, 0), right(n);
    for (int j = 0; j < n; ++j) {
        diagonal[j] = Quad(chain.volumes[j]) * kappa + chain.links[j] + chain.links[j + 1];
        if (j == 0) diagonal[j] += chain.ground[0];
        if (j == n - 1) diagonal[j] += chain.ground[1];
        right[j] = b[j];
    }
    if (n > 1) to_last[0] += chain.links[0];
    if (n > 1) to_last[n - 2] += chain.links[n - 1];
    if (n == 1) diagonal[0] -= Quad(chain.links[0]) + chain.links[1];
    for (int j = 0; j + 2 < n; ++j) {
        const Quad g = chain.links[j + 1];
        diagonal[j + 1] -= g * g / diagonal[j];
        to_last[j + 1] += g * to_last[j] / diagonal[j];
        right[j + 1] += g * right[j] / diagonal[j];
        diagonal[n - 1] -= to_last[j] * to_last[j] / diagonal[j];
        right[n - 1] += to_last[j] * right[j] / diagonal[j];
    }
    if (n > 1) {
        diagonal[n - 1] -= to_last[n - 2] * to_last[n - 2] / diagonal[n - 2];
        right[n - 1] += to_last[n - 2] * right[n - 2] / diagonal[n - 2];
    }
    std::vector<Quad> u(n);
    u[n - 1] = right[n - 1] / diagonal[n - 1];
    for (int j = n - 2; j >= 0; --j)
        u[j] = (right[j] + to_last[j] * u[n - 1] + (j < n - 2 ? chain.links[j + 1] * u[j + 1] : Quad(0))) /
               diagonal[j];
    return u;
}

template <class T>
std::vector<T> random_line(int n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    std::vector<T> line(n);
    for (T& each : line) each = static_cast<T>(value(random));
    return line;
}

/// ‖a − b‖/‖size‖ in eps of T.
template <class T>
double difference(const std::vector<T>& a, const std::vector<Quad>& b, const std::vector<Quad>& sizes) {
    Quad error = 0, size = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        error += (a[j] - b[j]) * (a[j] - b[j]);
        size += sizes[j] * sizes[j];
    }
    return std::sqrt(static_cast<double>(error / size)) / static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class T>
std::vector<T> eliminate(const ChainView<T>& chain, T kappa, std::vector<T> b) {
    std::vector<T> work(elimination_work(chain.nodes) + 1, std::numeric_limits<T>::quiet_NaN());
    work.back() = T(42);
    eliminate_line(NodesOfChain<T, T>{chain, kappa, b.data()}, chain.nodes, b.data(), work.data());
    EXPECT_EQ(work.back(), T(42)) << "beyond the work area";
    return b;
}

/// The same by parts of any number of nodes: each is reduced to its last node, which are a chain or ring again.
template <class T>
std::vector<T> eliminate_by_parts(const ChainView<T>& chain, T kappa, std::vector<T> b,
                                  const std::vector<int>& parts) {
    const int count = static_cast<int>(parts.size());
    std::vector<ChainView<T>> views;
    std::vector<T> ties(count), excesses(count), currents(count);
    std::vector<std::vector<T>> work;
    int first = 0;
    for (const int nodes : parts) {
        views.push_back(chain.part(first, nodes));
        work.emplace_back(elimination_work(nodes), std::numeric_limits<T>::quiet_NaN());
        first += nodes;
    }
    first = 0;
    for (int p = 0; p < count; ++p) {
        const LineEnds<T> ends = reduce_line(NodesOfChain<T, T>{views[p], kappa, b.data() + first}, parts[p],
                                             b.data() + first, work[p].data());
        const int before = (p + count - 1) % count;
        ties[p] = ends.tie;
        excesses[p] += ends.excess, currents[p] += ends.current;
        excesses[before] += ends.left_excess, currents[before] += ends.left_current;
        first += parts[p];
    }
    std::vector<T> u(count), chain_work(elimination_work(count));
    eliminate_line(NodesThatStay<T>{ties.data(), excesses.data(), currents.data()}, count, u.data(),
                   chain_work.data());
    first = 0;
    for (int p = 0; p < count; ++p) {
        substitute_line(parts[p], u[(p + count - 1) % count], u[p], b.data() + first, work[p].data());
        first += parts[p];
    }
    return b;
}

const std::vector<int> lengths = [] {
    std::vector<int> all{47, 255, 256, 257, 272, 273, 512, 1023, 4096, 4113};
    for (int n = 1; n <= 2 * run_nodes + 1; ++n) all.push_back(n);
    return all;
}();

template <class T>
class Elimination : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Elimination, Types);

template <class T>
double difference(const std::vector<T>& a, const std::vector<Quad>& b) {
    return difference(a, b, b);
}

/// Of every mode, whatever κ: within what transforms of the length are held to, beside A⁻¹|b|. (Where currents of
/// both signs cancel, u depends on their last digits.) `solve` is one way to eliminate n nodes.
template <class T, class Solve>
void expect_right_lines(int n, const std::string& how, const Solve& solve) {
    for (const double ratio : {1.0, 1000.0})
        for (const int ends : {0, 1, 2, 3, 4})
            for (const double kappa : {1e-6, 0.3, 40.0, 1e4, 4.0 * n * n}) {
                const ChainTables<T> tables(
                    random_chain(n, ratio, ends == 1 || ends == 3, ends == 2 || ends == 3, ends == 4, n));
                const auto b = random_line<T>(n, 7 * n + ends);
                const T k = static_cast<T>(kappa);
                auto sizes = b;
                for (T& each : sizes) each = std::abs(each);
                EXPECT_LE(difference(solve(tables.on_host(), k, b), solve_directly(tables.on_host(), k, b),
                                     solve_directly(tables.on_host(), k, sizes)),
                          std::max(4.0, 2.0 * std::log2(2.0 * n)))
                    << n << " nodes" << how << ", ratio " << ratio << ", ends " << ends << ", kappa " << kappa;
            }
}

TYPED_TEST(Elimination, OfChainsAndRings) {
    using T = TypeParam;
    for (const int n : lengths) expect_right_lines<T>(n, "", eliminate<T>);
}

/// As threads of a device do it with the separators of many parts, whose numbers lie apart.
TYPED_TEST(Elimination, InTwoLevels) {
    using T = TypeParam;
    const auto solve = [](const ChainView<T>& chain, T kappa, const std::vector<T>& b) {
        constexpr Index stride = 3;
        const auto n = static_cast<std::size_t>(chain.nodes);
        std::vector<T> u(n * stride), work(static_cast<std::size_t>(two_level_rows(chain.nodes)) * stride), out;
        eliminate_two_levels<T>(NodesOfChain<T, T>{chain, kappa, b.data()}, chain.nodes,
                                StridedRow<T>{u.data() + 1, stride}, StridedRow<T>{work.data() + 1, stride});
        for (std::size_t j = 0; j < n; ++j) out.push_back(u[j * stride + 1]);
        return out;
    };
    for (const int n : lengths)
        if (n <= 1023) expect_right_lines<T>(n, " in two levels", solve);
}

/// Parts of one node, of a few, uneven ones, and as many as 64.
TYPED_TEST(Elimination, ByParts) {
    using T = TypeParam;
    const std::vector<std::vector<int>> all{{1},
                                            {5},
                                            {1, 1},
                                            {3, 4},
                                            {1, 16, 1},
                                            {17, 1, 40},
                                            {64, 64, 64},
                                            {100, 1, 3},
                                            {16, 17, 15, 33},
                                            {512, 511},
                                            std::vector(64, 1),
                                            std::vector(64, 7),
                                            std::vector(8, 128)};
    for (const std::vector<int>& parts : all)
        expect_right_lines<T>(std::accumulate(parts.begin(), parts.end(), 0),
                              " in " + std::to_string(parts.size()) + " parts",
                              [&](const ChainView<T>& chain, T kappa, const std::vector<T>& b) {
                                  return eliminate_by_parts(chain, kappa, b, parts);
                              });
}

/// Currents of one sign: every u right to its own digits, over hundreds of orders of decay.
TYPED_TEST(Elimination, IsRightEntryByEntry) {
    using T = TypeParam;
    const int n = 64;
    const ChainTables<T> tables(random_chain(n, 10.0, true, false, false, 3));
    std::vector<T> b(n, T(0));
    b[5] = T(1);
    const T kappa = sizeof(T) == 8 ? T(1e9) : T(1e4);
    const auto u = eliminate(tables.on_host(), kappa, b);
    const auto expected = solve_directly(tables.on_host(), kappa, b);
    for (int j = 0; j < n; ++j) {
        EXPECT_GE(u[j], T(0));
        if (static_cast<double>(expected[j]) < std::numeric_limits<T>::min() * 1e6) continue;
        EXPECT_LE(std::abs(static_cast<double>(u[j] / expected[j] - 1)),
                  0.3 * n * std::numeric_limits<T>::epsilon())
            << j;
    }
    EXPECT_LT(u[n - 1], u[5] * T(1e-8));
}

TYPED_TEST(Elimination, CurrentsOfTheResult) {
    using T = TypeParam;
    for (const int n : {1, 2, 3, 16, 17, 300})
        for (const bool ring : {false, true}) {
            const ChainTables<T> tables(random_chain(n, 5.0, !ring, false, ring, n));
            const auto b = random_line<T>(n, n);
            const auto u = eliminate(tables.on_host(), T(30.0 * n), b);
            T largest = 0;
            for (const T each : u) largest = std::max(largest, std::abs(each));
            T worst = 0;
            for_each_current(tables.on_host(), T(30.0 * n), u.data(), u.back(), u.front(), [&](int j, T current) {
                const T row = 2 * (tables.links[j] + tables.links[j + 1]) + tables.on_host().excess(T(30.0 * n), j);
                worst = std::max(worst, std::abs(current - b[j]) / (row * largest + std::abs(b[j])));
            });
            EXPECT_LE(worst, T(4) * std::numeric_limits<T>::epsilon()) << n << ring;
        }
}

/// κ = 0, with ground: against the same direct solve.
TYPED_TEST(Elimination, OfTheConstantLine) {
    using T = TypeParam;
    for (const int n : {1, 2, 3, 17, 512, 1024})
        for (const double ratio : {1.0, 1000.0})
            for (const int ends : {1, 2, 3}) {
                const ChainTables<T> tables(random_chain(n, ratio, ends != 2, ends != 1, false, n));
                const auto f = random_line<T>(n, n);
                std::vector<Quad> b(n);
                auto u = f;
                EXPECT_EQ(solve_whole(make_constant_line(tables, false), u.data()), T(0));
                // The right-hand side with all its digits: −D f.
                ChainTables<double> wide(random_chain(n, ratio, ends != 2, ends != 1, false, n));
                std::vector<double> currents(n);
                for (int j = 0; j < n; ++j) {
                    wide.volumes[j] = tables.volumes[j];
                    wide.links[j] = tables.links[j];
                    currents[j] = static_cast<double>(-Quad(tables.volumes[j]) * f[j]);
                }
                wide.view.ground[0] = tables.view.ground[0];
                wide.view.ground[1] = tables.view.ground[1];
                // Products of doubles are rounded: what that costs in the constant line is at most N eps.
                EXPECT_LE(difference(u, solve_directly(wide.on_host(), 0.0, currents)),
                          sizeof(T) == 4 ? 2.0 : 2.0 + 0.5 * n)
                    << n << " nodes, ratio " << ratio << ", ends " << ends;
            }
}

/// Without ground: the mean of f goes, that of u is 0, and the differences are those of the equations.
TYPED_TEST(Elimination, OfTheSingularLine) {
    using T = TypeParam;
    const double eps = std::numeric_limits<T>::epsilon();
    for (const int n : {1, 2, 3, 17, 512, 1024})
        for (const double ratio : {1.0, 1000.0})
            for (const bool ring : {false, true}) {
                const ChainTables<T> tables(random_chain(n, ratio, false, false, ring, n));
                auto f = random_line<T>(n, n);
                for (T& each : f) each += T(0.5);
                Quad volume = 0, mean = 0;
                for (int j = 0; j < n; ++j) volume += tables.volumes[j], mean += Quad(tables.volumes[j]) * f[j];
                mean /= volume;
                auto u = f;
                const T removed = solve_whole(make_constant_line(tables, true), u.data());
                EXPECT_LE(std::abs(static_cast<double>((removed - mean) / mean)), eps);
                // Fix the last node and solve for the rest with 33 digits: potentials up to a constant.
                std::vector<Quad> sums(n + 1, 0), expected(n, 0);
                for (int j = 0; j < n; ++j) sums[j + 1] = sums[j] - Quad(tables.volumes[j]) * (f[j] - mean);
                Quad first = 0, resistance = 0;
                for (int j = 0; ring && n > 1 && j < n; ++j) {
                    first -= sums[j] / tables.links[j];
                    resistance += 1 / Quad(tables.links[j]);
                }
                if (ring && n > 1) first /= resistance;
                Quad mean_of_u = 0;
                for (int j = 0; j < n; ++j) {
                    if (j > 0) expected[j] = expected[j - 1] - (first + sums[j]) / tables.links[j];
                    mean_of_u += Quad(tables.volumes[j]) * expected[j];
                }
                for (Quad& each : expected) each -= mean_of_u / volume;
                if (n == 1) expected[0] = 1, u[0] += T(1);
                EXPECT_LE(difference(u, expected), 2.0) << n << " nodes, ratio " << ratio << ring;
            }
}

}  // namespace

}  // namespace poisson3d::lines
