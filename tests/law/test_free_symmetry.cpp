// Symmetries of free space: linear, self-adjoint, the same for axes in any order, and for fields in a batch or in
// place.
#include <gtest/gtest.h>

#include <cmath>

#include "free_laws.hpp"

namespace poisson3d {
namespace {

using namespace test;

using FreeSymmetry = FreeSpaceTest;

/// f and u as small and as large as Solver::range() says: powers of two, which alone change no digit.
template <class T>
void expect_same_digits(const Mix& mix, Discretization discretization) {
    const Problem problem = make_problem(mix, {9, 8, 11}, discretization);
    TestSolver<T> solver(problem);
    const auto [smallest, most] = solver.solver().range();
    const Field<T> f = random_field<T>(problem.grid.points(), 6);
    Field<T> u = filled_field<T>(problem.grid.points());
    solver.solve(f.view(), u.view());
    const double size = largest(u);
    for (const double factor : {std::exp2(std::ceil(std::log2(smallest / std::min(1.0, size)))),
                                std::exp2(std::floor(std::log2(most / std::max(1.0, size))))}) {
        Field<T> scaled(problem.grid.points()), v = filled_field<T>(problem.grid.points());
        for (Index i = 0; i < f.size(); ++i) scaled.data()[i] = static_cast<T>(factor) * f.data()[i];
        solver.solve(scaled.view(), v.view());
        for (Index i = 0; i < f.size(); ++i) v.data()[i] /= static_cast<T>(factor);
        EXPECT_LE(difference(v, u), tolerance::solve<T>(problem.grid.points()))
            << describe(mix) << ", " << name(discretization) << ", times " << factor;
    }
}

TEST_F(FreeSymmetry, SmallAndLargeNumbersKeepTheirDigits) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : free_discretizations) {
            expect_same_digits<double>(mix, discretization);
            expect_same_digits<float>(mix, discretization);
        }
}

TEST_F(FreeSymmetry, SolvesAreLinearAndSelfAdjoint) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : free_discretizations) {
            const Problem problem = make_problem(mix, {6, 5, 7}, discretization);
            const Extents n = problem.grid.points();
            const auto f = random_field<double>(n, 4), g = random_field<double>(n, 5);
            Field<double> sum(n);
            for (Index i = 0; i < f.size(); ++i) sum.data()[i] = f.data()[i] - 0.75 * g.data()[i];
            const Field<double> u = solved(problem, f), v = solved(problem, g), w = solved(problem, sum);
            double error = 0, here = 0, there = 0, size = 0;
            for (Index i = 0; i < n[0]; ++i)
                for (Index j = 0; j < n[1]; ++j)
                    for (Index k = 0; k < n[2]; ++k) {
                        const std::array<Index, 3> at{i, j, k};
                        double weight = 1;
                        for (int a = 0; a < 3; ++a) {
                            const Axis& axis = problem.grid.axes[a];
                            if (axis.centering != Centering::node || axis.periodic()) continue;
                            const Boundary wall = at[a] == 0                 ? axis.lower
                                                  : at[a] == axis.points - 1 ? axis.upper
                                                                             : Boundary::free;
                            weight *= wall == Boundary::neumann ? 0.5 : wall == Boundary::dirichlet ? 0 : 1;
                        }
                        error = std::max(
                            error, std::abs(u.view()(i, j, k) - 0.75 * v.view()(i, j, k) - w.view()(i, j, k)));
                        here += weight * u.view()(i, j, k) * g.view()(i, j, k);
                        there += weight * v.view()(i, j, k) * f.view()(i, j, k);
                        size += weight * std::abs(v.view()(i, j, k) * f.view()(i, j, k));
                    }
            const double allowed = 2 * tolerance::solve<double>(n);
            EXPECT_LE(error, allowed * std::max(largest(u), largest(v))) << describe(mix);
            EXPECT_NEAR(here, there, allowed * size) << describe(mix);
        }
}

TEST_F(FreeSymmetry, AxesMayBePermuted) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : free_discretizations)
            for (const Middle way : ways) {
                const Problem problem = make_problem(mix, {4, 5, 6}, discretization);
                const Extents n = problem.grid.points();
                const auto f = random_field<double>(n, 4);
                const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
                for (const std::array<int, 3>& order : {std::array{1, 2, 0}, {2, 0, 1}, {1, 0, 2}}) {
                    Problem turned = problem;
                    for (int a = 0; a < 3; ++a) turned.grid.axes[a] = problem.grid.axes[order[a]];
                    Field<double> g(turned.grid.points()), expected(turned.grid.points());
                    for (Index i = 0; i < n[0]; ++i)
                        for (Index j = 0; j < n[1]; ++j)
                            for (Index k = 0; k < n[2]; ++k) {
                                const std::array<Index, 3> at{i, j, k};
                                g.view()(at[order[0]], at[order[1]], at[order[2]]) = f.view()(i, j, k);
                                expected.view()(at[order[0]], at[order[1]], at[order[2]]) = u.view()(i, j, k);
                            }
                    EXPECT_LE(difference(solved(turned, g, nullptr, 1.0, by_way(way)), expected),
                              2 * tolerance::solve<double>(n))
                        << describe(mix) << ", " << name(way);
                }
            }
}

TEST_F(FreeSymmetry, BatchesAndFieldsInPlaceGiveTheSameBits) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : free_discretizations)
            for (const Middle way : ways) {
                const Problem problem = make_problem(mix, {6, 5, 7}, discretization);
                const Extents n = problem.grid.points();
                Options options = by_way(way);
                options.batch = 3;
                Solver<double> solver(problem, options);
                Field<double> f({3 * n[0], n[1], n[2]}), u({3 * n[0], n[1], n[2]});
                for (Index i = 0; i < f.size(); ++i) f.data()[i] = uniform(i, 7);
                const Index size = n[0] * n[1] * n[2];
                const Strides strides{n[1] * n[2], n[2], 1};
                solver.solve(FieldBatch<const double>{FieldView<const double>(f.data(), n, strides), 3, size},
                             FieldBatch<double>{FieldView<double>(u.data(), n, strides), 3, size});
                for (Index b = 0; b < 3; ++b) {
                    Field<double> alone(n), in_place(n);
                    for (Index i = 0; i < size; ++i) in_place.data()[i] = f.data()[b * size + i];
                    solver.solve(in_place.view(), alone.view());
                    solver.solve(in_place.view(), in_place.view());
                    for (Index i = 0; i < size; ++i) {
                        ASSERT_EQ(alone.data()[i], u.data()[b * size + i]) << describe(mix) << ", " << name(way);
                        ASSERT_EQ(in_place.data()[i], alone.data()[i]) << describe(mix) << ", " << name(way);
                    }
                }
            }
}

}  // namespace
}  // namespace poisson3d
