// Modes of uniform axes as matrices: forward and back is the identity, every mode has its eigenvalue, and is even
// or odd where it should be. Both against the rules of the tests, in long double. Of other axes: the same by any
// number of threads.
#include "line_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axis_kind.hpp"
#include "axis_rules.hpp"
#include "chain_modes.hpp"
#include "problems.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

using namespace test;

template <class Body>
void for_each_uniform_axis(const Body& body) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 4, 5, 16, 17, 40, 61}) {
            const Axis axis = make_axis(kind, points, 0.3);
            if (points < fewest_points(axis)) continue;
            SCOPED_TRACE(std::string(kinds[kind].name) + " " + std::to_string(points));
            body(axis, make_line_modes(axis), axis_kind(axis).unknowns);
        }
}

TEST(LineModes, GoThereAndBack) {
    for_each_uniform_axis([](const Axis&, const LineModes& modes, Index n) {
        double error = 0;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
                Real sum = i == j ? -1 : 0;
                for (Index k = 0; k < n; ++k) sum += Real(modes.backward[i * n + k]) * modes.forward[k * n + j];
                error = std::max(error, static_cast<double>(std::abs(sum)));
            }
        EXPECT_LE(error, 4 * tolerance::eps<double>);
    });
}

/// Column k of `backward` is mode k: the matrix of d²/dx² multiplies it with its eigenvalue.
TEST(LineModes, AreEigenfunctions) {
    for_each_uniform_axis([](const Axis& axis, const LineModes& modes, Index n) {
        const Matrix matrix = stencil_matrix(axis);
        const Real largest = 4 / (Real(axis.spacing) * axis.spacing);
        for (Index k = 0; k < n; ++k)
            for (Index i = 0; i < n; ++i) {
                Real sum = -Real(modes.eigenvalues[k]) * modes.backward[i * n + k];
                for (Index j = 0; j < n; ++j) sum += matrix[i][j] * modes.backward[j * n + k];
                EXPECT_LE(std::abs(sum), 8 * tolerance::eps<double> * largest) << "mode " << k;
            }
    });
}

TEST(LineModes, AreEvenAndThenOdd) {
    for_each_uniform_axis([](const Axis& axis, const LineModes& modes, Index n) {
        if (!has_even_modes(axis)) return;
        for (Index k = 0; k < n; ++k) {
            const double sign = k < even_modes(axis) ? 1 : -1;
            for (Index j = 0; j < n; ++j) {
                const Index partner = axis.periodic() ? (n - j) % n : n - 1 - j;
                EXPECT_NEAR(modes.backward[j * n + k], sign * modes.backward[partner * n + k],
                            2 * tolerance::eps<double>)
                    << "mode " << k;
            }
        }
    });
}

TEST(LineModes, HaveTheMeanFirst) {
    for_each_uniform_axis([](const Axis& axis, const LineModes& modes, Index n) {
        if (!axis_kind(axis).constant_mode) return;
        EXPECT_EQ(modes.eigenvalues[0], 0.0);
        Real sum = 0;
        for (Index j = 0; j < n; ++j) {
            sum += modes.forward[j];
            EXPECT_EQ(modes.backward[j * n], 1.0);
        }
        EXPECT_NEAR(static_cast<double>(sum), 1.0, tolerance::eps<double>);
    });
}

TEST(LineModes, AreTheSameByAnyNumberOfThreads) {
    for (const Index points : {1, 31, 33, 100, 131})
        for (const std::size_t walls : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
            const Axis axis = stretched_axis(Centering::cell, all_walls()[walls], points, 5.0, 7);
            if (points < fewest_points(axis)) continue;
            const LineModes alone = make_line_modes(axis);
            for (const int threads : {1, 2, 3, 4}) {
                ThreadTeam team(threads);
                const LineModes together = make_line_modes(axis, &team);
                EXPECT_EQ(together.eigenvalues, alone.eigenvalues)
                    << points << " points, " << threads << " threads";
                EXPECT_EQ(together.forward, alone.forward);
                EXPECT_EQ(together.backward, alone.backward);
            }
        }
}

}  // namespace
}  // namespace poisson3d::lines
