// Ranks of MPI against one solver, run by mpirun with any number of them: what each of them has is compared with
// its planes of a solution that it computes alone.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdio>

#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "gradients.hpp"
#include "member_mixes.hpp"
#include "members.hpp"
#include "one_solver.hpp"
#include "poisson3d/mpi.hpp"
#include "poisson3d/threads.hpp"
#include "rank_tests.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

int rank_of(MPI_Comm ranks = MPI_COMM_WORLD) {
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    return rank;
}

/// Even for odd c; else uneven, some ranks without planes.
Decomposition parts_of(const Extents& points, int ranks, int c) {
    if (c % 2 == 1) return Decomposition::slabs(points, ranks);
    std::vector<Index> planes(static_cast<std::size_t>(ranks), 0);
    Index left = points[0];
    for (int m = c % ranks; left > 0; m = (m + 2) % ranks) {
        const Index count = std::min<Index>(left, 1 + c % 5);
        planes[static_cast<std::size_t>(m)] += count;
        left -= count;
        if (ranks % 2 == 0 && m % 3 == 0) ++m;
    }
    return Decomposition::slabs(points, planes);
}

template <class T>
class Ranks : public testing::Test {
protected:
    const Communicator all_ = mpi(MPI_COMM_WORLD);

    /// My planes of a solution by all ranks.
    Field<T> solved(const Problem& problem, const Decomposition& parts, const Field<T>& f, Method method,
                    Result* result = nullptr) const {
        const int me = rank_of();
        DistributedSolver<T> solver(problem, parts, all_, {.method = method, .threads = 1});
        Field<T> u = filled_field<T>(parts.box(me).points);
        const std::vector<FieldView<const T>> from{read(f).slab(parts.first(me), parts.planes(me))};
        const std::vector<FieldView<T>> to{u.view()};
        solver.solve(std::span(from), std::span(to));
        if (result != nullptr) *result = solver.result();
        return u;
    }
    Field<T> mine(const Decomposition& parts, const Field<T>& whole) const {
        const FieldView<const T> planes = read(whole).slab(parts.first(rank_of()), parts.planes(rank_of()));
        Field<T> copy(planes.extents);
        std::copy_n(planes.data, planes.size(), copy.data());
        return copy;
    }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Ranks, Types);

/// A sample of 200 of the 1000 mixes of kinds, by both methods.
TYPED_TEST(Ranks, SolveWhatOneSolves) {
    using T = TypeParam;
    Worst<T> worst("ranks");
    for (int c = 0; c < combinations; c += 5) {
        const Kinds which = combination((c * 7 + c / 125) % combinations);
        const Problem problem =
            make_problem(which, {13, 6, 17}, discretizations[c % 7 == 0], c % 3 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        const Decomposition parts = parts_of(points, this->all_.size(), c);
        const Field<T> f = random_field<T>(points, c);
        Result one, many;
        const Field<T> whole = solved_by_one(problem, f, Middle::transform, {}, &one);
        const Field<T> expected = this->mine(parts, whole);
        EXPECT_TRUE(equal(this->solved(problem, parts, f, Method::transpose, &many), expected))
            << describe(problem);
        EXPECT_EQ(one.mean_removed, many.mean_removed) << describe(problem);
        if (problem.discretization == Discretization::spectral) continue;
        const Field<T> eliminated = this->solved(problem, parts, f, Method::eliminate, &many);
        worst.check(largest_difference(eliminated, expected) / largest(whole), 8 * tolerance::solve<T>(points),
                    describe(problem));
        EXPECT_EQ(one.singular, many.singular);
    }
}

TYPED_TEST(Ranks, FixTheGauge) {
    using T = TypeParam;
    for (const int c : {222, 0, 277})
        for (const Index plane : {Index{0}, Index{8}}) {
            Problem problem = make_problem(combination(c), {9, 7, 18});
            problem.gauge.point = {plane, 3, 11};
            const Decomposition parts = parts_of(problem.grid.points(), this->all_.size(), 3);
            const Field<T> f = random_field<T>(problem.grid.points(), c);
            const Field<T> expected = this->mine(parts, solved_by_one(problem, f, Middle::transform));
            EXPECT_TRUE(equal(this->solved(problem, parts, f, Method::transpose), expected)) << describe(problem);
        }
}

/// Several solvers on several communicators take turns.
TYPED_TEST(Ranks, ShareCommunicators) {
    using T = TypeParam;
    const int me = rank_of(), size = this->all_.size();
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);  // in reverse order
    {
        const Communicator ours = mpi(half);
        const Problem problem = make_problem(combination(117), {12, 10, 18});
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, 1), expected = solved_by_one(problem, f, Middle::transform);
        const Decomposition wide = Decomposition::slabs(points, size),
                            narrow = Decomposition::slabs(points, ours.size());
        DistributedSolver<T> first(problem, wide, this->all_, {.method = Method::transpose, .threads = 1});
        DistributedSolver<T> second(problem, narrow, ours, {.method = Method::transpose, .threads = 1});
        const int mine = ours.mine()[0];
        Field<T> u = filled_field<T>(wide.box(me).points), v = filled_field<T>(narrow.box(mine).points);
        for (int time = 0; time < 3; ++time) {
            const std::vector<FieldView<const T>> from{read(f).slab(wide.first(me), wide.planes(me))};
            const std::vector<FieldView<const T>> there{read(f).slab(narrow.first(mine), narrow.planes(mine))};
            const std::vector<FieldView<T>> to{u.view()}, back{v.view()};
            first.solve(std::span(from), std::span(to));
            second.solve(std::span(there), std::span(back));
            EXPECT_EQ(different(read(u), read(expected).slab(wide.first(me), wide.planes(me))), 0);
            EXPECT_EQ(different(read(v), read(expected).slab(narrow.first(mine), narrow.planes(mine))), 0);
        }
    }
    MPI_Comm_free(&half);
}

/// Pencils of the ranks of a Cartesian communicator, and in an order of its own.
TYPED_TEST(Ranks, HavePencils) {
    using T = TypeParam;
    Worst<T> worst("pencils of ranks");
    std::array<int, 2> dims{};
    MPI_Dims_create(this->all_.size(), 2, dims.data());
    const std::array<int, 2> ring{1, 0};
    MPI_Comm cartesian = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), ring.data(), 1, &cartesian);
    const int me = rank_of(cartesian);
    std::array<int, 2> here{};
    MPI_Cart_coords(cartesian, me, 2, here.data());
    std::vector<int> reversed;
    for (int m = this->all_.size() - 1; m >= 0; --m) reversed.push_back(m);
    {
        const Communicator ours = mpi(cartesian);
        for (const int c : {111, 222, 66, 873}) {
            const Problem problem = make_problem(combination(c), {9, 8, 17});
            const Extents points = problem.grid.points();
            const Decomposition grid = Decomposition::pencils(points, dims);
            EXPECT_EQ(grid.place(me), here);
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected = solved_by_one(problem, f, Middle::transform);
            for (const Decomposition& parts : {grid, grid.in_order_of(reversed)})
                for (const Method method : {Method::transpose, Method::eliminate}) {
                    DistributedSolver<T> solver(problem, parts, ours, {.method = method, .threads = 1});
                    Field<T> u = filled_field<T>(points);
                    const std::vector<FieldView<const T>> from{
                        boxes_of<const T>(parts, f.view())[static_cast<std::size_t>(me)]};
                    const std::vector<FieldView<T>> to{boxes_of<T>(parts, u.view())[static_cast<std::size_t>(me)]};
                    const FieldView<const T> wanted =
                        boxes_of<const T>(parts, expected.view())[static_cast<std::size_t>(me)];
                    solver.solve(std::span(from), std::span(to));
                    double most = 0.0;
                    for (Index i = 0; i < wanted.extents[0]; ++i)
                        for (Index j = 0; j < wanted.extents[1]; ++j)
                            for (Index k = 0; k < wanted.extents[2]; ++k)
                                most =
                                    std::max(most, std::abs(static_cast<double>(to[0](i, j, k) - wanted(i, j, k))));
                    worst.check(most / largest(expected), 8 * tolerance::solve<T>(points), describe(problem));
                }
        }
    }
    MPI_Comm_free(&cartesian);
}

/// Whole faces on every rank, whatever planes it has.
TYPED_TEST(Ranks, TellWhatStandsOnFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("free faces of ranks");
    const int me = rank_of();
    for (int number = 0; number < 8; ++number) {
        const Problem problem = free_problem(number, {9, 7, 18}, number % 4 == 3);
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, number);
        for (const Decomposition& parts :
             {parts_of(points, this->all_.size(), number), Decomposition::pencils(points, this->all_.size())}) {
            DistributedSolver<T> solver(problem, parts, this->all_, {.threads = 1});
            Field<T> mine = filled_field<T>(parts.box(me).points);
            const std::vector<FieldView<const T>> from{
                boxes_of<const T>(parts, f.view())[static_cast<std::size_t>(me)]};
            const std::vector<FieldView<T>> to{mine.view()};
            for (int time = 0; time < 2; ++time) solver.solve(std::span(from), std::span(to));
            const Field<T> u = solved_by_members(problem, parts, f, Method::automatic);
            const auto [error, defect] = error_of_faces(problem, f, u.view(), solver.faces());
            worst.check(error, 2 * tolerance::solve<T>(points), describe(problem));
            worst.check(defect, 2 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// Free faces that are closed by walls: each rank has a share of what they give each other. Slabs, pencils and
/// boxes.
TYPED_TEST(Ranks, CloseFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("closed faces of ranks");
    const int me = rank_of(), size = this->all_.size();
    for (int mix = 0; mix < 1000; mix += 37) {
        Problem problem = member_mix(mix, {9, 7, 8});
        if (unbounded_axes(problem.grid) == 0) continue;
        if (grows_far_away(problem) && mix % 2 == 0) problem.gauge.mean = true;
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        Solver<T> one(problem, one_thread(Middle::automatic));
        Field<T> expected = filled_field<T>(points);
        one.solve(f.view(), expected.view());
        for (const Decomposition& parts :
             {parts_of(points, size, mix), Decomposition::pencils(points, size),
              Decomposition::boxes(points, {random_boxes(points, size, mix)[static_cast<std::size_t>(me)]},
                                   this->all_)}) {
            DistributedSolver<T> solver(problem, parts, this->all_, {.threads = 1});
            Field<T> mine = filled_field<T>(parts.box(me).points);
            const std::vector<FieldView<const T>> from{
                boxes_of<const T>(parts, f.view())[static_cast<std::size_t>(me)]};
            const std::vector<FieldView<T>> to{mine.view()};
            for (int time = 0; time < 2; ++time) solver.solve(std::span(from), std::span(to));
            double most = 0.0;
            const auto here = boxes_of<const T>(parts, read(expected))[static_cast<std::size_t>(me)];
            for (Index i = 0; i < here.extents[0]; ++i)
                for (Index j = 0; j < here.extents[1]; ++j)
                    for (Index k = 0; k < here.extents[2]; ++k)
                        most = std::max(most, std::abs(static_cast<double>(to[0](i, j, k) - here(i, j, k))));
            worst.check(most / largest(expected), 4 * tolerance::solve<T>(points), describe(problem));
            const BoundaryData<T> found = solver.faces(), wanted = one.faces();
            for (int axis = 0; axis < 3; ++axis)
                for (int side = 0; side < 2; ++side) {
                    if (!is_free(problem.grid.axes[static_cast<std::size_t>(axis)], side)) continue;
                    const FaceValues<T>&a = found.faces[axis][side], &b = wanted.faces[axis][side];
                    const auto [rows, columns] = extents_of_face(points, axis);
                    for (Index i = 0; i < rows; ++i)
                        for (Index j = 0; j < columns; ++j)
                            worst.check(
                                std::abs(static_cast<double>(a.data[i * a.stride + j] - b.data[i * b.stride + j])) /
                                    largest(expected),
                                4 * tolerance::solve<T>(points), describe(problem));
                }
        }
    }
}

/// Free axes that are padded with zeros.
TYPED_TEST(Ranks, PadFreeAxes) {
    using T = TypeParam;
    Worst<T> worst("padded axes of ranks");
    const int me = rank_of(), size = this->all_.size();
    for (int mix = 0; mix < 1000; mix += 41) {
        Problem problem = member_mix(mix, {9, 7, 8});
        problem.discretization = Discretization::spectral;
        if (unbounded_axes(problem.grid) == 0) continue;
        if (grows_far_away(problem) && mix % 2 == 0) problem.gauge.mean = true;
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        const Field<T> expected = solved_by_one(problem, f, Middle::automatic);
        for (const Decomposition& parts :
             {parts_of(points, size, mix), Decomposition::pencils(points, size),
              Decomposition::boxes(points, {random_boxes(points, size, mix)[static_cast<std::size_t>(me)]},
                                   this->all_)}) {
            DistributedSolver<T> solver(problem, parts, this->all_, {.threads = 1});
            Field<T> mine = filled_field<T>(parts.box(me).points);
            const std::vector<FieldView<const T>> from{
                boxes_of<const T>(parts, f.view())[static_cast<std::size_t>(me)]};
            const std::vector<FieldView<T>> to{mine.view()};
            for (int time = 0; time < 2; ++time) solver.solve(std::span(from), std::span(to));
            const auto here = boxes_of<const T>(parts, read(expected))[static_cast<std::size_t>(me)];
            double most = 0.0;
            for (Index i = 0; i < here.extents[0]; ++i)
                for (Index j = 0; j < here.extents[1]; ++j)
                    for (Index k = 0; k < here.extents[2]; ++k)
                        most = std::max(most, std::abs(static_cast<double>(to[0](i, j, k) - here(i, j, k))));
            worst.check(most / largest(expected), 4 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// Boxes that each rank knows by itself, with ghosts around them; to the bits of what they are solved in.
TYPED_TEST(Ranks, HaveBoxesOfTheirOwn) {
    using T = TypeParam;
    const int me = rank_of();
    for (const int c : {111, 222, 66}) {
        const Problem problem = make_problem(combination(c), {9, 8, 17});
        const Extents points = problem.grid.points();
        const Box box = random_boxes(points, this->all_.size(), c)[static_cast<std::size_t>(me)];
        const Decomposition parts = Decomposition::boxes(points, {box}, this->all_);
        EXPECT_EQ(parts.box(me), box);
        const Field<T> f = random_field<T>(points, c);
        const Field<T> expected = solved_by_members(problem, parts, f, Method::transpose);
        DistributedSolver<T> solver(problem, parts, this->all_, {.method = Method::transpose, .threads = 1});
        Padded<T> padded(box.points, {1, 2, 3}, {2, 1, 5});
        const std::vector<FieldView<const T>> from{
            boxes_of<const T>(parts, f.view())[static_cast<std::size_t>(me)]};
        const std::vector<FieldView<T>> to{padded.view()};
        for (int time = 0; time < 2; ++time) {
            solver.solve(std::span(from), std::span(to));
            EXPECT_EQ(padded.damage(), 0);
            EXPECT_EQ(different(FieldView<const T>(to[0]),
                                boxes_of<const T>(parts, expected.view())[static_cast<std::size_t>(me)]),
                      0)
                << describe(problem);
        }
    }
    const Box all{{0, 0, 0}, {9, 8, 17}}, none;
    if (this->all_.size() > 1)
        expect_error(ErrorCode::usage, {"overlap"}, [&] {
            (void)Decomposition::boxes({9, 8, 17}, {all}, this->all_);
        });
    const int last = this->all_.size() - 1;
    expect_error(ErrorCode::usage, {me == last ? "found 2 boxes" : "another member"}, [&] {
        (void)Decomposition::boxes({9, 8, 17}, me == last ? std::vector<Box>{all, none} : std::vector<Box>{none},
                                   this->all_);
    });
}

/// Gradients: by differences the bits of one rank, through the modes the same within rounding.
TYPED_TEST(Ranks, DifferentiateWhatOneDifferentiates) {
    using T = TypeParam;
    const int me = rank_of(), size = this->all_.size();
    Worst<T> worst("spectral gradients by ranks");
    for (int c = 0; c < combinations; c += 37) {
        const bool spectral = c % 2 == 1;
        const Problem problem = make_problem(combination(c), {13, 9, 7}, discretizations[spectral ? 1 : 0]);
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, c);
        const FaceArrays<T> faces(problem.grid, [](int axis, int side, std::array<Index, 3> at) {
            return uniform(static_cast<std::uint64_t>(at[0] * 101 + at[1] * 11 + at[2]), 2 * axis + side);
        });
        const BoundaryData<T> data = spectral ? BoundaryData<T>{} : faces.data();
        const Gradients<T> one = gradient_of_one(problem, u, data);
        for (const Decomposition& parts :
             {parts_of(points, size, c), Decomposition::pencils(points, size),
              Decomposition::boxes(points, random_boxes(points, size, static_cast<std::uint64_t>(c)))}) {
            DistributedGradient<T> gradient(problem, parts, this->all_, {.threads = 1});
            Gradients<T> found = filled_gradient<T>(points);
            const auto at = static_cast<std::size_t>(me);
            const std::vector<FieldView<const T>> from{boxes_of<const T>(parts, u.view())[at]};
            const std::vector<std::array<FieldView<T>, 3>> to{components_of<T>(parts, found)[at]};
            const std::vector<BoundaryData<T>> walls{data_of(parts, data)[at]};
            for (int time = 0; time < 2; ++time)
                gradient.evaluate(std::span(from), std::span(to), std::span(walls));
            Gradients<T> expected = filled_gradient<T>(points);
            const auto mine = components_of<T>(parts, expected)[at];
            for (std::size_t a = 0; a < 3; ++a) {
                const FieldView<const T> source = boxes_of<const T>(parts, one[a].view())[at];
                for (Index i = 0; i < source.extents[0]; ++i)
                    for (Index j = 0; j < source.extents[1]; ++j)
                        for (Index k = 0; k < source.extents[2]; ++k) mine[a](i, j, k) = source(i, j, k);
                if (!spectral) {
                    EXPECT_TRUE(equal(found[a], expected[a])) << "axis " << a << ", " << describe(problem);
                } else if (largest(one[a]) > 0.0) {
                    worst.check(largest_difference(found[a], expected[a]) / largest(one[a]),
                                tolerance::solve<T>(points), describe(problem));
                }
            }
        }
    }
}

/// What one rank refuses all refuse, with its code; nobody waits for ever.
TYPED_TEST(Ranks, FailTogether) {
    using T = TypeParam;
    const int me = rank_of(), last = this->all_.size() - 1;
    const Problem problem = make_problem(combination(111), {16, 6, 8});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, this->all_.size());
    const char* const words = me == last ? "null pointer" : "another member";
    DistributedSolver<T> solver(problem, parts, this->all_, {.threads = 1});
    const Field<T> f = random_field<T>(points);
    Field<T> u = filled_field<T>(parts.box(me).points);
    const std::vector<FieldView<const T>> from{read(f).slab(parts.first(me), parts.planes(me))};
    std::vector<FieldView<T>> to{u.view()};
    if (me == last) to[0].data = nullptr;
    expect_error(ErrorCode::usage, {words},
                 [&] { solver.solve(std::span(from), std::span<const FieldView<T>>(to)); });
    to[0].data = u.data();
    solver.solve(std::span(from), std::span<const FieldView<T>>(to));
    // Gradients, too: a wrong view, and a component that all must want or none.
    Field<T> slope = filled_field<T>(parts.box(me).points);
    std::vector<std::array<FieldView<T>, 3>> gradient(1);
    gradient[0][1] = slope.view();
    if (me == last) gradient[0][1].extents[2] = 3;
    DistributedGradient<T> central(problem, parts, this->all_, {.threads = 1});
    expect_error(ErrorCode::usage, {me == last ? "d/dy" : "another member"},
                 [&] { central.evaluate(std::span(from), std::span(std::as_const(gradient))); });
    if (last > 0) {
        Problem spectral = problem;
        spectral.discretization = Discretization::spectral;
        gradient[0] = {};
        if (me == last) gradient[0][0] = slope.view();
        DistributedGradient<T> modes(spectral, parts, this->all_, {.threads = 1});
        expect_error(ErrorCode::usage, {"d/dx", "left out by some members"},
                     [&] { modes.evaluate(std::span(from), std::span(std::as_const(gradient))); });
    }
    // While planning, too.
    Problem other = problem;
    if (me == last) other.grid.axes[1].spacing = -1.0;
    expect_error(ErrorCode::data, {me == last ? "spacing" : "another member"},
                 [&] { DistributedSolver<T>(other, parts, this->all_, {.threads = 1}); });
}

TEST(CommunicatorOfRanks, IsTold) {
    const Communicator all = mpi(MPI_COMM_WORLD);
    EXPECT_EQ(all.mine(), std::vector<int>{rank_of()});
    EXPECT_EQ(all.description(), std::to_string(all.size()) + (all.size() == 1 ? " rank" : " ranks"));
    expect_error(ErrorCode::usage, {"MPI_COMM_NULL"}, [] { mpi(MPI_COMM_NULL); });
    // Ranks that may use the same processors share them.
    const Problem problem = make_problem(combination(111), {16, 6, 8});
    const Extents points = problem.grid.points();
    const DistributedSolver<double> solver(problem, Decomposition::slabs(points, all.size()), all);
    const int threads = std::max(1, available_threads() / all.size());
    if (available_threads() > 1) {  // not bound to a processor
        EXPECT_NE(solver.description().find("host, " + std::to_string(threads) + " thread"), std::string::npos)
            << solver.description();
    }
}

}  // namespace
}  // namespace poisson3d

/// Every rank runs all tests.
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    testing::InitGoogleTest(&argc, argv);
    return poisson3d::test::run_on_all_ranks();
}
