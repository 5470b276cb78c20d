// Eigenvalues by slot against formulas and matrices in long double, and the search for resonant modes against a
// look at every mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "axis_rules.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "spectrum.hpp"

namespace poisson3d {
namespace {

using namespace test;

TEST(Eigenvalues, AreTheFormulasRoundedOnce) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 4, 5, 8, 9, 64, 101})
            for (const Discretization discretization : discretizations) {
                const Axis axis = make_axis(kind, points, 0.7);
                if (points < fewest_points(axis)) continue;
                const std::vector<double> values = eigenvalues(axis, discretization);
                ASSERT_EQ(static_cast<Index>(values.size()), unknowns(axis).count);
                for (Index k = 0; k < unknowns(axis).count; ++k)
                    EXPECT_DOUBLE_EQ(values[k], static_cast<double>(mode_eigenvalue(axis, discretization, k)))
                        << kinds[kind].name << " " << points << ", slot " << k;
            }
}

TEST(Eigenvalues, OfThePeriodicKindsComeInHalfComplexPairs) {
    for (const int kind : {cell_p, node_p})
        for (const Index points : {1, 2, 7, 8})
            for (const Discretization discretization : discretizations) {
                const std::vector<double> values = eigenvalues(make_axis(kind, points, 0.3), discretization);
                EXPECT_EQ(values[0], 0.0);
                for (Index k = 1; k < points; ++k) EXPECT_EQ(values[k], values[points - k]);
                for (Index k = 1; 2 * k <= points; ++k) EXPECT_LT(values[k], values[k - 1]);
            }
}

TEST(Eigenvalues, OfConstantsAreExactlyZeroAndOthersNegative) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Discretization discretization : discretizations) {
            const Axis axis = make_axis(kind, 9, 1.1);
            const std::vector<double> values = eigenvalues(axis, discretization);
            const bool closed = axis.lower != Boundary::dirichlet && axis.upper != Boundary::dirichlet;
            EXPECT_EQ(values[0] == 0.0, closed) << kinds[kind].name;
            for (std::size_t k = 1; k < values.size(); ++k) EXPECT_LT(values[k], 0.0) << kinds[kind].name;
        }
}

// The stencil's matrix, written from the ghost rules, maps each sampled eigenfunction to its multiple.
TEST(Eigenvalues, BelongToTheStencilAndItsEigenfunctions) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 4, 5, 6, 7, 16, 33}) {
            const Axis axis = make_axis(kind, points, 0.45);
            if (points < fewest_points(axis)) continue;
            const Matrix matrix = stencil_matrix(axis);
            const Matrix modes = mode_matrix(axis);
            const std::vector<double> values = eigenvalues(axis, Discretization::second_order);
            for (Index k = 0; k < modes.size(); ++k)
                for (Index r = 0; r < modes.size(); ++r) {
                    Real applied = 0;
                    for (Index c = 0; c < modes.size(); ++c) applied += matrix[r][c] * modes[c][k];
                    EXPECT_NEAR(static_cast<double>(applied), values[k] * static_cast<double>(modes[r][k]), 1e-13)
                        << kinds[kind].name << " " << points << ", mode " << k;
                }
        }
}

/// As the search names a mode.
std::string mode_name(std::size_t i, std::size_t j, std::size_t k) {
    std::string text(1, '(');
    text += std::to_string(i) + ", " + std::to_string(j) + ", " + std::to_string(k);
    return text + ")";
}

/// body(mode, sum of its eigenvalues) for all modes, by three loops.
template <class Body>
void for_each_mode(const Problem& problem, Body body) {
    std::array<std::vector<double>, 3> values;
    for (int a = 0; a < 3; ++a) values[a] = eigenvalues(problem.grid.axes[a], problem.discretization);
    for (std::size_t i = 0; i < values[0].size(); ++i)
        for (std::size_t j = 0; j < values[1].size(); ++j)
            for (std::size_t k = 0; k < values[2].size(); ++k)
                body(mode_name(i, j, k), values[0][i] + values[1][j] + values[2][k]);
}

TEST(LargestEigenvalue, IsTheLargestOfAllModes) {
    for (int number = 0; number < combinations; number += 17)
        for (const double helmholtz : {0.0, 2.0, -5.0, -200.0}) {
            const Problem problem =
                make_problem(combination(number), {5, 4, 6}, discretizations[number % 2], helmholtz);
            double largest = 0.0;
            for_each_mode(problem, [&](const std::string&, double sum) {
                largest = std::max(largest, std::abs(sum - helmholtz));
            });
            EXPECT_DOUBLE_EQ(largest_eigenvalue(problem), largest) << describe(problem);
            // What the backward error divides by is not less than what the operator can do.
            EXPECT_GE(operator_norm(problem) * (1 + 1e-15), largest) << describe(problem);
        }
}

/// Compares the walk with the look at every mode; returns how many modes were met.
int compare_walk(const Problem& problem, double eps) {
    std::set<std::string> met;
    for_each_mode(problem, [&](const std::string& mode, double sum) {
        if (std::abs(sum - problem.helmholtz) <= 4.0 * eps * (std::abs(sum) + std::abs(problem.helmholtz)))
            met.insert(mode);
    });
    std::string text = resonant_modes(problem, eps);
    const std::string others = " and others";
    const bool more = text.ends_with(others);
    if (more) text.resize(text.size() - others.size());
    EXPECT_EQ(more, met.size() > 3) << text << " of " << met.size() << ": " << describe(problem);
    std::set<std::string> named;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find(')', begin) + 1;
        named.insert(text.substr(begin, end - begin));
        begin = end + 2;  // after ", "
    }
    EXPECT_EQ(named.size(), std::min<std::size_t>(met.size(), 3)) << text << ": " << describe(problem);
    for (const std::string& mode : named) EXPECT_TRUE(met.contains(mode)) << mode << ": " << describe(problem);
    return static_cast<int>(met.size());
}

TEST(ResonantModes, AreThoseThatALookAtEveryModeFinds) {
    std::mt19937 random(20);  // NOLINT: the same problems every time
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    int met = 0;
    int missed = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        Problem problem = make_problem(combination(pick(combinations)), {3 + pick(6), 3 + pick(6), 3 + pick(6)},
                                       discretizations[pick(2)]);
        const int spacing = pick(4);
        for (int a = 0; a < 3; ++a) {
            double& h = problem.grid.axes[a].spacing;
            if (spacing == 1) h = 1.0;                    // ties within and between axes
            if (spacing == 2 && a == trial % 3) h = 1e4;  // clusters: one axis hardly counts
            if (spacing == 3) h = std::exp2(static_cast<double>(pick(5)));
        }
        std::vector<double> sums;
        for_each_mode(problem, [&](const std::string&, double sum) { sums.push_back(sum); });
        // On a mode, a few roundings beside it, or anywhere; found with narrow and with wide tolerances.
        const double sum = sums[static_cast<std::size_t>(pick(static_cast<int>(sums.size())))];
        const double eps = std::array{2.2e-16, 1.2e-7, 1e-3, 2e-2}[static_cast<std::size_t>(pick(4))];
        problem.helmholtz = sum * (1.0 + eps * static_cast<double>(pick(25) - 12));
        if (pick(8) == 0) problem.helmholtz = -100.0 * uniform(random()) * uniform(random());
        if (problem.helmholtz < 0) (compare_walk(problem, eps) > 0 ? met : missed) += 1;
    }
    EXPECT_GT(met, 500);  // the test has both kinds
    EXPECT_GT(missed, 500);
}

TEST(ResonantModes, AreNotLookedForUnlessTheConstantIsNegative) {
    Problem problem = make_problem({cell_p, cell_nn, node_nn}, {4, 5, 6});
    EXPECT_EQ(resonant_modes(problem, 2.2e-16), "");
    problem.helmholtz = 3.0;
    EXPECT_EQ(resonant_modes(problem, 1.0), "");
}

}  // namespace
}  // namespace poisson3d
