// The gradient: exact where central differences are, of order 2 up to the walls where they are not, exact to
// rounding through the modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axis_rules.hpp"
#include "face_arrays.hpp"
#include "manufactured.hpp"
#include "test_gradient.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// body(i, j, k) for every stored point.
template <class Body>
void for_each_point(const Extents& points, Body body) {
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) body(std::array{i, j, k});
}

/// u = p(x) q(y) r(z) with polynomials of degree 1, on node axes 2, on periodic axes 0: numbers of so few digits
/// that even in single precision no operation of a gradient rounds.
class Polynomial {
public:
    Polynomial(const Kinds& which, const Extents& points) {
        constexpr std::array<double, 3> spacings{0.5, 4.0, 2.0};
        for (int a = 0; a < 3; ++a) problem_.grid.axes[a] = make_axis(which[a], points[a], spacings[a], a - 1.0);
    }

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] double value(const std::array<Index, 3>& at) const {
        return factor(0, steps(0, at), 0) * factor(1, steps(1, at), 0) * factor(2, steps(2, at), 0);
    }
    [[nodiscard]] double slope(int axis, const std::array<Index, 3>& at) const {
        double product = 1.0;
        for (int a = 0; a < 3; ++a) product *= factor(a, steps(a, at), a == axis ? 1 : 0);
        return product;
    }
    [[nodiscard]] double on_face(int axis, int side, const std::array<Index, 3>& at) const {
        const Axis& own = problem_.grid.axes[axis];
        const bool dirichlet = (side == 0 ? own.lower : own.upper) == Boundary::dirichlet;
        double product = dirichlet || side == 1 ? 1.0 : -1.0;
        const double wall = side == 0 ? 0.0 : own.length() / own.spacing;
        for (int a = 0; a < 3; ++a)
            product *= a == axis ? factor(a, wall, dirichlet ? 0 : 1) : factor(a, steps(a, at), 0);
        return product;
    }

private:
    /// Distance from the lower face in units of h.
    [[nodiscard]] double steps(int a, const std::array<Index, 3>& at) const {
        return static_cast<double>(at[a]) + (problem_.grid.axes[a].centering == Centering::cell ? 0.5 : 0.0);
    }
    /// The polynomial of an axis or its derivative.
    [[nodiscard]] double factor(int a, double t, int order) const {
        constexpr std::array<double, 3> slopes{2.0, -4.0, 6.0};
        const Axis& axis = problem_.grid.axes[a];
        if (axis.periodic()) return order == 0 ? 3.0 : 0.0;
        const double bend = axis.centering == Centering::node ? 1.0 : 0.0;
        return order == 0 ? 1.0 + slopes[a] * t + bend * t * t : (slopes[a] + 2.0 * bend * t) / axis.spacing;
    }

    Problem problem_;
};

template <class T>
void expect_exact(const Kinds& which, const Extents& points) {
    const Polynomial known(which, points);
    const std::string where = describe(known.problem()) + (sizeof(T) == 4 ? ", float" : ", double");
    Field<T> u(points);
    for_each_point(points, [&](auto at) { u.view()(at[0], at[1], at[2]) = static_cast<T>(known.value(at)); });
    const FaceArrays<T> faces(known.problem().grid,
                              [&](int axis, int side, auto at) { return known.on_face(axis, side, at); });
    Options options = test_options();
    options.threads = 1;
    GradientFields<T> found = gradient_of<T>(known.problem(), read(u), faces.data(), options);
    for (int a = 0; a < 3; ++a) {
        int wrong = 0;
        for_each_point(points, [&](auto at) {
            const double value = static_cast<double>(found.views()[a](at[0], at[1], at[2]));
            if (value == known.slope(a, at) || ++wrong > 1) return;
            ADD_FAILURE() << where << ": component " << a << " at " << at[0] << " " << at[1] << " " << at[2]
                          << " is " << value << ", wanted " << known.slope(a, at);
        });
        EXPECT_LE(wrong, 1) << "points wrong";
    }
}

class EveryMix : public testing::TestWithParam<int> {};

TEST_P(EveryMix, IsExactForLinearDataAndOnNodesForQuadratic) {
    for (int number = 100 * GetParam(); number < 100 * (GetParam() + 1); ++number) {
        const Kinds which = combination(number);
        Extents points{4, 6, 5};
        // One axis after the other with the fewest points it may have, and with one more.
        points[number % 3] = smallest_points(which)[number % 3] + number / 3 % 2;
        expect_exact<double>(which, points);
        expect_exact<float>(which, points);
    }
}

TEST_P(EveryMix, IsExactWithTheFewestPoints) {
    for (int number = 100 * GetParam(); number < 100 * (GetParam() + 1); number += 3)
        expect_exact<double>(combination(number), smallest_points(combination(number)));
}

INSTANTIATE_TEST_SUITE_P(All, EveryMix, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

class EveryKind : public testing::TestWithParam<int> {};

/// max |∂u/∂x − exact| over all components and all points, of a solve for the exact solution's right-hand side.
template <class T>
double gradient_error(const Kinds& which, Index steps, const std::array<Real, 3>& steepness,
                      Discretization discretization) {
    const Manufactured known(which, {steps, steps, steps}, steepness, discretization, 2.5);
    const Extents points = known.problem().grid.points();
    Field<T> f(points);
    for_each_point(points, [&](auto at) {
        f.view()(at[0], at[1], at[2]) = static_cast<T>(known.right_hand_side(at[0], at[1], at[2]));
    });
    const Field<T> u = solved(known.problem(), f);
    GradientFields<T> found = gradient_of<T>(known.problem(), read(u));
    double worst = 0.0;
    for (int a = 0; a < 3; ++a)
        for_each_point(points, [&](auto at) {
            const double value = static_cast<double>(found.views()[a](at[0], at[1], at[2]));
            const double difference = std::abs(value - static_cast<double>(known.slope(at[0], at[1], at[2], a)));
            worst = difference <= worst ? worst : difference;
        });
    return worst;
}

TEST_P(EveryKind, HasOrderTwoUpToTheWalls) {
    for (int a = 0; a < 3; ++a) {
        Kinds which{cell_dd, node_dn, cell_nd};
        which[a] = GetParam();
        const auto error = [&](Index steps) {
            return gradient_error<double>(which, steps, {0.6L, 0.6L, 0.6L}, Discretization::second_order);
        };
        const double coarse = error(24);
        const double fine = error(48);
        EXPECT_GT(std::log2(coarse / fine), 1.9) << "on axis " << a << ": " << coarse << " to " << fine;
    }
}

/// u = Π sin(1.3 s + 0.4 + a), on periodic axes 1.5 + cos(2πs + 0.4): nothing vanishes on any wall. s runs from 0
/// to 1 along the axis.
Shape wavy_shape(const Axis& axis, int a, Real s) {
    const Real rate = axis.periodic() ? 2 * std::numbers::pi_v<Real> : 1.3L;
    const Real x = rate * s + 0.4L + (axis.periodic() ? 0 : a);
    if (axis.periodic()) return {1.5L + std::cos(x), -rate * std::sin(x), -rate * rate * std::cos(x)};
    return {std::sin(x), rate * std::cos(x), -rate * rate * std::sin(x)};
}

class Wavy {
public:
    /// The box of Manufactured; what that class knows is another u.
    Wavy(const Kinds& which, const Extents& steps)
        : problem_(Manufactured(which, steps, {1, 1, 1}, Discretization::second_order, 2.5).problem()) {
        for (int a = 0; a < 3; ++a) {
            const Axis& axis = problem_.grid.axes[a];
            for (Index j = 0; j < axis.points; ++j) shapes_[a].push_back(wavy_shape(axis, a, place(a, j)));
            for (int side = 0; side < 2; ++side) walls_[a][side] = wavy_shape(axis, a, side);
        }
    }

    [[nodiscard]] const Problem& problem() const { return problem_; }
    /// From 0 to 1.
    [[nodiscard]] Real place(int a, Index j) const {
        const Axis& axis = problem_.grid.axes[a];
        return (axis.position(j) - axis.origin) / axis.length();
    }
    /// The derivative of that order along an axis.
    [[nodiscard]] Real value(const std::array<Index, 3>& at, int axis, int order) const {
        return product({shapes_[0][at[0]], shapes_[1][at[1]], shapes_[2][at[2]]}, axis, order);
    }
    [[nodiscard]] Real on_face(int axis, int side, const std::array<Index, 3>& at) const {
        const Axis& own = problem_.grid.axes[axis];
        std::array<Shape, 3> shapes{shapes_[0][at[0]], shapes_[1][at[1]], shapes_[2][at[2]]};
        shapes[axis] = walls_[axis][side];
        if ((side == 0 ? own.lower : own.upper) == Boundary::dirichlet) return product(shapes, axis, 0);
        return (side == 0 ? -1 : 1) * product(shapes, axis, 1);
    }
    [[nodiscard]] Real right_hand_side(const std::array<Index, 3>& at) const {
        return value(at, 0, 2) + value(at, 1, 2) + value(at, 2, 2) -
               static_cast<Real>(problem_.helmholtz) * value(at, 0, 0);
    }

private:
    [[nodiscard]] Real product(const std::array<Shape, 3>& shapes, int axis, int order) const {
        Real result = 1;
        for (int a = 0; a < 3; ++a) {
            const Real length = problem_.grid.axes[a].length();
            if (a != axis || order == 0)
                result *= shapes[a].value;
            else
                result *= order == 1 ? shapes[a].first / length : shapes[a].second / (length * length);
        }
        return result;
    }

    Problem problem_;
    std::array<std::vector<Shape>, 3> shapes_;
    std::array<std::array<Shape, 2>, 3> walls_{};
};

/// max |∂u/∂x_a − exact| over all points, per component, of a solve with the data of that u on all faces. Points
/// that are nearer than `edge`, in box lengths, to two faces at once do not count.
std::array<double, 3> error_with_data(const Kinds& which, const Extents& steps, double edge) {
    const Wavy known(which, steps);
    const Grid& grid = known.problem().grid;
    const FaceArrays<double> faces(grid,
                                   [&](int axis, int side, auto at) { return known.on_face(axis, side, at); });
    Field<double> f(grid.points());
    for_each_point(grid.points(), [&](auto at) {
        f.view()(at[0], at[1], at[2]) = static_cast<double>(known.right_hand_side(at));
    });
    Options options = test_options();
    options.memory = Memory::fast;  // fields and data in host memory, whatever the engine
    Field<double> u(grid.points());
    Solver<double>(known.problem(), options).solve(f.view(), u.view(), faces.data());
    GradientFields<double> found = gradient_of<double>(known.problem(), read(u), faces.data());
    std::array<double, 3> worst{};
    for_each_point(grid.points(), [&](auto at) {
        int near = 0;
        for (int a = 0; a < 3; ++a)
            if (std::min(known.place(a, at[a]), 1 - known.place(a, at[a])) < edge) ++near;
        for (int a = 0; a < 3 && near < 2; ++a) {
            const double wanted = static_cast<double>(known.value(at, a, 1));
            const double difference = std::abs(found.views()[a](at[0], at[1], at[2]) - wanted);
            worst[a] = difference <= worst[a] ? worst[a] : difference;
        }
    });
    return worst;
}

void expect_order_two(const Kinds& which, const Extents& steps, double edge) {
    const std::array<double, 3> coarse = error_with_data(which, {steps[0] / 2, steps[1] / 2, steps[2] / 2}, edge);
    const std::array<double, 3> fine = error_with_data(which, steps, edge);
    for (int a = 0; a < 3; ++a)
        EXPECT_GT(std::log2(coarse[a] / fine[a]), 1.9)
            << which[0] << which[1] << which[2] << ", component " << a << ": " << coarse[a] << " to " << fine[a];
}

TEST_P(EveryKind, HasOrderTwoUpToWallsWithData) {
    for (int axis = 0; axis < 3; ++axis) {
        Kinds which{cell_p, node_p, cell_p};
        Extents steps{48, 48, 48};
        which[axis] = GetParam();
        steps[axis] = 96;
        expect_order_two(which, steps, 0.0);
    }
}

// Where faces meet, the error of the solution has no smooth continuation: next to a Dirichlet face of cells it is
// h²/8 times the second derivative normal to that face, on Dirichlet nodes it is 0. Differences of it have order 1
// at an edge, and the better one the farther away.
TEST_P(EveryKind, HasOrderTwoUpToWallsWithDataAwayFromEdges) {
    Kinds which{cell_dd, node_dn, cell_nd};
    which[GetParam() % 3] = GetParam();
    expect_order_two(which, {96, 96, 96}, 0.25);
    const double coarse = error_with_data(which, {24, 24, 24}, 0.0)[0];
    EXPECT_LT(error_with_data(which, {48, 48, 48}, 0.0)[0], 0.6 * coarse);
}

/// u, the product of one mode per axis, and its derivative along one of them, or u itself for axis −1.
template <class T>
Field<T> mode_field(const Problem& problem, const std::array<Index, 3>& modes, int axis) {
    std::array<std::vector<Real>, 3> values;
    for (int a = 0; a < 3; ++a) {
        const Axis& own = problem.grid.axes[a];
        for (Index j = 0; j < own.points; ++j) {
            const Real value = unknowns(own).contain(j) ? mode_value(own, modes[a], j) : 0;
            values[a].push_back(a == axis ? mode_slope(own, modes[a], j) : value);
        }
    }
    Field<T> field(problem.grid.points());
    for_each_point(field.extents(), [&](auto at) {
        field.view()(at[0], at[1], at[2]) = static_cast<T>(values[0][at[0]] * values[1][at[1]] * values[2][at[2]]);
    });
    return field;
}

template <class T>
void check_modes(TestGradient<T>& gradient, const Problem& problem, const std::array<Index, 3>& modes,
                 Worst<T>& worst) {
    const Extents points = problem.grid.points();
    const Field<T> u = mode_field<T>(problem, modes, -1);
    GradientFields<T> found(points);
    gradient.evaluate(read(u), found.views());
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        const Field<Real> wanted = mode_field<Real>(problem, modes, a);
        double difference = 0.0;
        double square = 0.0;
        for (Index i = 0; i < u.size(); ++i) {
            difference +=
                std::pow(static_cast<double>(static_cast<Real>(found.fields[a].data()[i]) - wanted.data()[i]), 2);
            square += std::pow(static_cast<double>(u.data()[i]), 2);
        }
        // The rounding of u has all modes in it, which are multiplied by up to the largest κ.
        const double steepest = std::numbers::pi / axis.spacing;
        worst.check(std::sqrt(difference), tolerance::solve<T>(points) * steepest * std::sqrt(square),
                    describe(problem) + ", component " + std::to_string(a) + ", modes " + std::to_string(modes[0]) +
                        " " + std::to_string(modes[1]) + " " + std::to_string(modes[2]));
    }
}

template <class T>
void check_kind(int kind, const Extents& points, int axis) {
    Worst<T> worst("gradient");
    Kinds which{(kind + 3) % 10, (kind + 6) % 10, (kind + 9) % 10};
    which[axis] = kind;
    Extents size = points;
    for (int a = 0; a < 3; ++a) size[a] = std::max(size[a], smallest_points(which)[a]);
    const Problem problem = make_problem(which, size, Discretization::spectral);
    Options options = test_options();
    options.threads = 1;
    TestGradient<T> gradient(problem, options);
    for (Index mode = 0; mode < unknowns(problem.grid.axes[axis]).count; ++mode) {
        std::array<Index, 3> modes{mode, mode / 2, mode + 1};
        std::swap(modes[0], modes[axis]);
        for (int a = 0; a < 3; ++a) modes[a] %= unknowns(problem.grid.axes[a]).count;
        check_modes(gradient, problem, modes, worst);
    }
}

// Odd, even and prime numbers of points, with whole and ragged blocks of lines beside; 37 has no radices.
TEST_P(EveryKind, IsExactForModesThroughTheModes) {
    for (int axis = 0; axis < 3; ++axis)
        for (const Index n : {1, 2, 3, 4, 9, 16, 17, 24, 37, 38}) {
            Extents points{11, 9, 19};
            points[axis] = n;
            check_kind<double>(GetParam(), points, axis);
            check_kind<float>(GetParam(), points, axis);
        }
}

TEST_P(EveryKind, IsFasterThanAnyPowerThroughTheModes) {
    Kinds which{cell_dd, node_dn, cell_p};
    which[1] = GetParam();
    const auto error = [&](Index steps) {
        return gradient_error<double>(which, steps, usual_steepness(which), Discretization::spectral);
    };
    EXPECT_GT(error(8), 1e-3);
    EXPECT_LT(error(32), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(All, EveryKind, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

}  // namespace
}  // namespace poisson3d
