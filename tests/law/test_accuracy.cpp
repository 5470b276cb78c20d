// The tables of docs/accuracy.md at their smaller sizes, by the same code: order 2, spectral accuracy, rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "accuracy.hpp"
#include "engine_under_test.hpp"
#include "separable.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

class Accuracy : public testing::TestWithParam<Kinds> {
protected:
    static Manufactured known(Index n, Discretization discretization, Extension extension = Extension::smooth) {
        return {GetParam(), {n, n, n}, usual_steepness(GetParam()), discretization, 0.0, extension};
    }

    static void expect_order_two(const Norms& coarse, const Norms& fine) {
        EXPECT_NEAR(std::log2(coarse.maximum / fine.maximum), 2.0, 0.1)
            << "max norm " << coarse.maximum << " to " << fine.maximum;
        EXPECT_NEAR(std::log2(coarse.l2 / fine.l2), 2.0, 0.1) << "L2 norm " << coarse.l2 << " to " << fine.l2;
    }
};

TEST_P(Accuracy, StencilHasOrderTwoInBothNorms) {
    expect_order_two(total_error<double>(known(32, Discretization::second_order), test_options()),
                     total_error<double>(known(64, Discretization::second_order), test_options()));
}

/// In float the same discretization error, as long as rounding is far below it.
TEST_P(Accuracy, StencilErrsAsMuchInFloat) {
    const Norms in_double = total_error<double>(known(32, Discretization::second_order), test_options());
    const Norms in_float = total_error<float>(known(32, Discretization::second_order), test_options());
    EXPECT_NEAR(in_float.maximum / in_double.maximum, 1.0, 1e-3);
    EXPECT_NEAR(in_float.l2 / in_double.l2, 1.0, 1e-3);
}

TEST_P(Accuracy, SpectralIsRoundingAtThirtyTwoPoints) {
    const double levels = tolerance::levels(Index{32});
    // Not at 8: the test must be able to see an error of discretization.
    EXPECT_GT(total_error<double>(known(8, Discretization::spectral), test_options()).maximum, 1e-7);
    EXPECT_LE(total_error<double>(known(32, Discretization::spectral), test_options()).maximum,
              100 * tolerance::eps<double> * levels);
    EXPECT_LE(total_error<float>(known(32, Discretization::spectral), test_options()).maximum,
              100 * tolerance::eps<float> * levels);
}

TEST_P(Accuracy, RoundingIsWithinTheTolerance) {
    Worst<double> worst("rounding");
    Worst<float> worst_float("rounding");
    for (const Discretization discretization : discretizations)
        for (const Index n : {8, 16, 32}) {
            const Problem problem = known(n, discretization).problem();
            const Extents points = problem.grid.points();
            const Field<Real> reference =
                separable_solve(problem, read(random_field<double>(points, rounding_seed)));
            worst.check(rounding_error<double>(problem, read(reference), test_options()),
                        tolerance::solve<double>(points), describe(problem));
            worst_float.check(rounding_error<float>(problem, read(reference), test_options()),
                              tolerance::solve<float>(points), describe(problem));
        }
}

std::string case_name(const testing::TestParamInfo<Kinds>& info) {
    std::string text = kind_names(info.param);
    std::erase(text, ' ');
    return text;
}

INSTANTIATE_TEST_SUITE_P(All, Accuracy, testing::ValuesIn(accuracy_cases()), case_name);

/// The limit of spectral: an extension that is not smooth leaves order 2, whatever the solution is like inside.
class RoughExtensions : public Accuracy {};

TEST_P(RoughExtensions, LeaveSpectralWithOrderTwo) {
    const Norms coarse = total_error<double>(known(32, Discretization::spectral, Extension::rough), test_options());
    const Norms fine = total_error<double>(known(64, Discretization::spectral, Extension::rough), test_options());
    expect_order_two(coarse, fine);
}

INSTANTIATE_TEST_SUITE_P(All, RoughExtensions,
                         testing::Values(Kinds{cell_dd, cell_dd, cell_dd}, Kinds{node_dd, node_dd, node_dd},
                                         Kinds{cell_nn, cell_nn, cell_nn}, Kinds{node_nn, node_nn, node_nn}),
                         case_name);

/// What makes float worth using on fine grids: its error grows with log n, not with the condition n² of the matrix.
/// The slope by differences is of order 2, too, but there float loses as 1/h.
class LongBoxes : public testing::TestWithParam<int> {
protected:
    static Manufactured known(Index n) {
        return {{GetParam(), cell_p, cell_p},
                {n, 4, 4},
                {usual_steepness(GetParam()), 0, 0},
                Discretization::second_order};
    }
};

TEST_P(LongBoxes, FloatLosesFewUnitsAtAnyLength) {
    for (const Index n : {64, 1024, 16384}) {
        const Manufactured box = known(n);
        const Extents points = box.problem().grid.points();
        const FloatLimit limit = float_limit(box, test_options());
        EXPECT_LE(limit.rounding, tolerance::solve<float>(points)) << n;
        EXPECT_LE(limit.slope_rounding, tolerance::solve<float>(points) * static_cast<double>(n)) << n;
    }
}

TEST_P(LongBoxes, SlopesHaveOrderTwo) {
    const double coarse = float_limit(known(128), test_options()).slope_discretization;
    const double fine = float_limit(known(256), test_options()).slope_discretization;
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << coarse << " to " << fine;
}

INSTANTIATE_TEST_SUITE_P(All, LongBoxes, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

}  // namespace
}  // namespace poisson3d
