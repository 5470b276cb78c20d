// Axes whose positions or widths are uniform to rounding are solved as axes of that spacing.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "poisson3d/error.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

class RoundedSteps : public testing::TestWithParam<int> {};

/// Positions and widths that are uniform to rounding: the same bits as their step as spacing gives, so they are
/// transformed, whatever the discretization.
TEST_P(RoundedSteps, AreTransformed) {
    const int axis = GetParam();
    for (int number = 0; number < 10; ++number)
        for (const Discretization discretization : {Discretization::second_order, Discretization::spectral})
            for (const bool widths : {false, true}) {
                const Problem plain =
                    make_problem({number, (number + 3) % 10, (number + 6) % 10}, {33, 24, 30}, discretization);
                Problem problem = plain, even = plain;
                Axis& given = problem.grid.axes[axis];
                const Index steps = step_count(given);
                std::vector<double> x(static_cast<std::size_t>(steps) + 1);
                for (Index j = 0; j <= steps; ++j)
                    x[j] = static_cast<double>(j) * (0.7 / static_cast<double>(steps));
                x.back() = 0.7;
                if (widths)
                    for (Index j = 0; j < steps; ++j) given.widths.push_back(x[j + 1] - x[j]);
                else
                    given.positions = x;
                even.grid.axes[axis].spacing = given.step();
                const Extents points = plain.grid.points();
                const Field<double> f = random_field<double>(points, 4);
                Field<double> u = filled_field<double>(points), expected = filled_field<double>(points);
                TestSolver<double> solver(problem), wanted(even);
                solver.solve(read(f), u.view());
                wanted.solve(read(f), expected.view());
                EXPECT_EQ(solver.result().singular, wanted.result().singular) << describe(problem);
                EXPECT_EQ(solver.result().mean_removed, wanted.result().mean_removed) << describe(problem);
                for (Index i = 0; i < u.size(); ++i)
                    ASSERT_EQ(u.data()[i], expected.data()[i]) << describe(problem) << " " << i;
                if (discretization == Discretization::second_order) continue;
                (widths ? given.widths[0] : given.positions[1]) *= 1.0 + 1e-12;  // more than rounding
                expect_error(ErrorCode::unsupported, {"has positions", "spectral"}, [&] { validate(problem); });
            }
}

INSTANTIATE_TEST_SUITE_P(Axes, RoundedSteps, testing::Values(0, 1, 2),
                         [](const auto& axis) { return std::string(1, "XYZ"[axis.param]); });

}  // namespace
}  // namespace poisson3d
