// Members on threads against one solver: the same bits where blocks are transposed, the same solution where the
// split axis is eliminated.
#include <gtest/gtest.h>

#include <cstring>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "members.hpp"
#include "one_solver.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Even, uneven, with one plane, with none.
std::vector<Decomposition> decompositions(const Extents& points) {
    const Index n = points[0];
    return {Decomposition::slabs(points, 2), Decomposition::slabs(points, 3), Decomposition::slabs(points, 5),
            Decomposition::slabs(points, std::vector<Index>{n - 1, 1}),
            Decomposition::slabs(points, std::vector<Index>{1, n - 2, 0, 1})};
}

template <class T>
class Members : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Members, Types);

/// All 1000 mixes of kinds, each on one of the decompositions, by both methods.
TYPED_TEST(Members, SolveWhatOneSolves) {
    using T = TypeParam;
    Worst<T> worst("members");
    for (int c = 0; c < combinations; ++c) {
        const Kinds which = combination(c);
        Problem problem = make_problem(which, {7, 6, 17}, discretizations[c % 7 == 0], c % 3 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        const Decomposition parts = decompositions(points)[static_cast<std::size_t>(c % 5)];
        const Field<T> f = random_field<T>(points, c);
        Result one, many;
        const Field<T> expected = solved_by_one(problem, f, Middle::transform, {}, &one);
        const Field<T> u = solved_by_members(problem, parts, f, Method::transpose, {}, &many);
        EXPECT_TRUE(equal(u, expected)) << describe(problem) << ", " << parts.members() << " members";
        EXPECT_EQ(one.mean_removed, many.mean_removed) << describe(problem);
        if (problem.discretization == Discretization::spectral) continue;
        const Field<T> eliminated = solved_by_members(problem, parts, f, Method::eliminate, {}, &many);
        worst.check(relative_error(read(eliminated), long_field(expected).view()), 2 * tolerance::solve<T>(points),
                    describe(problem));
        EXPECT_EQ(one.singular, many.singular);
    }
}

/// Larger boxes, odd and prime, where lines along x and y lie across z.
TYPED_TEST(Members, SolveLargerBoxes) {
    using T = TypeParam;
    Worst<T> worst("larger boxes");
    const std::vector<std::pair<Extents, int>> cases{{{64, 31, 48}, 7},   {{33, 29, 129}, 229},
                                                     {{97, 16, 32}, 441}, {{128, 9, 32}, 222},
                                                     {{40, 17, 65}, 888}, {{211, 8, 34}, 666}};
    for (const auto& [points, c] : cases)
        for (const Index members : {2, 3, 8}) {
            const Problem problem = make_problem(combination(c), points);
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(members));
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected = solved_by_one(problem, f, Middle::transform);
            EXPECT_TRUE(equal(solved_by_members(problem, parts, f, Method::transpose), expected))
                << describe(problem) << ", " << members << " members";
            worst.check(relative_error(read(solved_by_members(problem, parts, f, Method::eliminate)),
                                       long_field(expected).view()),
                        2 * tolerance::solve<T>(points), describe(problem));
        }
}

/// Data on all faces, of split and unsplit axes, in arrays with gaps.
TYPED_TEST(Members, TakeBoundaryData) {
    using T = TypeParam;
    Worst<T> worst("boundary data");
    for (const int c : {111, 222, 333, 444, 166, 616, 661, 777, 848, 289, 973}) {
        const Problem problem = make_problem(combination(c), {9, 7, 18});
        const Extents points = problem.grid.points();
        // The same on edges that Dirichlet nodes share: a function of the point.
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        for (const Decomposition& parts : decompositions(points)) {
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected = solved_by_one(problem, f, Middle::transform, faces.data());
            EXPECT_TRUE(equal(solved_by_members(problem, parts, f, Method::transpose, faces.data()), expected))
                << describe(problem) << ", " << parts.members() << " members";
            worst.check(relative_error(read(solved_by_members(problem, parts, f, Method::eliminate, faces.data())),
                                       long_field(expected).view()),
                        2 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// The split axis is free, on both sides or with a wall, beside periodic lines and walls.
TYPED_TEST(Members, SolveWithAFreeSplitAxis) {
    using T = TypeParam;
    Worst<T> worst("free split axis");
    constexpr Boundary F = Boundary::free, D = Boundary::dirichlet, N = Boundary::neumann;
    for (const auto& [lower, upper] : {std::pair{F, F}, {F, D}, {D, F}, {F, N}, {N, F}})
        for (const int c : {0, 11, 22, 60, 66, 85, 3})
            for (const double lambda : {0.0, 0.7}) {
                Problem problem = make_problem(combination(c), {9, 7, 18}, Discretization::second_order, lambda);
                problem.grid.axes[0].centering = c % 2 == 0 ? Centering::cell : Centering::node;
                problem.grid.axes[0].lower = lower;
                problem.grid.axes[0].upper = upper;
                const Extents points = problem.grid.points();
                const Field<T> f = random_field<T>(points, c);
                const Field<T> expected = solved_by_one(problem, f, Middle::automatic);
                for (const Decomposition& parts : decompositions(points))
                    worst.check(relative_error(read(solved_by_members(problem, parts, f, Method::automatic)),
                                               long_field(expected).view()),
                                2 * tolerance::solve<T>(points), describe(problem));
            }
}

/// Of each field of a batch, in slabs, pencils and boxes of their own; the same when it is asked for again.
TYPED_TEST(Members, TellWhatStandsOnFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("free faces of members");
    for (int number = 0; number < 20; ++number) {
        const Problem problem = free_problem(number, {9, 7, 18}, number % 4 == 3);
        const Extents points = problem.grid.points();
        const Field<T> first = random_field<T>(points, number), second = random_field<T>(points, 100 + number);
        Field<T> f({2 * points[0], points[1], points[2]}), u({2 * points[0], points[1], points[2]});
        std::copy_n(first.data(), first.size(), f.data());
        std::copy_n(second.data(), second.size(), f.data() + first.size());
        for (const Decomposition& parts :
             {Decomposition::slabs(points, 3), Decomposition::slabs(points, {0, 8, 0, 1}),
              Decomposition::pencils(points, {2, 3}),
              Decomposition::boxes(points, random_boxes(points, 5, number))}) {
            DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.threads = 2, .batch = 2});
            std::vector<FieldBatch<const T>> from;
            std::vector<FieldBatch<T>> to;
            for (const FieldView<const T>& box : boxes_of<const T>(parts, read(f).slab(0, points[0])))
                from.emplace_back(box, 2, first.size());
            for (const FieldView<T>& box : boxes_of<T>(parts, u.view().slab(0, points[0])))
                to.emplace_back(box, 2, first.size());
            for (int time = 0; time < 2; ++time) solver.solve(std::span(from), std::span(to));
            for (int time = 0; time < 2; ++time)
                for (Index field = 0; field < 2; ++field) {
                    const auto [error, defect] =
                        error_of_faces(problem, field == 0 ? first : second,
                                       read(u).slab(field * points[0], points[0]), solver.faces(), field);
                    worst.check(error, 2 * tolerance::solve<T>(points), describe(problem));
                    worst.check(defect, 2 * tolerance::solve<T>(points), describe(problem));
                }
        }
    }
}

/// The gauge at a point is exact, whoever has it.
TYPED_TEST(Members, FixTheGauge) {
    using T = TypeParam;
    for (const int c : {222, 0, 277, 502})
        for (const Index plane : {Index{0}, Index{4}, Index{8}}) {
            Problem problem = make_problem(combination(c), {9, 7, 18});
            problem.gauge.point = {plane, 3, 11};
            const Extents points = problem.grid.points();
            const Decomposition parts = Decomposition::slabs(points, 3);
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected = solved_by_one(problem, f, Middle::transform);
            const Field<T> u = solved_by_members(problem, parts, f, Method::transpose);
            EXPECT_TRUE(equal(u, expected)) << describe(problem);
            EXPECT_EQ(solved_by_members(problem, parts, f, Method::eliminate).view()(plane, 3, 11), T(0));
        }
}

/// A large constant in f of a singular problem is taken out before it costs digits, and told.
TYPED_TEST(Members, RemoveTheMean) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(222), {16, 12, 20});
    const Extents points = problem.grid.points();
    Field<T> f = random_field<T>(points, 1);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] += T(1000);
    const Decomposition parts = Decomposition::slabs(points, 3);
    for (const Method method : {Method::transpose, Method::eliminate}) {
        Result one, many;
        const Field<T> expected = solved_by_one(problem, f, Middle::transform, {}, &one);
        const Field<T> u = solved_by_members(problem, parts, f, method, {}, &many);
        EXPECT_TRUE(many.singular);
        EXPECT_NEAR(many.mean_removed, one.mean_removed, 1000 * 4 * tolerance::eps<T>);
        EXPECT_LE(relative_error(read(u), long_field(expected).view()), 2 * tolerance::solve<T>(points))
            << name(method);
    }
}

/// Numbers at the edges of the type's range, which are halved before they are transformed and doubled after, and a
/// scale that acts on f alone.
TYPED_TEST(Members, KeepTheRange) {
    using T = TypeParam;
    const T huge = sizeof(T) == 8 ? T(1e299) : T(1e30);
    for (const int c : {111, 222, 661, 777}) {
        const Problem problem = make_problem(combination(c), {9, 7, 18});
        const Extents points = problem.grid.points();
        const Decomposition parts = Decomposition::slabs(points, 3);
        const Field<T> f = random_field<T>(points, c);
        for (const T scale : {T(1), huge, T(1) / huge}) {
            BoundaryData<T> data;
            if (!problem.grid.axes[0].periodic()) data.faces[0][1].constant = scale / 2;
            Solver<T> one(problem, one_thread(Middle::transform));
            Field<T> expected = filled_field<T>(points);
            one.solve(f.view(), expected.view(), data, scale);
            EXPECT_TRUE(
                equal(solved_by_members(problem, parts, f, Method::transpose, data, nullptr, scale), expected))
                << describe(problem) << ", scale " << scale;
            const Field<T> u = solved_by_members(problem, parts, f, Method::eliminate, data, nullptr, scale);
            EXPECT_LE(largest_difference(u, expected) / largest(expected), 8 * tolerance::solve<T>(points))
                << describe(problem) << ", scale " << scale;
        }
    }
}

/// u := (∇² − λ) f undoes a solve.
TYPED_TEST(Members, ApplyTheOperator) {
    using T = TypeParam;
    Worst<T> worst("apply");
    for (const int c : {111, 222, 0, 555, 660, 777, 340, 49})
        for (const Method method : {Method::transpose, Method::eliminate}) {
            const Problem problem = make_problem(combination(c), {9, 7, 18}, Discretization::second_order, 0.3);
            const Extents points = problem.grid.points();
            for (const Decomposition& parts : decompositions(points)) {
                const Field<T> f = random_field<T>(points, c);
                Solver<T> one(problem, one_thread(Middle::transform));
                Field<T> expected = filled_field<T>(points), u = filled_field<T>(points);
                one.apply(f.view(), expected.view(), T(0.5));
                DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.method = method});
                const auto from = boxes_of<const T>(parts, f.view());
                const auto to = boxes_of<T>(parts, u.view());
                solver.apply(std::span(from), std::span(to), T(0.5));
                if (method == Method::transpose)
                    EXPECT_TRUE(equal(u, expected)) << describe(problem);
                else
                    worst.check(relative_error(read(u), long_field(expected).view()),
                                2 * tolerance::solve<T>(points), describe(problem));
            }
        }
}

/// f and u with pitches and ghosts, f read only; u may be f; a second solve gives the same bits; a batch those of
/// its fields.
TYPED_TEST(Members, KeepToTheirViews) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(617), {11, 8, 19});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, std::vector<Index>{3, 0, 7, 1});
    for (const Method method : {Method::transpose, Method::eliminate}) {
        const Field<T> f = random_field<T>(points, 1), other = random_field<T>(points, 2);
        const Field<T> expected = solved_by_members(problem, parts, f, method);
        DistributedSolver<T> solver(problem, parts, threads(4), {.method = method, .batch = 2});
        std::vector<Padded<T>> padded;
        std::vector<FieldView<const T>> from;
        std::vector<FieldView<T>> to;
        for (int m = 0; m < 4; ++m)
            padded.emplace_back(Extents{parts.planes(m), points[1], points[2]}, Extents{1, 2, 3}, Extents{2, 1, 5});
        for (int m = 0; m < 4; ++m) {
            from.push_back(f.view().slab(parts.first(m), parts.planes(m)));
            to.push_back(padded[static_cast<std::size_t>(m)].view());
        }
        for (int time = 0; time < 2; ++time) {
            solver.solve(std::span<const FieldView<const T>>(from), std::span<const FieldView<T>>(to));
            for (int m = 0; m < 4; ++m) {
                EXPECT_EQ(padded[static_cast<std::size_t>(m)].damage(), 0);
                for (Index i = 0; i < parts.planes(m); ++i)
                    for (Index j = 0; j < points[1]; ++j)
                        for (Index k = 0; k < points[2]; ++k)
                            ASSERT_EQ(to[static_cast<std::size_t>(m)](i, j, k),
                                      expected.view()(parts.first(m) + i, j, k));
            }
        }
        // In place, as a batch of two whole fields.
        Field<T> both({2 * points[0], points[1], points[2]});
        std::copy_n(other.data(), f.size(), both.data());
        std::copy_n(f.data(), f.size(), both.data() + f.size());
        std::vector<FieldBatch<const T>> f_batches;
        std::vector<FieldBatch<T>> u_batches;
        for (int m = 0; m < 4; ++m) {
            u_batches.emplace_back(both.view().slab(parts.first(m), parts.planes(m)), 2, f.size());
            f_batches.emplace_back(u_batches.back());
        }
        solver.solve(std::span<const FieldBatch<const T>>(f_batches), std::span<const FieldBatch<T>>(u_batches));
        EXPECT_EQ(
            std::memcmp(both.data() + f.size(), expected.data(), sizeof(T) * static_cast<std::size_t>(f.size())),
            0);
        EXPECT_EQ(solver.results().size(), 2u);
    }
}

/// Axes of any spacing: the split one, and another by its matrix.
TYPED_TEST(Members, SolveOnUnevenAxes) {
    using T = TypeParam;
    Problem problem = make_problem(combination(212), {23, 9, 17});
    problem.grid.axes[0].widths = random_steps(23, 20.0, 1);
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 1);
    for (const bool two : {false, true}) {
        if (two) problem.grid.axes[1].widths = random_steps(9, 20.0, 2);
        const Field<T> expected = solved_by_one(problem, f, Middle::automatic);
        for (const Decomposition& parts : decompositions(points))
            EXPECT_LE(relative_error(read(solved_by_members(problem, parts, f, Method::automatic)),
                                     long_field(expected).view()),
                      2 * tolerance::solve<T>(points));
        test::expect_error(ErrorCode::unsupported, {"axis x has positions, widths", "transpose", "automatic"}, [&] {
            solved_by_members(problem, Decomposition::slabs(points, 2), f, Method::transpose);
        });
    }
}

TEST(DistributedSolver, ChoosesAMethodAndTellsWhatTravels) {
    Problem problem = make_problem(combination(111), {16, 12, 20});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 4);
    const DistributedSolver<double> eliminates(problem, parts, threads(4));
    EXPECT_EQ(eliminates.method(), Method::eliminate);
    // Two planes of every part, but what stays with its owner; and as many potentials back.
    EXPECT_EQ(eliminates.traffic().bytes, 8.0 * 2 * 2 * 4 * 12 * 20 * 3 / 4);
    Index messages = 0;
    for (int m = 0; m < 4; ++m) {
        EXPECT_EQ(eliminates.sent_by(m).bytes, 8.0 * 2 * 2 * 12 * 20 * 3 / 4) << m;
        messages += eliminates.sent_by(m).messages;
    }
    EXPECT_EQ(messages, eliminates.traffic().messages);
    EXPECT_NE(eliminates.description().find("x eliminated over 4 members on threads"), std::string::npos);
    problem.discretization = Discretization::spectral;
    const DistributedSolver<double> transposes(problem, parts, threads(4));
    EXPECT_EQ(transposes.method(), Method::transpose);
    EXPECT_EQ(transposes.traffic().bytes, 8.0 * (2 * 16 * 12 * 20 * 3 / 4 + 3));
    // The three that get the mean have it from one.
    int senders = 0;
    for (int m = 0; m < 4; ++m) {
        const double more = transposes.sent_by(m).bytes - 8.0 * 2 * 4 * 12 * 20 * 3 / 4;
        EXPECT_TRUE(more == 0.0 || more == 8.0 * 3) << m;
        senders += more > 0.0 ? 1 : 0;
    }
    EXPECT_EQ(senders, 1);
}

TEST(DistributedSolver, RefusesWhatItCannotHave) {
    Problem problem = make_problem(combination(111), {16, 12, 20});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 2);
    expect_error(ErrorCode::usage, {"found a decomposition for 2 members, wanted 3"},
                 [&] { DistributedSolver<double>(problem, parts, threads(3)); });
    expect_error(ErrorCode::unsupported, {"found the way stores of members that are not on devices"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.way = Way::stores}); });
    expect_error(ErrorCode::usage, {"found -1 chunks of a part, wanted 0 (chosen) or more"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.chunks = -1}); });
    expect_error(ErrorCode::usage, {"found -2 pieces of a share, wanted 0 (chosen) or more"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.pieces = -2}); });
    expect_error(ErrorCode::usage, {"another grid"}, [&] {
        DistributedSolver<double>(problem, Decomposition::slabs({16, 12, 21}, 2), threads(2));
    });
    DistributedSolver<double> solver(problem, parts, threads(2));
    const Field<double> f = random_field<double>(points);
    Field<double> u = filled_field<double>(points);
    const auto from = boxes_of<const double>(parts, f.view());
    auto to = boxes_of<double>(parts, u.view());
    expect_error(ErrorCode::usage, {"found 1 views of f, wanted 2"},
                 [&] { solver.solve(std::span(from).first(1), std::span<const FieldView<double>>(to)); });
    to[1].extents[0] = 7;
    expect_error(ErrorCode::usage, {"u of member 1", "7 x 12 x 20", "8 x 12 x 20"},
                 [&] { solver.solve(std::span(from), std::span<const FieldView<double>>(to)); });
    problem.discretization = Discretization::spectral;
    expect_error(ErrorCode::unsupported, {"axis x, which members share, cannot be eliminated", "spectral"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.method = Method::eliminate}); });
    problem.discretization = Discretization::second_order;
    problem.helmholtz = -30.0;
    expect_error(ErrorCode::unsupported, {"cannot be eliminated", "-30"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.method = Method::eliminate}); });
    EXPECT_EQ(DistributedSolver<double>(problem, parts, threads(2)).method(), Method::transpose);
}

}  // namespace
}  // namespace poisson3d
