// Members with pencils against one solver: the same bits where lines that round together stay together, else the
// same solution, by both methods.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "members.hpp"
#include "one_solver.hpp"
#include "pencils.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class Pencils : public testing::Test {
protected:
    void check(const Problem& problem, const Field<T>& u, const Field<T>& expected) {
        worst_.check(relative_error(read(u), long_field(expected).view()),
                     2 * tolerance::solve<T>(problem.grid.points()), describe(problem));
    }
    Worst<T> worst_{"pencils"};
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Pencils, Types);

/// A sample of the 1000 mixes of kinds, each with one of the decompositions.
TYPED_TEST(Pencils, SolveWhatOneSolves) {
    using T = TypeParam;
    for (int c = 0; c < combinations; c += 3) {
        const Problem problem = make_problem(combination(c), {7, 6, c % 2 == 0 ? 17 : 5},
                                             discretizations[c % 7 == 0], c % 4 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        const Decomposition parts = pencils(points)[static_cast<std::size_t>(c / 3 % 6)];
        const Field<T> f = random_field<T>(points, c);
        Result one, many;
        const Field<T> expected = solved_by_one(problem, f, Middle::transform, {}, &one);
        this->check(problem, solved_by_members(problem, parts, f, Method::transpose, {}, &many), expected);
        EXPECT_EQ(one.singular, many.singular);
        EXPECT_NEAR(one.mean_removed, many.mean_removed, 8 * tolerance::eps<T>) << describe(problem);
        if (problem.discretization == Discretization::spectral) continue;
        this->check(problem, solved_by_members(problem, parts, f, Method::eliminate, {}, &many), expected);
        EXPECT_NEAR(one.mean_removed, many.mean_removed, 8 * tolerance::eps<T>) << describe(problem);
    }
}

/// Cut before unknowns 32 and 64 of y, three columns share z.
TYPED_TEST(Pencils, TransposeToTheBitsOfOne) {
    using T = TypeParam;
    for (const int c : {111, 229, 441, 666, 888, 702}) {
        const Problem problem = make_problem(combination(c), {9, 71, 101}, discretizations[c == 702]);
        const Extents points = problem.grid.points();
        const Axis& y = problem.grid.axes[1];
        const Index first = y.centering == Centering::node && y.lower == Boundary::dirichlet ? 1 : 0;
        const Decomposition parts =
            Decomposition::pencils(points, {5, 0, 4}, {first + 32, 32, points[1] - first - 64});
        const Field<T> f = random_field<T>(points, c);
        Result one, many;
        const Field<T> expected = solved_by_one(problem, f, Middle::transform, {}, &one);
        EXPECT_TRUE(equal(solved_by_members(problem, parts, f, Method::transpose, {}, &many), expected))
            << describe(problem);
        EXPECT_EQ(one.mean_removed, many.mean_removed);
    }
}

/// Data on all faces, of cut and whole axes, in arrays with gaps.
TYPED_TEST(Pencils, TakeBoundaryData) {
    using T = TypeParam;
    for (const int c : {111, 222, 444, 166, 661, 848, 973}) {
        const Problem problem = make_problem(combination(c), {9, 7, 18});
        const Extents points = problem.grid.points();
        // The same on edges that Dirichlet nodes share: a function of the point.
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        const Field<T> f = random_field<T>(points, c);
        const Field<T> expected = solved_by_one(problem, f, Middle::transform, faces.data());
        for (const Decomposition& parts : pencils(points))
            for (const Method method : {Method::transpose, Method::eliminate})
                this->check(problem, solved_by_members(problem, parts, f, method, faces.data()), expected);
    }
}

/// The first axis is free or has any spacing, the second is multiplied with a matrix.
TYPED_TEST(Pencils, EliminateWhatHasNoTransform) {
    using T = TypeParam;
    Problem free = make_problem(combination(62), {9, 7, 18});
    free.grid.axes[0].lower = free.grid.axes[0].upper = Boundary::free;
    Problem uneven = make_problem(combination(212), {23, 9, 17});
    uneven.grid.axes[0].widths = random_steps(23, 20.0, 1);
    Problem two = uneven;
    two.grid.axes[1].widths = random_steps(9, 20.0, 2);
    for (const Problem& problem : {free, uneven, two}) {
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, 1);
        const Field<T> expected = solved_by_one(problem, f, Middle::automatic);
        for (const Decomposition& parts : pencils(points))
            this->check(problem, solved_by_members(problem, parts, f, Method::automatic), expected);
    }
}

/// The gauge at a point is exact, and a large mean is removed, whoever has them.
TYPED_TEST(Pencils, FixTheGaugeAndRemoveTheMean) {
    using T = TypeParam;
    for (const int c : {222, 0, 277})
        for (const Index row : {Index{0}, Index{6}}) {
            Problem problem = make_problem(combination(c), {9, 7, 18});
            problem.gauge.point = {4, row, 11};
            const Extents points = problem.grid.points();
            Field<T> f = random_field<T>(points, c);
            for (Index i = 0; i < f.size(); ++i) f.data()[i] += T(1000);
            Result one, many;
            const Field<T> expected = solved_by_one(problem, f, Middle::transform, {}, &one);
            for (const Decomposition& parts : pencils(points))
                for (const Method method : {Method::transpose, Method::eliminate}) {
                    const Field<T> u = solved_by_members(problem, parts, f, method, {}, &many);
                    this->check(problem, u, expected);
                    EXPECT_EQ(u.view()(4, row, 11), T(0));
                    EXPECT_NEAR(many.mean_removed, one.mean_removed, 1000 * 4 * tolerance::eps<T>);
                }
        }
}

/// u := (∇² − λ) f, in place with pitches and ghosts, as often as one likes with the same bits, and batches.
TYPED_TEST(Pencils, ApplyAndKeepToTheirViews) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(617), {11, 8, 19}, Discretization::second_order, 0.3);
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 1);
    Solver<T> one(problem, one_thread(Middle::transform));
    Field<T> expected = filled_field<T>(points);
    one.apply(f.view(), expected.view(), T(0.5));
    for (const Decomposition& parts : pencils(points))
        for (const Method method : {Method::transpose, Method::eliminate}) {
            DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.method = method, .batch = 2});
            std::vector<Padded<T>> padded;
            std::vector<FieldView<T>> to;
            padded.reserve(static_cast<std::size_t>(parts.members()));
            const auto boxes = boxes_of<const T>(parts, f.view());
            for (const auto& box : boxes) {
                padded.emplace_back(box.extents, Extents{1, 2, 3}, Extents{2, 1, 5});
                to.push_back(padded.back().view());
            }
            solver.apply(std::span(boxes), std::span<const FieldView<T>>(to), T(0.5));
            Field<T> u = filled_field<T>(points), again = filled_field<T>(points);
            const auto into = boxes_of<T>(parts, u.view());
            for (std::size_t m = 0; m < to.size(); ++m) {
                EXPECT_EQ(padded[m].damage(), 0);
                for (Index i = 0; i < to[m].extents[0]; ++i)
                    for (Index j = 0; j < to[m].extents[1]; ++j)
                        for (Index k = 0; k < to[m].extents[2]; ++k) into[m](i, j, k) = to[m](i, j, k);
            }
            this->check(problem, u, expected);
            // f over u, twice, and as a batch.
            const Field<T> solved = solved_by_members(problem, parts, f, method);
            Field<T> both({2 * points[0], points[1], points[2]});
            for (Index i = 0; i < both.size(); ++i) both.data()[i] = f.data()[i % f.size()];
            std::vector<FieldBatch<T>> u_batches;
            for (const auto& box : boxes_of<T>(parts, both.view().slab(0, points[0])))
                u_batches.emplace_back(box, 2, f.size());
            const std::vector<FieldBatch<const T>> f_batches(u_batches.begin(), u_batches.end());
            solver.solve(std::span(f_batches), std::span<const FieldBatch<T>>(u_batches));
            for (Index i = 0; i < both.size(); ++i) ASSERT_EQ(both.data()[i], solved.data()[i % f.size()]) << i;
        }
}

TEST(PencilSolver, TellsWhatTravels) {
    Problem problem = make_problem(combination(111), {16, 12, 20}, Discretization::spectral);
    const Decomposition parts = Decomposition::pencils(problem.grid.points(), {2, 2});
    const DistributedSolver<double> solver(problem, parts, threads(4));
    // Half the field, four times; the mean between two, in both columns and from one of them in both rows.
    EXPECT_EQ(solver.traffic().bytes, 8.0 * (4 * 16 * 12 * 20 / 2 + 2 + 2));
    EXPECT_EQ(solver.traffic().messages, 4 * 4 + 2 + 2);
    EXPECT_NE(solver.description().find("x and y transposed over 4 members on threads, 2 x 2"), std::string::npos)
        << solver.description();
}

}  // namespace
}  // namespace poisson3d
