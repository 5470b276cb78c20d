// Solutions that are no eigenfunctions: the stencil converges with order 2, the spectral eigenvalues faster than
// any power, because the functions here have smooth periodic, odd or even extensions.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "accuracy.hpp"
#include "engine_under_test.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// max|u − exact| / max|exact| after solving for the exact solution's right-hand side; constants do not count.
double error(const Kinds& which, Index steps, Discretization discretization, Real steepness) {
    const auto box = [&](double helmholtz) {
        return Manufactured(which, {steps, steps, steps}, {steepness, steepness, steepness}, discretization,
                            helmholtz);
    };
    const bool alone = singular(box(0.0).problem());
    return total_error<double>(box(alone ? 0.0 : 2.5), test_options()).maximum;
}

class Convergence : public testing::TestWithParam<int> {
protected:
    /// The kind on axis a, beside it two others; with the kinds without a Dirichlet face once alone, singular.
    static std::vector<Kinds> cases() {
        std::vector<Kinds> result;
        for (int a = 0; a < 3; ++a) {
            Kinds which{cell_dd, node_dn, cell_nd};
            which[a] = GetParam();
            result.push_back(which);
            which = {cell_p, node_nn, cell_nn};
            which[a] = GetParam();
            result.push_back(which);
        }
        return result;
    }
};

TEST_P(Convergence, StencilHasOrderTwo) {
    for (const Kinds& which : cases()) {
        const double coarse = error(which, 24, Discretization::second_order, 0.6);
        const double fine = error(which, 48, Discretization::second_order, 0.6);
        EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1)
            << which[0] << which[1] << which[2] << ": " << coarse << " to " << fine;
    }
}

TEST_P(Convergence, SpectralIsFasterThanAnyPower) {
    for (const Kinds& which : cases()) {
        std::array<double, 4> errors{};
        for (int level = 0; level < 4; ++level)
            errors[level] = error(which, 4 << level, Discretization::spectral, 2.0);
        const double first = std::log2(errors[0] / errors[1]);
        const double second = std::log2(errors[1] / errors[2]);
        const std::string text = std::to_string(which[0]) + std::to_string(which[1]) + std::to_string(which[2]) +
                                 ": orders " + std::to_string(first) + ", " + std::to_string(second);
        EXPECT_GT(second, first + 4.0) << text;  // the order itself grows
        EXPECT_GT(second, 12.0) << text;
        EXPECT_LT(errors[3], 1e-13) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Convergence, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

}  // namespace
}  // namespace poisson3d
