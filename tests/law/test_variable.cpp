// Variable coefficients: the operator applied to the solution is the right-hand side, for all kinds of axis.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine_under_test.hpp"
#include "expect_error.hpp"
#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/variable_solver.hpp"
#include "problems.hpp"
#include "stretched_axis.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// exp of a product of waves times `log_range`, about ±.
template <class T>
Field<T> smooth_coefficient(const Extents& e, double log_range) {
    Field<T> field(e);
    for (Index i = 0; i < e[0]; ++i)
        for (Index j = 0; j < e[1]; ++j)
            for (Index k = 0; k < e[2]; ++k) {
                const auto wave = [](Index n, Index points, double phase) {
                    return std::cos(2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(points) +
                                    phase);
                };
                field.view()(i, j, k) = static_cast<T>(
                    std::exp(0.5 * log_range * wave(i, e[0], 0.3) * wave(j, e[1], 1.1) * wave(k, e[2], 0.7)));
            }
    return field;
}

using Faces = std::array<Field<double>, 3>;

/// Harmonic means of neighbours on all faces, the value of the point at walls: for uniform axes.
Faces faces_of(const Grid& grid, FieldView<const double> eps) {
    Faces faces;
    for (int a = 0; a < 3; ++a) {
        Extents extents = grid.points();
        const Index n = extents[a]++;
        faces[a] = Field<double>(extents);
        for (Index i = 0; i < extents[0]; ++i)
            for (Index j = 0; j < extents[1]; ++j)
                for (Index k = 0; k < extents[2]; ++k) {
                    std::array<Index, 3> below{i, j, k}, above{i, j, k};
                    const bool periodic = grid.axes[a].periodic();
                    below[a] = below[a] > 0 ? below[a] - 1 : periodic ? n - 1 : 0;
                    above[a] = above[a] < n ? above[a] : periodic ? 0 : n - 1;
                    const double b = eps(below[0], below[1], below[2]), c = eps(above[0], above[1], above[2]);
                    faces[a].view()(i, j, k) = 2.0 / (1.0 / b + 1.0 / c);
                }
    }
    return faces;
}

std::array<FieldView<const double>, 3> read(const Faces& faces) {
    return {faces[0].view(), faces[1].view(), faces[2].view()};
}

/// (A u)(i, j, k) by ghost values, each difference times ε on its face; beyond a Neumann node ε is mirrored, too.
double plain_variable(const Problem& problem, const Faces& faces, FieldView<const double> u, Index i, Index j,
                      Index k) {
    const std::array<Index, 3> at{i, j, k};
    double sum = -problem.helmholtz * u(i, j, k);
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        for (const Index side : {0, 1}) {
            const Ghost there = ghost(axis, at[a] + 2 * side - 1);
            std::array<Index, 3> index = at, face = at;
            index[a] = there.index;
            face[a] += side;
            const bool node = axis.centering == Centering::node && !axis.periodic();
            if (node && face[a] == 0) face[a] = 1;
            if (node && face[a] == axis.points) face[a] = axis.points - 1;
            const double value = there.weight == 0.0 ? 0.0 : there.weight * u(index[0], index[1], index[2]);
            sum +=
                faces[a].view()(face[0], face[1], face[2]) * (value - u(i, j, k)) / (axis.spacing * axis.spacing);
        }
    }
    return sum;
}

double norm(const Problem& problem, FieldView<const double> r) {
    Field<double> squares(r.extents);
    for_each_unknown(problem.grid,
                     [&](Index i, Index j, Index k) { squares.view()(i, j, k) = r(i, j, k) * r(i, j, k); });
    return std::sqrt(weighted_mean(problem.grid, test::read(squares)));
}

TEST(Variable, TheOperatorOfTheSolutionIsTheRightHandSideForSampledMixes) {
    for (int number = 0; number < combinations; number += 7) {
        const Kinds which = combination(number);
        Problem problem = make_problem(which, {5, 8, 7}, Discretization::second_order, number % 3 == 0 ? 2.5 : 0.0);
        const Extents points = problem.grid.points();
        const Field<double> eps = smooth_coefficient<double>(points, number % 2 == 0 ? 1.0 : 4.0);
        const Faces faces = faces_of(problem.grid, test::read(eps));
        const Field<double> f = random_field<double>(points, static_cast<std::uint64_t>(number));
        Field<double> u = filled_field<double>(points), by_faces = filled_field<double>(points), applied(points);
        VariableSolver<double> solver(problem, test_options(),
                                      number % 5 == 0 ? std::optional(0.1 * (number % 11)) : std::nullopt);
        VariableControl control;
        control.tolerance = 1e-10;
        solver.set_coefficient(eps.view());
        const VariableResult result = solver.solve(f.view(), u.view(), {}, 1.0, control);
        EXPECT_TRUE(result.converged) << describe(problem);
        EXPECT_EQ(result.singular, singular(problem));
        Field<double> residual(points), size(points);
        solver.apply(test::read(u), applied.view());
        double apart = 0.0;
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            const double plain = plain_variable(problem, faces, test::read(u), i, j, k);
            size.view()(i, j, k) = f.view()(i, j, k) - result.mean_removed;
            residual.view()(i, j, k) = size.view()(i, j, k) - plain;
            apart = std::max(apart, std::abs(plain - applied.view()(i, j, k)));
        });
        EXPECT_LE(norm(problem, residual.view()), 2e-10 * norm(problem, size.view())) << describe(problem);
        EXPECT_LE(apart, 1e-8) << describe(problem);
        if (singular(problem)) {
            EXPECT_NEAR(weighted_mean(problem.grid, test::read(u)), 0.0, 1e-10);
        }

        solver.set_coefficient(read(faces));
        solver.solve(f.view(), by_faces.view(), {}, 1.0, control);
        double largest = 0.0;
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            largest = std::max(largest, std::abs(u.view()(i, j, k) - by_faces.view()(i, j, k)));
        });
        EXPECT_LE(largest, 1e-6) << describe(problem);
    }
}

TEST(Variable, OneIterationAndTheSolutionOfTheSolverForAConstantCoefficient) {
    for (int number = 0; number < combinations; number += 61) {
        const Problem problem = make_problem(combination(number), {6, 9, 7});
        const Extents points = problem.grid.points();
        const Field<double> f = random_field<double>(points);
        const Field<double> eps = filled_field<double>(points, 2.0);
        Field<double> u(points), expected(points);
        VariableSolver<double> solver(problem, test_options());
        solver.set_coefficient(eps.view());
        const VariableResult result = solver.solve(f.view(), u.view());
        EXPECT_EQ(result.iterations, 1) << describe(problem);
        EXPECT_LE(result.residual, 1e-12);
        Options host;
        host.engine = Engine::host;
        Solver<double>(problem, host).solve(f.view(), expected.view(), 0.5);
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            ASSERT_NEAR(u.view()(i, j, k), expected.view()(i, j, k), 1e-12) << describe(problem);
        });
    }
}

TEST(Variable, AxesOfAnySpacingAndRobinFaces) {
    const std::vector<Walls> walls = all_walls();
    for (std::size_t n = 0; n < walls.size(); ++n) {
        Problem problem = make_problem(combination(static_cast<int>(n) * 31), {6, 7, 8});
        const Centering centering = n % 2 == 0 ? Centering::cell : Centering::node;
        problem.grid.axes[n % 3] = stretched_axis(centering, walls[n], 9, 1.3, static_cast<int>(n));
        if (unbounded_axes(problem.grid) > 0) continue;
        const Extents points = problem.grid.points();
        const Field<double> f = random_field<double>(points, 1), g = random_field<double>(points, 2);
        Field<double> u(points), v(points), expected(points);
        VariableSolver<double> solver(problem, test_options());
        solver.set_coefficient(filled_field<double>(points, 2.0).view());
        EXPECT_EQ(solver.solve(f.view(), u.view()).iterations, 1) << describe(problem);
        Options host;
        host.engine = Engine::host;
        Solver<double>(problem, host).solve(f.view(), expected.view(), 0.5);
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            ASSERT_NEAR(u.view()(i, j, k), expected.view()(i, j, k), 1e-9) << describe(problem);
        });
        // Symmetric in the weights of the mean, whatever ε is.
        solver.set_coefficient(smooth_coefficient<double>(points, 5.0).view());
        solver.apply(f.view(), u.view());
        solver.apply(g.view(), v.view());
        Field<double> gu(points), fv(points);
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            gu.view()(i, j, k) = g.view()(i, j, k) * u.view()(i, j, k);
            fv.view()(i, j, k) = f.view()(i, j, k) * v.view()(i, j, k);
        });
        const double one = weighted_mean(problem.grid, test::read(gu));
        const double other = weighted_mean(problem.grid, test::read(fv));
        EXPECT_NEAR(one, other, 1e-9 * (std::abs(one) + std::abs(other) + 1.0)) << describe(problem);
    }
}

/// ∇·(ε∇u) of u = sin(x + 0.3) cos(y) eˣ…: a product of smooth functions with values on all faces, ε = exp(x y +
/// z).
double error_of(Index n, Centering centering, Boundary lower, Boundary upper) {
    Problem problem;
    problem.helmholtz = 0.7;
    const bool node = centering == Centering::node;
    for (Axis& axis : problem.grid.axes) {
        axis.points = node ? n + 1 : n;
        axis.spacing = 1.0 / static_cast<double>(n);
        axis.centering = centering;
        axis.lower = lower, axis.upper = upper;
    }
    const Extents points = problem.grid.points();
    const auto u_at = [](double x, double y, double z) { return std::sin(x + 0.3) * std::cos(y) + z * z * x; };
    const auto slope = [](int a, double x, double y, double z) {
        return a == 0   ? std::cos(x + 0.3) * std::cos(y) + z * z
               : a == 1 ? -std::sin(x + 0.3) * std::sin(y)
                        : 2 * z * x;
    };
    const auto eps_at = [](double x, double y, double z) { return std::exp(x * y + z); };
    Field<double> f(points), eps(points), u(points);
    const auto place = [&](Index j) { return problem.grid.axes[0].position(j); };
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) {
                const double x = place(i), y = place(j), z = place(k);
                eps.view()(i, j, k) = eps_at(x, y, z);
                f.view()(i, j, k) =
                    eps_at(x, y, z) * (-2 * std::sin(x + 0.3) * std::cos(y) + 2 * x + y * slope(0, x, y, z) +
                                       x * slope(1, x, y, z) + slope(2, x, y, z)) -
                    problem.helmholtz * u_at(x, y, z);
            }
    std::array<std::array<std::vector<double>, 2>, 3> data;
    BoundaryData<double> boundary;
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            const auto [b, c] = across(a);
            for (Index p = 0; p < points[b]; ++p)
                for (Index q = 0; q < points[c]; ++q) {
                    std::array<double, 3> at{};
                    at[a] = side, at[b] = place(p), at[c] = place(q);
                    const bool dirichlet = (side == 0 ? lower : upper) == Boundary::dirichlet;
                    data[a][side].push_back(dirichlet ? u_at(at[0], at[1], at[2])
                                                      : (2 * side - 1) * slope(a, at[0], at[1], at[2]));
                }
            boundary.faces[a][side] = {0.0, data[a][side].data(), points[c]};
        }
    VariableSolver<double> solver(problem, test_options());
    solver.set_coefficient(test::read(eps));
    EXPECT_TRUE(solver.solve(f.view(), u.view(), boundary).converged);
    double error = 0.0;
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k)
                error = std::max(error, std::abs(u.view()(i, j, k) - u_at(place(i), place(j), place(k))));
    return error;
}

TEST(Variable, SecondOrderWithBoundaryData) {
    // Nodes. On cells ε at a wall is that of the cell, half a cell away.
    for (const auto& [lower, upper] :
         {std::pair{Boundary::dirichlet, Boundary::dirichlet}, std::pair{Boundary::neumann, Boundary::dirichlet},
          std::pair{Boundary::neumann, Boundary::neumann}}) {
        const double coarse = error_of(12, Centering::node, lower, upper);
        const double fine = error_of(24, Centering::node, lower, upper);
        EXPECT_GT(coarse / fine, 3.4) << name(lower) << ":" << name(upper) << " " << coarse << " " << fine;
    }
    const double coarse = error_of(12, Centering::cell, Boundary::dirichlet, Boundary::dirichlet);
    EXPECT_GT(coarse / error_of(24, Centering::cell, Boundary::dirichlet, Boundary::dirichlet), 3.0);
}

Field<double> ball(Index n, double contrast, double cells) {
    Field<double> eps({n, n, n});
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            for (Index k = 0; k < n; ++k) {
                const auto x = [n](Index index, double centre) {
                    return (static_cast<double>(index) + 0.5) / static_cast<double>(n) - centre;
                };
                const double phi = std::hypot(x(i, 0.5), x(j, 0.45), x(k, 0.52)) - 0.27;
                const double inside = cells > 0 ? 0.5 * (1 + std::tanh(phi * static_cast<double>(n) / cells))
                                      : phi > 0 ? 1.0
                                                : 0.0;
                eps.view()(i, j, k) = std::pow(contrast, inside);
            }
    return eps;
}

int iterations(Index n, double contrast, double cells, Boundary wall, std::optional<double> scaling = std::nullopt,
               double tolerance = 1e-8) {
    Problem problem;
    for (Axis& axis : problem.grid.axes) axis.points = n, axis.spacing = 1.0, axis.lower = axis.upper = wall;
    const Field<double> f = random_field<double>(problem.grid.points());
    Field<double> u(problem.grid.points());
    VariableSolver<double> solver(problem, test_options(), scaling);
    solver.set_coefficient(ball(n, contrast, cells).view());
    VariableControl control;
    control.tolerance = tolerance;
    const VariableResult result = solver.solve(test::read(f), u.view(), {}, 1.0, control);
    EXPECT_TRUE(result.converged);
    return result.iterations;
}

TEST(Variable, IterationsDoNotGrowWithTheSizeNorMuchWithTheContrast) {
    for (const Boundary wall : {Boundary::dirichlet, Boundary::neumann, Boundary::periodic}) {
        EXPECT_LE(iterations(20, 1000, 2, wall), 25);
        EXPECT_LE(iterations(40, 1000, 4, wall), 25);
        EXPECT_LE(iterations(40, 1e6, 4, wall), 40);
        EXPECT_LE(iterations(32, 80, 0, wall), 45);
        EXPECT_LE(iterations(32, 1000, 0, wall), 65);
        EXPECT_GT(iterations(32, 1000, 0, wall, 1.0), iterations(32, 1000, 0, wall));
        EXPECT_GT(iterations(40, 1000, 4, wall, 0.0), 4 * iterations(40, 1000, 4, wall));
        // In double 56 to 60: directions go on where the residual is evaluated anew.
        EXPECT_LE(iterations(48, 1000, 1, wall, std::nullopt, 1e-12), 75);
    }
}

TEST(Variable, InFloatFromAGuessAndWithThreads) {
    Problem problem = make_problem(combination(111), {16, 17, 18});
    const Extents points = problem.grid.points();
    const Field<float> eps = smooth_coefficient<float>(points, 5.0), f = random_field<float>(points);
    Field<float> u(points), again(points);
    Options one = test_options(), three = test_options();
    one.threads = 1, three.threads = 3;
    VariableSolver<float> solver(problem, one), other(problem, three);
    solver.set_coefficient(eps.view());
    other.set_coefficient(eps.view());
    const VariableResult result = solver.solve(f.view(), u.view());
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.residual, 1e-5);
    other.solve(f.view(), again.view());
    for (Index n = 0; n < u.size(); ++n) ASSERT_EQ(u.data()[n], again.data()[n]);
    VariableControl control;
    control.start_from_u = true;
    EXPECT_EQ(solver.solve(f.view(), u.view(), {}, 1.0F, control).iterations, 0);
    control = {};
    control.max_iterations = 2;
    const VariableResult early = solver.solve(f.view(), u.view(), {}, 1.0F, control);
    EXPECT_FALSE(early.converged);
    EXPECT_EQ(early.iterations, 2);
    EXPECT_GT(early.residual, 1e-5);
}

/// In single precision with residuals in double, or all in double: what is asked for is reached by both.
TEST(Variable, TolerancesBeyondSinglePrecision) {
    for (int number = 3; number < combinations; number += 97) {
        const Problem problem = make_problem(combination(number), {11, 12, 13});
        const Extents points = problem.grid.points();
        const Field<double> f = random_field<double>(points, static_cast<std::uint64_t>(number));
        for (const double contrast : {3.0, 11.0, 20.0}) {  // logarithms: 20 is above 1e5
            VariableSolver<double> solver(problem, test_options());
            solver.set_coefficient(smooth_coefficient<double>(points, contrast).view());
            const bool single = solver.description().find("in single precision") != std::string::npos;
            EXPECT_EQ(single, contrast < 11.5) << solver.description();
            for (const double tolerance : {1e-7, 1e-10, 1e-13}) {
                if (contrast > 11.5 && tolerance < 1e-10) continue;  // what rounding leaves is more
                Field<double> u(points), applied(points), residual(points), size(points);
                VariableControl control;
                control.tolerance = tolerance;
                const VariableResult result = solver.solve(f.view(), u.view(), {}, 1.0, control);
                EXPECT_TRUE(result.converged) << describe(problem) << " " << contrast << " " << tolerance;
                EXPECT_LT(result.iterations, 250) << describe(problem) << " " << contrast << " " << tolerance;
                solver.apply(test::read(u), applied.view());
                for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                    size.view()(i, j, k) = f.view()(i, j, k) - result.mean_removed;
                    residual.view()(i, j, k) = size.view()(i, j, k) - applied.view()(i, j, k);
                });
                const double found = norm(problem, test::read(residual)) / norm(problem, test::read(size));
                EXPECT_LE(found, std::max(2 * tolerance, 1e-12)) << describe(problem) << " " << contrast;
            }
        }
    }
}

/// f of any size, units of length of any size: the same iterations but for rounding, the same solution.
TEST(Variable, AnyUnits) {
    const Problem problem = make_problem(combination(40), {8, 9, 10});
    const Extents points = problem.grid.points();
    const Field<double> eps = smooth_coefficient<double>(points, 6.0), f = random_field<double>(points);
    Field<double> expected(points), u(points), other(points);
    VariableControl control;
    control.tolerance = 1e-12;
    VariableSolver<double> plain(problem, test_options());
    plain.set_coefficient(test::read(eps));
    plain.solve(f.view(), expected.view(), {}, 1.0, control);
    for (const double length : {1e-30, 1e-10, 1e9, 1e30})
        for (const double size : {1e-70, 1.0, 1e70}) {
            Problem scaled = problem;
            for (Axis& axis : scaled.grid.axes) axis.spacing *= length, axis.origin *= length;
            for (Index n = 0; n < f.size(); ++n) other.data()[n] = f.data()[n] * size;
            VariableSolver<double> solver(scaled, test_options());
            solver.set_coefficient(test::read(eps));
            EXPECT_TRUE(solver.solve(test::read(other), u.view(), {}, 1.0, control).converged)
                << length << " " << size;
            for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                ASSERT_NEAR(u.view()(i, j, k) / size / (length * length), expected.view()(i, j, k), 1e-9)
                    << length << " " << size;
            });
        }
}

TEST(Variable, GuessesOfAnySizeAndNoRightHandSide) {
    Problem problem = make_problem(combination(40), {8, 9, 10});
    problem.helmholtz = 1.0;
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points), zero = filled_field<double>(points, 0.0);
    Field<double> expected(points);
    VariableSolver<double> solver(problem, test_options());
    solver.set_coefficient(smooth_coefficient<double>(points, 6.0).view());
    solver.solve(f.view(), expected.view());
    VariableControl control;
    control.start_from_u = true;
    for (const double size : {1e-30, 1.0, 1e60}) {
        Field<double> u = random_field<double>(points, 9);
        for (Index n = 0; n < u.size(); ++n) u.data()[n] *= size;
        const VariableResult result = solver.solve(f.view(), u.view(), {}, 1.0, control);
        // What rounding of the guess leaves cannot be told from f where the guess is that large.
        EXPECT_TRUE(result.converged) << size;
        if (size > 1.0) continue;
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            ASSERT_NEAR(u.view()(i, j, k), expected.view()(i, j, k), 1e-6) << size;
        });
    }
    Field<double> u = random_field<double>(points, 9);
    solver.solve(zero.view(), u.view(), {}, 1.0, control);
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) { ASSERT_NEAR(u.view()(i, j, k), 0.0, 1e-9); });
    EXPECT_EQ(solver.solve(zero.view(), u.view()).iterations, 0);
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) { ASSERT_EQ(u.view()(i, j, k), 0.0); });
}

TEST(Variable, CoefficientsThatAreConstantAndNotInTurn) {
    const Problem problem = make_problem(combination(300), {6, 9, 7});
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points);
    Field<double> u(points), again(points);
    VariableSolver<double> solver(problem, test_options()), other(problem, test_options());
    const std::size_t most = VariableSolver<double>::workspace_bytes(problem, test_options());
    const Field<double> varies = smooth_coefficient<double>(points, 6.0), same = filled_field<double>(points, 3.0);
    for (const bool constant : {false, true, false, true}) {
        solver.set_coefficient(test::read(constant ? same : varies));
        const VariableResult result = solver.solve(f.view(), u.view());
        EXPECT_EQ(result.iterations == 1, constant);
        EXPECT_LE(solver.workspace(), most);
        if (constant) continue;
        other.set_coefficient(test::read(varies));
        other.solve(f.view(), again.view());
        for (Index n = 0; n < u.size(); ++n) ASSERT_EQ(u.data()[n], again.data()[n]);
    }
}

TEST(Variable, LambdaThatVaries) {
    for (int number = 0; number < combinations; number += 43) {
        Problem problem = make_problem(combination(number), {5, 8, 7});
        const Extents points = problem.grid.points();
        const Field<double> eps = smooth_coefficient<double>(points, number % 2 == 0 ? 4.0 : 0.0);
        const Field<double> f = random_field<double>(points, 1);
        Field<double> lambda = random_field<double>(points, 2);
        for (Index n = 0; n < lambda.size(); ++n)
            lambda.data()[n] = n % 3 == 0 ? 0.0 : 5.0 * std::abs(lambda.data()[n]);
        const Faces faces = faces_of(problem.grid, test::read(eps));
        Field<double> u(points), residual(points), size(points);
        VariableSolver<double> solver(problem, test_options());
        if (number % 4 < 2)
            solver.set_coefficient(test::read(eps), test::read(lambda));
        else
            solver.set_coefficient(read(faces), test::read(lambda));
        VariableControl control;
        control.tolerance = 1e-11;
        const VariableResult result = solver.solve(f.view(), u.view(), {}, 1.0, control);
        EXPECT_TRUE(result.converged) << describe(problem);
        EXPECT_LT(result.iterations, 60) << describe(problem);
        EXPECT_FALSE(result.singular);
        for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
            const double plain = plain_variable(problem, faces, test::read(u), i, j, k);
            size.view()(i, j, k) = f.view()(i, j, k);
            residual.view()(i, j, k) = f.view()(i, j, k) - plain + lambda.view()(i, j, k) * u.view()(i, j, k);
        });
        EXPECT_LE(norm(problem, test::read(residual)), 1e-10 * norm(problem, test::read(size)))
            << describe(problem);
        // A field of λ takes the place of the number, 0 everywhere the place of 0.
        problem.helmholtz = 2.0;
        VariableSolver<double> damped(problem, test_options());
        const Field<double> zero = filled_field<double>(points, 0.0);
        damped.set_coefficient(test::read(eps), test::read(zero));
        problem.helmholtz = 0.0;
        EXPECT_EQ(damped.solve(f.view(), u.view()).singular, singular(problem));
    }
}

TEST(Variable, Refusals) {
    Problem problem = make_problem(combination(0), {4, 4, 4});
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points);
    Field<double> u(points), eps = filled_field<double>(points, 1.0);
    VariableSolver<double> solver(problem, test_options());
    expect_error(ErrorCode::usage, {"set_coefficient"}, [&] { solver.solve(f.view(), u.view()); });
    eps.view()(1, 2, 3) = 0.0;
    expect_error(ErrorCode::data, {"found 0 at [1, 2, 3]"}, [&] { solver.set_coefficient(test::read(eps)); });
    eps.view()(1, 2, 3) = std::nan("");
    expect_error(ErrorCode::data, {"at [1, 2, 3]"}, [&] { solver.set_coefficient(test::read(eps)); });
    eps.view()(1, 2, 3) = 1.0;
    Field<double> lambda = filled_field<double>(points, 0.0);
    lambda.view()(3, 2, 1) = -1.0;
    expect_error(ErrorCode::data, {"helmholtz", "found -1 at [3, 2, 1]", "0 or above"},
                 [&] { solver.set_coefficient(test::read(eps), test::read(lambda)); });
    expect_error(ErrorCode::usage, {"set_coefficient"}, [&] { solver.solve(f.view(), u.view()); });
    problem.helmholtz = -1.0;
    expect_error(ErrorCode::unsupported, {"wanted 0 or more"},
                 [&] { VariableSolver<double>(problem, test_options()); });
}

}  // namespace
}  // namespace poisson3d
