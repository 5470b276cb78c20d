// The gradient where steps of an axis differ, through every way an engine has: exact where u is linear, and the
// same wherever the axis stands in the box.
#include <gtest/gtest.h>

#include <limits>

#include "test_gradient.hpp"
#include "uneven_axis.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class UnevenGradient : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(UnevenGradient, Precisions);

/// u = 2 + x − ¾ y + ½ z.
TYPED_TEST(UnevenGradient, IsExactWhereUIsLinear) {
    using T = TypeParam;
    constexpr std::array slopes{1.0, -0.75, 0.5};
    for (const int place : {0, 1, 2})
        for (const Centering centering : {Centering::cell, Centering::node})
            for (const Walls& walls : all_walls()) {
                if (walls.lower == Boundary::periodic) continue;
                const std::array<Index, 3> points{9, 11, 13};
                Problem problem;
                std::array<std::vector<double>, 3> x;
                for (int a = 0; a < 3; ++a) {
                    Axis& axis = problem.grid.axes[a];
                    axis = {points[a], 0.25, 0.0, centering, Boundary::dirichlet, Boundary::neumann};
                    if (a == place) axis = uneven_axis(centering, walls, Spread::random, points[a], 3.0);
                    x[a] = coordinates(axis);
                }
                const auto value = [&](Index i, Index j, Index k) {
                    return 2.0 + slopes[0] * x[0][i] + slopes[1] * x[1][j] + slopes[2] * x[2][k];
                };
                Field<T> u(points);
                for (Index i = 0; i < points[0]; ++i)
                    for (Index j = 0; j < points[1]; ++j)
                        for (Index k = 0; k < points[2]; ++k) u.view()(i, j, k) = static_cast<T>(value(i, j, k));
                std::array<std::array<std::vector<T>, 2>, 3> faces;
                BoundaryData<T> data;
                for (int a = 0; a < 3; ++a)
                    for (const int side : {0, 1}) {
                        const Axis& axis = problem.grid.axes[a];
                        const int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
                        const double wall = side == 0 ? 0.0 : axis.length();
                        for (Index m = 0; m < points[b]; ++m)
                            for (Index n = 0; n < points[c]; ++n) {
                                const double at =
                                    2.0 + slopes[a] * wall + slopes[b] * x[b][m] + slopes[c] * x[c][n];
                                faces[a][side].push_back(static_cast<T>(data_of_wall(axis, side, at, slopes[a])));
                            }
                        data.faces[a][side] = {T(0), faces[a][side].data(), points[c]};
                    }
                GradientFields<T> gradient = gradient_of<T>(problem, read(u), data);
                double finest = 0.25;
                for (const double step : steps_of(problem.grid.axes[place])) finest = std::min(finest, step);
                const double allowed = 64.0 * static_cast<double>(std::numeric_limits<T>::epsilon()) / finest;
                for (int a = 0; a < 3; ++a)
                    for (Index i = 0; i < u.size(); ++i)
                        ASSERT_NEAR(gradient.fields[a].data()[i], slopes[a], allowed)
                            << name(centering) << " " << walls.name << " place " << place << " component " << a;
            }
}

}  // namespace
}  // namespace poisson3d
