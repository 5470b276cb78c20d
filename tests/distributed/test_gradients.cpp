// Gradients by members on threads: by differences the bits of one, whatever boxes they have; through the modes the
// same within rounding.
#include <gtest/gtest.h>

#include <algorithm>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "gradients.hpp"
#include "one_solver.hpp"
#include "padded_gradients.hpp"
#include "stretched_axis.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Slabs, even, of one plane and none; pencils; boxes cut along all axes.
std::vector<Decomposition> decompositions(const Extents& points, std::uint64_t seed) {
    std::vector<Index> planes{points[0] - 1, 0, 1};
    if (points[0] > 4) planes = {1, 2, 0, 1, points[0] - 4};
    return {Decomposition::slabs(points, 2), Decomposition::slabs(points, planes),
            Decomposition::pencils(points, {2, 3}), Decomposition::boxes(points, random_boxes(points, 7, seed))};
}

template <class T>
class MemberGradients : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(MemberGradients, Types);

template <class T>
void expect_same(const Gradients<T>& found, const Gradients<T>& expected, const std::string& where) {
    for (std::size_t a = 0; a < 3; ++a) EXPECT_TRUE(equal(found[a], expected[a])) << "axis " << a << ", " << where;
}

std::string text(const Problem& problem, const Decomposition& parts) {
    return describe(problem) + ", " + std::to_string(parts.members()) + " members, shape " +
           std::to_string(parts.shape()[0]) + " x " + std::to_string(parts.shape()[1]);
}

template <class T>
std::unique_ptr<FaceArrays<T>> random_faces(const Problem& problem) {
    return std::make_unique<FaceArrays<T>>(problem.grid, [](int axis, int side, std::array<Index, 3> at) {
        return uniform(at[0] * 101 + at[1] * 11 + at[2], 100 + 2 * axis + side);
    });
}

/// All 1000 mixes, with data on all faces.
TYPED_TEST(MemberGradients, HaveTheBitsOfOneByDifferences) {
    using T = TypeParam;
    for (int c = 0; c < combinations; ++c) {
        const Extents points = c % 4 == 0 ? Extents{3, 3, 4} : Extents{7, 5, 6};
        const Problem problem = make_problem(combination(c), points);
        const Field<T> u = random_field<T>(points, c);
        const auto faces = random_faces<T>(problem);
        const Gradients<T> expected = gradient_of_one(problem, u, faces->data());
        const auto all = decompositions(points, c);
        const Decomposition& parts = all[static_cast<std::size_t>(c / 4) % all.size()];
        expect_same(gradient_of_members(problem, parts, u, faces->data()), expected, text(problem, parts));
    }
}

/// One and two points along the cut axis, in periods and between walls.
TYPED_TEST(MemberGradients, HaveTheBitsOfOneOnFewPlanes) {
    using T = TypeParam;
    for (int kind = 0; kind < 10; ++kind)
        for (Index planes = 1; planes <= 4; ++planes) {
            const Problem problem = make_problem({kind, cell_p, node_dn}, {planes, 3, 4});
            const Extents points = problem.grid.points();
            if (planes < fewest_points(problem.grid.axes[0])) continue;
            const bool both_ends = planes == 2 && (kind == node_dn || kind == node_nd);
            const Field<T> u = random_field<T>(points, kind);
            const auto faces = random_faces<T>(problem);
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(planes));
            if (both_ends) {
                expect_error(ErrorCode::unsupported, {"gradient along x", "two points that two members have"},
                             [&] { gradient_of_members(problem, parts, u, faces->data()); });
                continue;
            }
            expect_same(gradient_of_members(problem, parts, u, faces->data()),
                        gradient_of_one(problem, u, faces->data()), text(problem, parts));
        }
}

/// Any spacing and Robin walls along axes that are cut, and free faces beside them.
TYPED_TEST(MemberGradients, HaveTheBitsOfOneOnUnevenAxes) {
    using T = TypeParam;
    Problem problem = make_problem(combination(212), {11, 7, 6});
    problem.grid.axes[0] = stretched_axis(Centering::cell, {Boundary::robin, Boundary::neumann, ""}, 11, 20.0, 1);
    problem.grid.axes[1] = stretched_axis(Centering::node, {Boundary::dirichlet, Boundary::robin, ""}, 7, 9.0, 2);
    problem.grid.axes[2].upper = Boundary::free;
    const Extents points = problem.grid.points();
    const Field<T> u = random_field<T>(points, 5);
    const auto faces = random_faces<T>(problem);
    const Gradients<T> expected = gradient_of_one(problem, u, faces->data());
    for (std::uint64_t seed = 0; seed < 5; ++seed)
        for (const Decomposition& parts : decompositions(points, seed))
            expect_same(gradient_of_members(problem, parts, u, faces->data()), expected, text(problem, parts));
}

/// Of a solution that members found, with what they found on its free faces.
TYPED_TEST(MemberGradients, FollowASolveWithFreeFaces) {
    using T = TypeParam;
    for (int number = 0; number < 8; ++number) {
        const Problem problem = free_problem(number, {9, 7, 12});
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, number);
        for (const Decomposition& parts : decompositions(points, number)) {
            DistributedSolver<T> solver(problem, parts, threads(parts.members()));
            Field<T> u = filled_field<T>(points);
            const auto from = boxes_of<const T>(parts, f.view());
            const auto to = boxes_of<T>(parts, u.view());
            solver.solve(std::span(from), std::span(to));
            const Gradients<T> expected = gradient_of_one(problem, u, solver.faces());
            Gradients<T> found = filled_gradient<T>(points);
            DistributedGradient<T> gradient(problem, parts, threads(parts.members()));
            const auto solution = boxes_of<const T>(parts, read(u));
            const auto components = components_of<T>(parts, found);
            const auto faces = solver.member_faces();
            gradient.evaluate(std::span(solution), std::span(components), std::span(faces));
            expect_same(found, expected, text(problem, parts));
        }
    }
}

TYPED_TEST(MemberGradients, AgreeWithOneThroughTheModes) {
    using T = TypeParam;
    Worst<T> worst("spectral gradient");
    for (int c = 0; c < combinations; c += 13) {
        const Extents points = c % 3 == 0 ? Extents{5, 4, 3} : Extents{9, 16, 7};
        const Problem problem = make_problem(combination(c), points, Discretization::spectral);
        const Field<T> u = random_field<T>(points, c);
        const Gradients<T> expected = gradient_of_one(problem, u);
        double largest_slope = 0.0;
        for (const Field<T>& one : expected) largest_slope = std::max(largest_slope, largest(one));
        for (const Decomposition& parts : decompositions(points, c)) {
            const Gradients<T> found = gradient_of_members(problem, parts, u);
            for (std::size_t a = 0; a < 3; ++a)
                worst.check(largest_difference(found[a], expected[a]) / largest_slope, tolerance::solve<T>(points),
                            text(problem, parts));
        }
    }
}

/// Views with pitches and ghosts; what is not asked for is left out; a second evaluation is like the first.
TYPED_TEST(MemberGradients, KeepToTheirViews) {
    using T = TypeParam;
    for (const Discretization discretization : discretizations) {
        const Problem problem = make_problem(combination(617), {11, 8, 9}, discretization);
        const Extents points = problem.grid.points();
        const Decomposition parts = Decomposition::slabs(points, std::vector<Index>{3, 0, 7, 1});
        const Field<T> u = random_field<T>(points, 1);
        const Gradients<T> expected = gradient_of_members(problem, parts, u);
        DistributedGradient<T> gradient(problem, parts, threads(4), {.threads = 3});
        for (const std::size_t left_out : {0, 1, 2}) {
            PaddedGradients<T> padded(parts, u, left_out);
            gradient.evaluate(std::span(std::as_const(padded.u)), std::span(std::as_const(padded.to)));
            padded.expect(expected, describe(problem));
        }
    }
}

TEST(DistributedGradient, TellsWhatTravels) {
    Problem problem = make_problem(combination(111), {16, 12, 20});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 4);
    DistributedGradient<double> central(problem, parts, threads(4), {.threads = 8});
    EXPECT_EQ(central.traffic().messages, 6);  // a plane over each of three cuts, both ways
    EXPECT_EQ(central.traffic().bytes, 6.0 * 12 * 20 * 8);
    EXPECT_EQ(central.threads(), 8);
    EXPECT_LE(central.workspace(), (6u + 18u) * 12 * 20 * 8);
    problem.discretization = Discretization::spectral;
    const DistributedGradient<double> spectral(problem, parts, threads(4));
    EXPECT_EQ(spectral.traffic().bytes, 2.0 * 16 * 12 * 20 * 8 * 3 / 4);
}

TEST(DistributedGradient, RefusesWhatItCannotHave) {
    Problem problem = make_problem(combination(111), {16, 12, 20});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 2);
    expect_error(ErrorCode::usage, {"found a decomposition for 2 members, wanted 3"},
                 [&] { DistributedGradient<double>(problem, parts, threads(3)); });
    expect_error(ErrorCode::unsupported, {"found the way nccl of members that are not on devices"},
                 [&] { DistributedGradient<double>(problem, parts, threads(2), {.way = Way::nccl}); });
    const Field<double> u = random_field<double>(points);
    Gradients<double> found = filled_gradient<double>(points);
    const auto from = boxes_of<const double>(parts, u.view());
    auto to = components_of<double>(parts, found);
    const auto evaluate = [&](DistributedGradient<double>& gradient) {
        gradient.evaluate(std::span(from), std::span(std::as_const(to)));
    };
    DistributedGradient<double> gradient(problem, parts, threads(2));
    expect_error(ErrorCode::usage, {"found 1 views of u, wanted 2"},
                 [&] { gradient.evaluate(std::span(from).first(1), std::span(std::as_const(to))); });
    to[1][2].extents[0] = 7;
    expect_error(ErrorCode::usage, {"d/dz of member 1", "7 x 12 x 20", "8 x 12 x 20"}, [&] { evaluate(gradient); });
    to = components_of<double>(parts, found);
    problem.discretization = Discretization::spectral;
    DistributedGradient<double> spectral(problem, parts, threads(2));
    to[1][0] = {};
    expect_error(ErrorCode::usage, {"d/dx", "left out by some members"}, [&] { evaluate(spectral); });
    to[1][0] = to[0][0], to[1][1] = {};
    evaluate(spectral);
    const std::vector<BoundaryData<double>> data(2, [] {
        BoundaryData<double> walls;
        walls.faces[2][0].constant = 1.0;
        return walls;
    }());
    expect_error(ErrorCode::unsupported, {"spectral discretization takes no boundary data"},
                 [&] { spectral.evaluate(std::span(from), std::span(std::as_const(to)), std::span(data)); });
}

}  // namespace
}  // namespace poisson3d
