// Members with boxes of their own: recognised where they are slabs or pencils, else the bits of the slabs or
// pencils in which they are solved.
#include <gtest/gtest.h>

#include "boxes.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "members.hpp"
#include "one_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class OwnBoxes : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(OwnBoxes, Types);

/// Every seventh mix of kinds, with 1 to 9 members.
TYPED_TEST(OwnBoxes, SolveToTheBitsOfThoseSolvedIn) {
    using T = TypeParam;
    int redistributed = 0;
    for (int c = 0; c < combinations; c += 7) {
        const Problem problem = make_problem(combination(c), {7, 5, c % 2 == 0 ? 11 : 3},
                                             discretizations[c % 3 == 0], c % 4 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        const int members = 1 + c % 9;
        const Decomposition parts = Decomposition::boxes(points, random_boxes(points, members, 1 + c));
        redistributed += parts.redistributed();
        const Field<T> f = random_field<T>(points, c);
        Result own, inner;
        for (const Method method : {Method::transpose, Method::automatic}) {
            const Field<T> u = solved_by_members(problem, parts, f, method, {}, &own);
            const Field<T> expected = solved_by_members(problem, parts.solved_in(), f, method, {}, &inner);
            EXPECT_TRUE(equal(u, expected)) << describe(problem);
            EXPECT_EQ(own.mean_removed, inner.mean_removed);
        }
    }
    EXPECT_GT(redistributed, 80);
}

/// A member for each point, of 1 × 1 × 1, 2 × 3 × 1 and 3 × 2 × 5 points.
TYPED_TEST(OwnBoxes, OfSinglePoints) {
    using T = TypeParam;
    for (const Extents& points : {Extents{1, 1, 1}, Extents{2, 3, 1}, Extents{3, 2, 5}}) {
        std::vector<Box> boxes;
        for (Index i = points[0] - 1; i >= 0; --i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k) boxes.push_back({{i, j, k}, {1, 1, 1}});
        const Problem problem = make_problem(combination(111), points);
        const Decomposition parts = Decomposition::boxes(points, boxes);
        const Field<T> f = random_field<T>(points, 1);
        EXPECT_TRUE(equal(solved_by_members(problem, parts, f, Method::transpose),
                          solved_by_members(problem, parts.solved_in(), f, Method::transpose)));
    }
}

/// Numbers on some faces, arrays with gaps on others; Dirichlet nodes that another member has.
TYPED_TEST(OwnBoxes, TakeBoundaryData) {
    using T = TypeParam;
    for (const int c : {111, 222, 444, 166, 661, 848, 973}) {
        const Problem problem = make_problem(combination(c), {9, 7, 8});
        const Extents points = problem.grid.points();
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        BoundaryData<T> numbers;
        for (std::size_t a = 0; a < 3; ++a)
            if (!problem.grid.axes[a].periodic()) numbers.faces[a][1].constant = T(1) + static_cast<T>(a);
        const Field<T> f = random_field<T>(points, c);
        for (int members = 5; members < 14; members += 4) {
            const Decomposition parts = Decomposition::boxes(points, random_boxes(points, members, members));
            ASSERT_TRUE(parts.redistributed());
            for (const BoundaryData<T>& data : {faces.data(), numbers})
                for (const Method method : {Method::transpose, Method::eliminate})
                    EXPECT_TRUE(equal(solved_by_members(problem, parts, f, method, data),
                                      solved_by_members(problem, parts.solved_in(), f, method, data)))
                        << describe(problem) << ", " << members;
        }
    }
}

/// Batches with data of their own, ghosts, u over f, the gauge at a point, the operator, again and again.
TYPED_TEST(OwnBoxes, KeepToTheirViews) {
    using T = TypeParam;
    Problem problem = make_problem(combination(222), {9, 7, 8});
    problem.gauge.point = {4, 6, 3};
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::boxes(points, random_boxes(points, 7, 3));
    const int members = parts.members();
    DistributedSolver<T> solver(problem, parts, threads(members), {.batch = 2});
    DistributedSolver<T> inner(problem, parts.solved_in(), threads(members), {.batch = 2});
    const Field<T> f = random_field<T>({2 * points[0], points[1], points[2]}, 1);
    Field<T> expected = filled_field<T>(f.extents()), u = filled_field<T>(f.extents());
    const Index next = points[0] * points[1] * points[2];
    const std::vector<T> wall(static_cast<std::size_t>(3 * points[1] * points[2]), T(0.5));
    BoundaryData<T> data;
    data.faces[0][1] = {T(0), wall.data(), points[2], points[1] * points[2]};
    data.faces[2][0].constant = T(-1);
    const auto batches = [&](const Decomposition& of, auto view) {
        using U = std::remove_reference_t<decltype(*view.data)>;
        std::vector<FieldBatch<U>> all;
        for (const auto& box : boxes_of<U>(of, view.slab(0, points[0]))) all.emplace_back(box, 2, next);
        return all;
    };
    const auto solve = [&](DistributedSolver<T>& by, const Decomposition& of, Field<T>& to) {
        const auto faces = data_of(of, data);
        by.solve(std::span<const FieldBatch<const T>>(batches(of, read(f))),
                 std::span<const FieldBatch<T>>(batches(of, to.view())), std::span(faces), T(2));
    };
    solve(inner, parts.solved_in(), expected);
    for (int time = 0; time < 3; ++time) {
        solve(solver, parts, u);
        EXPECT_TRUE(equal(u, expected));
        EXPECT_EQ(u.view()(4, 6, 3), T(0));
        EXPECT_EQ(solver.results()[1].mean_removed, inner.results()[1].mean_removed);
    }
    // u over f in boxes with ghosts, and the operator.
    std::vector<Padded<T>> padded;
    std::vector<FieldView<T>> to;
    padded.reserve(static_cast<std::size_t>(members));
    const auto boxes = boxes_of<const T>(parts, read(f).slab(0, points[0]));
    for (const auto& box : boxes) {
        padded.emplace_back(box.extents, Extents{1, 2, 3}, Extents{2, 1, 5});
        to.push_back(padded.back().view());
    }
    solver.apply(std::span(boxes), std::span<const FieldView<T>>(to));
    const std::vector<FieldView<const T>> applied(to.begin(), to.end());
    solver.solve(std::span(applied), std::span<const FieldView<T>>(to));
    Field<T> one = filled_field<T>(points), two = filled_field<T>(points);
    const auto whole = boxes_of<const T>(parts.solved_in(), read(f).slab(0, points[0]));
    const auto first = boxes_of<T>(parts.solved_in(), one.view()),
               second = boxes_of<T>(parts.solved_in(), two.view());
    inner.apply(std::span(whole), std::span(first));
    const std::vector<FieldView<const T>> between(first.begin(), first.end());
    inner.solve(std::span(between), std::span(second));
    const auto wanted = boxes_of<const T>(parts, read(two));
    for (std::size_t m = 0; m < to.size(); ++m) {
        EXPECT_EQ(padded[m].damage(), 0);
        EXPECT_EQ(different(FieldView<const T>(to[m]), wanted[m]), 0);
    }
}

TEST(OwnBoxesSolver, RecognisesSlabsAndPencils) {
    const Extents points{9, 7, 8};
    for (const Decomposition& parts :
         {Decomposition::slabs(points, {4, 0, 5}), Decomposition::slabs(points, 4).in_order_of({2, 0, 3, 1}),
          Decomposition::pencils(points, {2, 3}),
          Decomposition::pencils(points, {3, 2}).in_order_of({5, 4, 3, 2, 1, 0}),
          Decomposition::pencils(points, {4, 0, 5}, {6, 1}), Decomposition::slabs(points, 12)}) {
        std::vector<Box> boxes;
        for (int m = 0; m < parts.members(); ++m) boxes.push_back(parts.box(m));
        const Decomposition found = Decomposition::boxes(points, boxes);
        EXPECT_FALSE(found.redistributed());
        for (std::size_t m = 0; m < boxes.size(); ++m)
            if (size_of(boxes[m]) == 0) boxes[m] = {{3, 2, 1}, {0, 5, 0}};  // of no points, wherever
        const Decomposition again = Decomposition::boxes(points, boxes);
        EXPECT_FALSE(again.redistributed());
        for (int m = 0; m < parts.members(); ++m) {
            const Box& box = boxes[static_cast<std::size_t>(m)];
            EXPECT_EQ(found.box(m), parts.box(m));
            EXPECT_EQ(again.box(m), box);
            EXPECT_EQ(size_of(again.solved_in().box(m)), size_of(box));
            if (size_of(box) == 0) continue;
            EXPECT_EQ(again.solved_in().box(m), box);
        }
        const Problem problem = make_problem(combination(222), points);
        const Field<double> f = random_field<double>(points, 1);
        EXPECT_TRUE(equal(solved_by_members(problem, again, f, Method::transpose),
                          solved_by_members(problem, parts, f, Method::transpose)));
    }
}

TEST(OwnBoxesSolver, KnowsWhoHasAPoint) {
    const Extents points{5, 3, 4};
    const Decomposition parts = Decomposition::boxes(points, random_boxes(points, 6, 2));
    const Decomposition other = parts.in_order_of({5, 4, 3, 2, 1, 0});
    ASSERT_TRUE(parts.redistributed());
    for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 3; ++j)
            for (Index k = 0; k < 4; ++k) {
                const Box& box = parts.box(parts.owner(i, j, k));
                EXPECT_EQ(size_of(intersection(box, {{i, j, k}, {1, 1, 1}})), 1);
                EXPECT_EQ(other.owner(i, j, k), 5 - parts.owner(i, j, k));
            }
    EXPECT_EQ(other.solved_in().place(1), parts.solved_in().place(4));
}

TEST(OwnBoxesSolver, RefusesWhatDoesNotTile) {
    const Extents points{4, 3, 2};
    const auto refuse = [&](std::vector<Box> boxes, const std::vector<std::string>& words) {
        expect_error(ErrorCode::usage, words, [&] { (void)Decomposition::boxes(points, boxes); });
    };
    refuse({}, {"found 0 members"});
    refuse({{{0, 0, 0}, {4, 3, 1}}}, {"found 12 points", "wanted 24"});
    refuse({{{0, 0, 0}, {4, 3, 2}}, {{3, 2, 1}, {1, 1, 1}}}, {"members 0", "and 1", "overlap"});
    refuse({{{0, 0, 0}, {4, 3, 1}}, {{0, 0, 1}, {4, 3, 2}}}, {"member 1", "axis 2", "2 points from 1"});
    refuse({{{0, 0, 0}, {4, 3, 2}}, {{0, -1, 0}, {0, 1, 0}}}, {"member 1", "axis 1", "from -1"});
    // Overlapping as many points as are missing.
    refuse({{{0, 0, 0}, {2, 3, 2}}, {{1, 0, 0}, {2, 3, 2}}}, {"overlap"});
}

TEST(OwnBoxesSolver, TellsWhatTravels) {
    const Extents points{8, 6, 4};
    const Problem problem = make_problem(combination(111), points, Discretization::spectral);
    // Two halves of z, solved in as two halves of x: a quarter of the field each way.
    const Decomposition parts = Decomposition::boxes(points, {{{0, 0, 0}, {8, 6, 2}}, {{0, 0, 2}, {8, 6, 2}}});
    const DistributedSolver<double> solver(problem, parts, threads(2)),
        inner(problem, parts.solved_in(), threads(2));
    EXPECT_EQ(solver.traffic().messages, inner.traffic().messages + 4);
    EXPECT_EQ(solver.traffic().bytes, inner.traffic().bytes + 8.0 * 8 * 6 * 4);
    for (int m = 0; m < 2; ++m) {
        EXPECT_EQ(solver.sent_by(m).messages, inner.sent_by(m).messages + 2) << m;
        EXPECT_EQ(solver.sent_by(m).bytes, inner.sent_by(m).bytes + 8.0 * 8 * 6 * 2) << m;
    }
    EXPECT_NE(solver.description().find("from and to boxes of their own by 4 messages of 1536 bytes"),
              std::string::npos)
        << solver.description();
    EXPECT_GT(solver.workspace(), inner.workspace());
}

}  // namespace
}  // namespace poisson3d
