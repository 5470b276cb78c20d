// Variable coefficients with all fields on the device: what fields in host memory give, bit by bit, and what the
// host finds; the caller's memory is read and written where it must be alone.
#include <gtest/gtest.h>

#include <cmath>

#include "device_fields.hpp"
#include "engine_under_test.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "padded.hpp"
#include "poisson3d/variable_solver.hpp"
#include "problems.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class VariableOnDevice : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(VariableOnDevice, Precisions);

/// Smooth, with a contrast of 50 and some noise: some twenty iterations, whose number rounding hardly changes. Of
/// noise alone there are hundreds in singular problems, and as many as 40 more or fewer by rounding.
template <class T>
Field<T> positive_field(const Extents& points, std::uint64_t seed) {
    Field<T> field = random_field<T>(points, seed);
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) {
                T& here = field.view()(i, j, k);
                const auto along = [&](Index n, int a) {
                    return std::cos(6.28 * static_cast<double>(n) / static_cast<double>(points[a]));
                };
                const double wave = along(i, 0) * along(j, 1) + along(k, 2);
                here = static_cast<T>(std::exp(wave + 0.02 * static_cast<double>(here)));
            }
    return field;
}

Options on_host() {
    Options options;
    options.engine = Engine::host;
    return options;
}

template <class T>
struct Given {
    explicit Given(const Problem& problem, std::uint64_t seed)
        : f(random_field<T>(problem.grid.points(), seed)),
          epsilon(positive_field<T>(problem.grid.points(), seed + 1)),
          lambda(positive_field<T>(problem.grid.points(), seed + 2)),
          faces(problem.grid, [seed](int axis, int side, const std::array<Index, 3>& at) {
              return uniform(static_cast<std::uint64_t>(at[0] + 50 * at[1] + 2500 * at[2] + axis),
                             seed + static_cast<std::uint64_t>(side));
          }) {}
    Field<T> f, epsilon, lambda;
    FaceArrays<T> faces;
};

TYPED_TEST(VariableOnDevice, FieldsOnTheDeviceGiveTheBitsOfFieldsOnTheHost) {
    using T = TypeParam;
    for (int number = 5; number < combinations; number += 111) {
        const Problem problem = make_problem(combination(number), {19, 33, 37});
        SCOPED_TRACE(describe(problem));
        const Extents points = problem.grid.points();
        const Given<T> given(problem, static_cast<std::uint64_t>(number));
        Field<T> staged = filled_field<T>(points), u = filled_field<T>(points), wanted = filled_field<T>(points);
        VariableSolver<T> solver(problem, test_options()), host(problem, on_host());
        const FieldView<const T> lambda = number % 2 == 0 ? given.lambda.view() : FieldView<const T>{};

        solver.set_coefficient(given.epsilon.view(), lambda);
        const VariableResult first = solver.solve(given.f.view(), staged.view(), given.faces.data(), T(0.5));
        EXPECT_TRUE(first.converged);
        {
            DeviceFields<T> fields(given.f.view(), u.view());
            DeviceFields<T> coefficients(given.epsilon.view(), Field<T>(points).view());
            DeviceImage lambdas(range_of<T>(given.lambda.view()));
            DeviceFaces<T> faces(given.faces.data(), points);
            const FieldView<const T> there(static_cast<const T*>(lambdas.at(given.lambda.data())), points);
            solver.set_coefficient(coefficients.f(), lambda.data != nullptr ? there : FieldView<const T>{});
            const VariableResult again = solver.solve(fields.f(), fields.u(), faces.data(), T(0.5));
            EXPECT_EQ(again.iterations, first.iterations);
            EXPECT_EQ(again.residual, first.residual);
            EXPECT_EQ(again.mean_removed, first.mean_removed);
            fields.fetch();
            faces.fetch();
        }
        for (Index n = 0; n < u.size(); ++n) ASSERT_EQ(u.data()[n], staged.data()[n]) << "element " << n;

        host.set_coefficient(given.epsilon.view(), lambda);
        const VariableResult result = host.solve(given.f.view(), wanted.view(), given.faces.data(), T(0.5));
        EXPECT_LE(std::abs(result.iterations - first.iterations), 2);
        double apart = 0.0, size = 0.0;
        for (Index n = 0; n < u.size(); ++n) {
            apart =
                std::max(apart, std::abs(static_cast<double>(u.data()[n]) - static_cast<double>(wanted.data()[n])));
            size = std::max(size, std::abs(static_cast<double>(wanted.data()[n])));
        }
        EXPECT_LE(apart, (sizeof(T) == 4 ? 1e-3 : 1e-6) * size);
    }
}

TYPED_TEST(VariableOnDevice, RowsWithGapsAndWhatLiesBetweenThem) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(321), {7, 9, 11});
    const Extents points = problem.grid.points();
    const Given<T> given(problem, 3);
    VariableSolver<T> solver(problem, test_options());
    solver.set_coefficient(given.epsilon.view());
    Field<T> dense = filled_field<T>(points);
    solver.solve(given.f.view(), dense.view());
    const Extents room{points[0] + 2, points[1] + 3, points[2] + 5};
    Field<T> padded = filled_field<T>(room, T(7));
    const FieldView<T> inner{padded.data() + (room[1] + 1) * room[2] + 2, points, dense_strides(room)};
    solver.solve(given.f.view(), inner);
    Index others = 0;
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) ASSERT_EQ(inner(i, j, k), dense.view()(i, j, k));
    for (Index n = 0; n < padded.size(); ++n) others += padded.data()[n] == T(7);
    EXPECT_GE(others, padded.size() - dense.size());
    DeviceFields<T> fields(given.f.view(), inner);
    solver.solve(fields.f(), fields.u());
    fields.fetch();
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) ASSERT_EQ(inner(i, j, k), dense.view()(i, j, k));
    Field<T> applied = filled_field<T>(points);
    solver.apply(dense.view(), applied.view());
    DeviceFields<T> operands(dense.view(), applied.view());
    const Field<T> before = [&] {
        Field<T> copy(points);
        std::copy_n(applied.data(), applied.size(), copy.data());
        return copy;
    }();
    solver.apply(operands.f(), operands.u());
    operands.fetch();
    for (Index n = 0; n < applied.size(); ++n) ASSERT_EQ(applied.data()[n], before.data()[n]);
}

/// A box with more tiles and columns than a launch has blocks, and the residual by another kernel.
TEST(VariableOnDeviceLarge, TheOperatorOfTheSolutionIsTheRightHandSide) {
    Problem problem;
    problem.grid.axes = {Axis{301, 0.01}, Axis{203, 0.02}, Axis{289, 0.015}};
    for (Axis& axis : problem.grid.axes) axis.lower = axis.upper = Boundary::dirichlet;
    const Extents points = problem.grid.points();
    VariableSolver<double> solver(problem, test_options());
    Field<double> f = random_field<double>(points, 3), u(points), again(points);
    solver.set_coefficient(positive_field<double>(points, 4).view());
    const VariableResult result = solver.solve(f.view(), u.view());
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 40);
    solver.apply(u.view(), again.view());
    double wrong = 0.0, size = 0.0;
    for (Index n = 0; n < f.size(); ++n) {
        wrong += std::pow(f.data()[n] - again.data()[n], 2);
        size += std::pow(f.data()[n], 2);
    }
    EXPECT_LE(result.residual, 1e-8);
    EXPECT_NEAR(std::sqrt(wrong / size), result.residual, 1e-3 * result.residual);
}

TEST(VariableOnDeviceRefuses, WhatIsNoCoefficientInTheWordsOfTheHost) {
    const Problem problem = make_problem(combination(0), {4, 5, 6});
    const Extents points = problem.grid.points();
    VariableSolver<double> solver(problem, test_options());
    Field<double> epsilon = filled_field<double>(points, 2.0), u(points);
    for (const double bad : {0.0, -3.0, std::nan("")}) {
        epsilon.view()(1, 2, 3) = bad;
        const DeviceFields<double> there(epsilon.view(), u.view());
        expect_error(ErrorCode::data, {"coefficient: found", "at [1, 2, 3]"},
                     [&] { solver.set_coefficient(there.f()); });
    }
}

TEST(VariableOnDeviceRefuses, FieldsOnBothSides) {
    const Problem problem = make_problem(combination(0), {4, 5, 6});
    const Given<double> given(problem, 1);
    Field<double> u(problem.grid.points());
    VariableSolver<double> solver(problem, test_options());
    solver.set_coefficient(given.epsilon.view());
    const DeviceFields<double> fields(given.f.view(), u.view());
    expect_error(ErrorCode::usage, {"u: found in host memory, wanted in device memory"},
                 [&] { solver.solve(fields.f(), u.view()); });
    expect_error(ErrorCode::usage, {"u: found in device memory, wanted in host memory"},
                 [&] { solver.solve(given.f.view(), fields.u()); });
}

}  // namespace
}  // namespace poisson3d
