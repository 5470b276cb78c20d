// Spectral gradients of engine cufft with its kernels, FFTs and transposes executed on the host (host_passes.cpp,
// host_device.cpp). The law: along an axis a field is a sum of all its modes, whose slopes are known.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "axis_rules.hpp"
#include "device_gradient.hpp"
#include "free_mixes.hpp"
#include "padded.hpp"
#include "problems.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {
namespace {

/// body(i, j, k, position along `axis`, number of the line).
template <class Body>
void for_each_point(const Extents& points, int axis, const Body& body) {
    Extents line = points;
    line[axis] = 1;
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) {
                Extents at{i, j, k};
                const Index along = at[axis];
                at[axis] = 0;
                body(i, j, k, along, (at[0] * line[1] + at[1]) * line[2] + at[2]);
            }
}

/// Random modes of an axis at its points, and their slopes.
struct Modes {
    explicit Modes(const Axis& axis) {
        const Unknowns own = unknowns(axis);
        for (Index j = 0; j < axis.points; ++j) {
            Real value = 0;
            Real slope = 0;
            for (Index k = 0; k < own.count; ++k) {
                const auto part = static_cast<Real>(uniform(k, 11));
                value += part * mode_value(axis, k, j);
                slope += part * mode_slope(axis, k, j);
            }
            // Dirichlet nodes are not read.
            values.push_back(own.contain(j) ? value : std::numeric_limits<Real>::quiet_NaN());
            slopes.push_back(slope);
        }
    }
    std::vector<Real> values, slopes;
};

/// One component of the gradient, into a field with gaps.
template <class T>
void check_axis(DeviceGradient<T>& gradient, const Problem& problem, int a, bool padded) {
    const Extents points = problem.grid.points();
    const Modes modes(problem.grid.axes[a]);
    Padded<T> u(points, Extents{}, Extents{0, padded ? 3 : 0, padded ? 2 : 0});
    double square = 0.0;
    for_each_point(points, a, [&](Index i, Index j, Index k, Index along, Index line) {
        const auto value = static_cast<double>(modes.values[along]) * uniform(line, 12);
        u.view()(i, j, k) = static_cast<T>(value);
        square += std::isnan(value) ? 0.0 : value * value;
    });
    Padded<T> out(points, Extents{}, Extents{0, padded ? 1 : 0, padded ? 4 : 0});
    std::array<FieldView<T>, 3> views;
    views[a] = out.view();
    gradient.evaluate(u.view(), views, {});
    double difference = 0.0;
    for_each_point(points, a, [&](Index i, Index j, Index k, Index along, Index line) {
        const double wanted = static_cast<double>(modes.slopes[along]) * uniform(line, 12);
        difference += std::pow(static_cast<double>(out.view()(i, j, k)) - wanted, 2);
    });
    EXPECT_EQ(out.damage(), 0);
    const double steepest = std::numbers::pi / problem.grid.axes[a].spacing;
    EXPECT_LE(std::sqrt(difference), tolerance::solve<T>(points) * steepest * std::sqrt(square))
        << describe(problem) << ", component " << a << (sizeof(T) == 4 ? ", single" : ", double");
}

/// Of the work areas; 0: as much as they may have.
constexpr std::size_t rooms[] = {1, 700, 3000, 0};

template <class T>
void check(const Problem& problem, std::size_t room) {
    Options options;
    std::vector<std::byte> memory(device_gradient_bytes<T>(problem, options));
    EXPECT_GT(memory.size(), 0U);
    const std::unique_ptr<DeviceGradient<T>> gradient = make_device_gradient<T>(problem, options, room);
    if (room == 0) {
        EXPECT_EQ(gradient->workspace(), memory.size());
    }
    for (int a = 0; a < 3; ++a)
        for (const bool padded : {false, true}) check_axis<T>(*gradient, problem, a, padded);
}

void check_both(const Kinds& which, const Extents& wanted, int number) {
    Extents points = wanted;
    for (int a = 0; a < 3; ++a) points[a] = std::max(points[a], smallest_points(which)[a]);
    const Problem problem = make_problem(which, points, Discretization::spectral);
    check<double>(problem, rooms[number % 4]);
    check<float>(problem, rooms[(number + 2) % 4]);
}

class SpectralGradient : public testing::TestWithParam<int> {};

TEST_P(SpectralGradient, HasTheSlopesOfAllModes) {
    int number = GetParam();
    for (int a = 0; a < 3; ++a)
        for (const Index n : {1, 2, 3, 4, 5, 9, 16, 17, 24, 37, 38}) {
            Kinds which{(GetParam() + 3) % 10, (GetParam() + 6) % 10, (GetParam() + 9) % 10};
            which[a] = GetParam();
            Extents points{7, 5, 9};
            points[a] = n;
            check_both(which, points, number++);
        }
}

TEST_P(SpectralGradient, HasThemInSlabsOfAnyThickness) {
    for (int number = 0; number < 8; ++number)
        check_both({GetParam(), (GetParam() + 4) % 10, (GetParam() + 8) % 10}, {11, 13, 6}, number);
}

TEST_P(SpectralGradient, HasThemAtTheFewestPoints) {
    for (int number = 0; number < 100; number += 3)
        check_both({GetParam(), number / 10, number % 10}, {1, 1, 1}, number);
}

/// A free axis is padded: a Gaussian that has vanished at its ends has its own slope.
template <class T>
void check_free_axis(const Kind& kind, int a, std::size_t room) {
    Extents points{3, 2, 4};
    points[a] = 48;
    Mix mix{kinds[cell_p], kinds[cell_dd], kinds[node_nn]};
    mix[a] = kind;
    const Problem problem = make_problem(mix, points, Discretization::spectral);
    const std::unique_ptr<DeviceGradient<T>> gradient = make_device_gradient<T>(problem, Options{}, room);
    const Axis& axis = problem.grid.axes[a];
    const double length = axis.spacing * 48, width = 0.06 * length, middle = axis.position(24);
    const auto value = [&](Index j) {
        const double x = (axis.position(j) - middle) / width;
        return std::exp(-0.5 * x * x);
    };
    Padded<T> f(problem.grid.points(), Extents{}, Extents{0, 3, 2}),
        out(problem.grid.points(), Extents{}, Extents{0, 1, 4});
    for_each_point(problem.grid.points(), a, [&](Index i, Index j, Index k, Index along, Index line) {
        f.view()(i, j, k) = static_cast<T>(value(along) * uniform(line, 12));
    });
    std::array<FieldView<T>, 3> views;
    views[a] = out.view();
    gradient->evaluate(f.view(), views, {});
    EXPECT_EQ(out.damage(), 0);
    double worst = 0;
    for_each_point(problem.grid.points(), a, [&](Index i, Index j, Index k, Index along, Index line) {
        const double wanted = -(axis.position(along) - middle) / (width * width) * value(along) * uniform(line, 12);
        worst = std::max(worst, std::abs(static_cast<double>(out.view()(i, j, k)) - wanted) * width);
    });
    EXPECT_LE(worst, sizeof(T) == 4 ? 1e-4 : 1e-11) << describe(mix) << ", component " << a;
}

TEST(SpectralGradientBesideFreeFaces, HasTheSlopesOfGaussians) {
    for (const Kind& kind : free_kinds)
        for (int a = 0; a < 3; ++a)
            for (const std::size_t room : rooms) {
                check_free_axis<double>(kind, a, room);
                check_free_axis<float>(kind, a, room);
            }
}

INSTANTIATE_TEST_SUITE_P(All, SpectralGradient, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

}  // namespace
}  // namespace poisson3d::test
