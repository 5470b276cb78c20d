// ResidualMeter and its companions: planted errors are found at their exact size, and nothing else is.
#include <gtest/gtest.h>

#include <limits>

#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Extents points{6, 5, 7};

/// A problem, a random u (with garbage at Dirichlet nodes) and f = scale⁻¹ (L u + mean): a perfect solution.
template <class T>
struct Perfect {
    Perfect(int number, double scale_, double mean_, const Extents& points_ = points)
        : problem(make_problem(combination(number), points_, Discretization::second_order, 0.4)),
          u(random_field<T>(points_, number)),
          f(filled_field<double>(points_, std::numeric_limits<double>::quiet_NaN())),
          scale(scale_),
          mean(mean_),
          garbage(points_) {
        for (Index i = 0; i < u.size(); ++i) garbage.data()[i] = std::numeric_limits<T>::quiet_NaN();
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            garbage.view()(i, j, k) = u.view()(i, j, k);
            const double applied = plain_operator(problem, read(u), i, j, k);
            f.view()(i, j, k) = (applied + mean) / scale;
            largest_rhs = std::max(largest_rhs, std::abs(applied + mean));
            largest_u = std::max(largest_u, std::abs(static_cast<double>(u.view()(i, j, k))));
        });
        for (const Axis& axis : problem.grid.axes) norm += 4.0 / (axis.spacing * axis.spacing);
    }

    [[nodiscard]] Residual measure() const {
        ResidualMeter<T> meter(problem, garbage.view(), scale, mean);
        meter.add(0, read(f));
        return meter.result();
    }
    /// The unknown in the middle and the two at the far ends.
    [[nodiscard]] std::vector<std::array<Index, 3>> places() const {
        std::array<Index, 3> low{}, high{};
        for (int a = 0; a < 3; ++a) {
            const Unknowns range = unknowns(problem.grid.axes[a]);
            low[a] = range.first;
            high[a] = range.first + range.count - 1;
        }
        return {low, {3, 2, 3}, high};
    }

    Problem problem;
    Field<T> u;
    Field<double> f;
    double scale, mean;
    double norm = 0.4, largest_rhs = 0.0, largest_u = 0.0;
    Field<T> garbage;  ///< u with NaN at Dirichlet nodes
};

/// Extents at which every neighbour of an unknown may be a ghost, and larger ones.
std::array<Extents, 2> small_and_large(int number) {
    return {points, smallest_points(combination(number))};
}

TEST(ResidualMeter, FindsNothingInAPerfectSolution) {
    for (int n = 0; n < 2 * combinations; n += 7) {
        const int number = n / 2;
        const Perfect<double> perfect(number, -3.0, 0.25, small_and_large(number)[n % 2]);
        const Residual residual = perfect.measure();
        EXPECT_LE(residual.max, 16 * tolerance::eps<double> * perfect.norm) << describe(perfect.problem);
        EXPECT_LE(residual.backward, 4 * tolerance::eps<double>);
        EXPECT_DOUBLE_EQ(residual.max_rhs, perfect.largest_rhs);
        EXPECT_EQ(residual.max_solution, perfect.largest_u);
    }
}

TEST(ResidualMeter, FindsAnErrorPlantedInTheRightHandSide) {
    const double planted = 1e-3;
    for (int number = 0; number < combinations; number += 31) {
        Perfect<double> perfect(number, 2.0, -0.5);
        for (const auto& [i, j, k] : perfect.places()) {
            const double before = perfect.f.view()(i, j, k);
            perfect.f.view()(i, j, k) += planted / perfect.scale;
            const Residual residual = perfect.measure();
            EXPECT_NEAR(residual.max, planted, 1e-12) << describe(perfect.problem);
            const double count = static_cast<double>(unknown_count(perfect.problem.grid));
            EXPECT_NEAR(residual.l2, planted / std::sqrt(count), 1e-12) << describe(perfect.problem);
            EXPECT_NEAR(residual.relative, planted / residual.max_rhs, 1e-12);
            EXPECT_NEAR(residual.max_rhs, perfect.largest_rhs, planted * 1.001);
            EXPECT_NEAR(residual.backward, planted / (perfect.norm * perfect.largest_u + residual.max_rhs), 1e-12);
            perfect.f.view()(i, j, k) = before;
        }
    }
}

TEST(ResidualMeter, FindsAnErrorPlantedInTheSolution) {
    for (int number = 0; number < combinations; number += 31) {
        Perfect<float> perfect(number, 1.0, 0.0);
        for (const auto& [i, j, k] : perfect.places()) {
            const float before = perfect.garbage.view()(i, j, k);
            perfect.garbage.view()(i, j, k) = before + 0.0625F;
            double expected = 0.0;
            for_each_unknown(perfect.problem.grid, [&](Index a, Index b, Index c) {
                const double applied = plain_operator(perfect.problem, read(perfect.garbage), a, b, c);
                expected = std::max(expected, std::abs(perfect.f.view()(a, b, c) - applied));
            });
            EXPECT_GT(expected, 0.1);
            EXPECT_NEAR(perfect.measure().max, expected, 1e-12) << describe(perfect.problem);
            perfect.garbage.view()(i, j, k) = before;
        }
    }
}

TEST(ResidualMeter, TakesSlabsInAnyOrder) {
    Perfect<double> perfect(271, 1.0, 0.125);
    perfect.f.view()(2, 2, 2) += 0.5;
    ResidualMeter<double> meter(perfect.problem, perfect.garbage.view(), 1.0, 0.125);
    for (const auto& [first, count] : {std::pair<Index, Index>{5, 1}, {1, 3}, {0, 1}, {4, 1}})
        meter.add(first, read(perfect.f).slab(first, count));
    const Residual whole = perfect.measure();
    const Residual slabs = meter.result();
    EXPECT_EQ(slabs.max, whole.max);
    EXPECT_NEAR(slabs.l2, whole.l2, 1e-15);
    EXPECT_EQ(slabs.backward, whole.backward);
    EXPECT_EQ(slabs.max_solution, whole.max_solution);
}

TEST(ResidualMeter, AnythingNotFiniteDoesNotPassAsSmall) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const bool in_solution : {true, false}) {
            Perfect<double> perfect(423, 1.0, 0.0);
            for (const auto& [i, j, k] : perfect.places()) {
                double& value = (in_solution ? perfect.garbage : perfect.f).view()(i, j, k);
                const double before = std::exchange(value, bad);
                const Residual residual = perfect.measure();
                for (const double measured : {residual.max, residual.l2, residual.relative, residual.backward})
                    EXPECT_FALSE(measured < std::numeric_limits<double>::max())
                        << bad << (in_solution ? " in u" : " in f") << " at " << i << ", " << j << ", " << k;
                value = before;
            }
        }
}

TEST(ResidualMeter, AZeroProblemIsPerfectlySolvedByZeroOnly) {
    const Problem problem = make_problem({cell_dd, cell_dn, node_nn}, points);
    Field<double> u = filled_field<double>(points, 0.0);
    const Field<double> f = filled_field<double>(points, 0.0);
    const auto measure = [&] {
        ResidualMeter<double> meter(problem, u.view(), 1.0, 0.0);
        meter.add(0, read(f));
        return meter.result();
    };
    EXPECT_EQ(measure().relative, 0.0);
    EXPECT_EQ(measure().backward, 0.0);
    u.view()(3, 3, 3) = 1.0;
    EXPECT_EQ(measure().relative, std::numeric_limits<double>::infinity());
    EXPECT_GT(measure().backward, 0.1);
}

TEST(ApplyStencil, IsThePlainLoopAndZeroAtDirichletNodes) {
    for (int number = 0; number < combinations; number += 13)
        for (const Extents& extents : small_and_large(number)) {
            const Perfect<double> perfect(number, 1.0, 0.0, extents);
            Field<double> out = filled_field<double>(extents);
            apply_stencil(perfect.problem, read(perfect.garbage), out.view());
            Field<double> expected = filled_field<double>(extents, 0.0);
            for_each_unknown(perfect.problem.grid, [&](Index i, Index j, Index k) {
                expected.view()(i, j, k) = perfect.f.view()(i, j, k);
            });
            for (Index i = 0; i < out.size(); ++i)
                ASSERT_NEAR(out.data()[i], expected.data()[i], 8 * tolerance::eps<double> * perfect.norm)
                    << i << " of " << describe(perfect.problem);
        }
}

TEST(WeightedMean, IsTheWeightedSumOverUnknowns) {
    for (int number = 0; number < combinations; number += 13) {
        const Perfect<float> perfect(number, 1.0, 0.0);
        EXPECT_NEAR(weighted_mean(perfect.problem.grid, read(perfect.garbage)),
                    plain_mean(perfect.problem.grid, read(perfect.u)), 1e-14)
            << describe(perfect.problem);
    }
}

}  // namespace
}  // namespace poisson3d
