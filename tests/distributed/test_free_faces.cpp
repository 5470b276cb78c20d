// Members whose free faces are closed by walls, against one solver: the solution, what stands on the faces, and the
// gauge; by laws the residual and the freeness.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "member_mixes.hpp"
#include "members.hpp"
#include "one_solver.hpp"
#include "poisson3d/residual.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Slabs and pencils, even and uneven, with members without points, and boxes that are neither.
std::vector<Decomposition> all_parts(const Extents& points, int seed) {
    return {Decomposition::slabs(points, 2),
            Decomposition::slabs(points, std::vector<Index>{1, points[0] - 2, 0, 1}),
            Decomposition::pencils(points, {2, 2}),
            Decomposition::pencils(points, {1, 0, points[0] - 1}, {points[1] - 1, 0, 1}),
            Decomposition::boxes(points, random_boxes(points, 5, static_cast<std::uint64_t>(seed)))};
}

template <class T>
class FreeMembers : public testing::Test {
protected:
    void check(const Problem& problem, const Field<T>& u, const Field<T>& expected) {
        worst_.check(relative_error(read(u), long_field(expected).view()),
                     2 * tolerance::solve<T>(problem.grid.points()), describe(problem));
    }
    Worst<T> worst_{"free members"};
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FreeMembers, Types);

/// All mixes, each with one decomposition and by one method.
TYPED_TEST(FreeMembers, SolveWhatOneSolves) {
    using T = TypeParam;
    for (int mix = 0; mix < 1000; ++mix) {
        const Problem problem = member_mix(mix, {7, 6, mix % 2 == 0 ? 17 : 5});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Decomposition parts = all_parts(points, mix)[static_cast<std::size_t>(mix % 5)];
        const Field<T> f = random_field<T>(points, mix);
        const Method method = mix % 4 == 1 ? Method::transpose : Method::automatic;
        this->check(problem, solved_by_members(problem, parts, f, method),
                    solved_by_one(problem, f, Middle::automatic));
    }
}

/// Data on walls beside free faces; in place, twice, scaled.
TYPED_TEST(FreeMembers, TakeBoundaryData) {
    using T = TypeParam;
    for (int mix = 1; mix < 1000; mix += 23) {
        const Problem problem = member_mix(mix, {8, 9, 7});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const FaceArrays<T> arrays(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        BoundaryData<T> data = arrays.data();
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (is_free(problem.grid.axes[static_cast<std::size_t>(axis)], side)) data.faces[axis][side] = {};
        const Field<T> f = random_field<T>(points, mix);
        const Field<T> expected = solved_by_one(problem, f, Middle::automatic, data);
        for (const Decomposition& parts : all_parts(points, mix)) {
            DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.threads = 2});
            for (int time = 0; time < 2; ++time) {
                Field<T> u = filled_field<T>(points);
                for (Index i = 0; i < f.size(); ++i) u.data()[i] = f.data()[i] / 2;
                const auto to = boxes_of<T>(parts, u.view());
                const std::vector<FieldView<const T>> from(to.begin(), to.end());
                const auto faces = data_of(parts, data);
                solver.solve(std::span(from), std::span(to), std::span(faces), T(2));
                this->check(problem, u, expected);
            }
        }
    }
}

/// What stands on free faces of each field of a batch: what one solver finds, and right by the laws of the
/// residual and of the freeness.
TYPED_TEST(FreeMembers, TellWhatStandsOnFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("free faces");
    for (int mix = 0; mix < 1000; mix += 19) {
        const Problem problem = member_mix(mix, {9, 7, 8});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Index size = problem.grid.size();
        Field<T> f({2 * points[0], points[1], points[2]}), u({2 * points[0], points[1], points[2]});
        for (const int field : {0, 1})
            std::copy_n(random_field<T>(points, mix + field).data(), size, f.data() + field * size);
        const Decomposition parts = all_parts(points, mix)[static_cast<std::size_t>(mix % 5)];
        DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.threads = 2, .batch = 2});
        std::vector<FieldBatch<const T>> from;
        std::vector<FieldBatch<T>> to;
        for (const FieldView<const T>& box : boxes_of<const T>(parts, read(f).slab(0, points[0])))
            from.emplace_back(box, 2, size);
        for (const FieldView<T>& box : boxes_of<T>(parts, u.view().slab(0, points[0])))
            to.emplace_back(box, 2, size);
        solver.solve(std::span(from), std::span(to));
        for (const Index field : {0, 1}) {
            const FieldView<const T> one = read(u).slab(field * points[0], points[0]);
            Solver<T> single(problem, one_thread(Middle::automatic));
            Field<T> expected = filled_field<T>(points);
            single.solve(read(f).slab(field * points[0], points[0]), expected.view());
            const BoundaryData<T> wanted = single.faces();
            BoundaryData<T> found = solver.faces();
            double most = 0.0;
            BoundaryData<double> wide;
            std::vector<std::vector<double>> memory;
            for (int axis = 0; axis < 3; ++axis)
                for (int side = 0; side < 2; ++side) {
                    if (!is_free(problem.grid.axes[static_cast<std::size_t>(axis)], side)) continue;
                    FaceValues<T>& face = found.faces[axis][side];
                    face.data += field * face.field_stride, face.field_stride = 0;
                    const auto [rows, columns] = extents_of_face(points, axis);
                    std::vector<double>& values = memory.emplace_back();
                    const FaceValues<T>& other = wanted.faces[axis][side];
                    for (Index i = 0; i < rows; ++i)
                        for (Index j = 0; j < columns; ++j) {
                            values.push_back(static_cast<double>(face.data[i * face.stride + j]));
                            const auto value = static_cast<double>(other.data[i * other.stride + j]);
                            most = std::max(most, std::abs(values.back() - value));
                        }
                    wide.faces[axis][side] = {0.0, values.data(), columns, 0};
                }
            worst.check(most / largest(expected), 4 * tolerance::solve<T>(points), describe(problem));
            ResidualMeter<T> meter(problem, one, 1.0, 0.0, wide);
            meter.add(0, read(f).slab(field * points[0], points[0]));
            worst.check(meter.result().backward, 2 * tolerance::backward<T>(points), describe(problem));
            if (const double defect = freeness(problem, one, found); defect == defect)
                worst.check(defect, 2 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// The gauge of the mean and at a point, where a constant is left open; faces have it, too.
TYPED_TEST(FreeMembers, FixTheGauge) {
    using T = TypeParam;
    int checked = 0;
    for (int mix = 0; mix < 1000; ++mix) {
        Problem problem = member_mix(mix, {7, 6, 8});
        if (!grows_far_away(problem)) continue;
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        for (const bool mean : {false, true}) {
            problem.gauge = {};
            if (mean)
                problem.gauge.mean = true;
            else
                problem.gauge.point = {5, 4, 3};
            Solver<T> single(problem, one_thread(Middle::automatic));
            Field<T> expected = filled_field<T>(points);
            single.solve(f.view(), expected.view());
            const Decomposition parts = all_parts(points, mix)[static_cast<std::size_t>(mix % 5)];
            const Field<T> u = solved_by_members(problem, parts, f, Method::automatic);
            this->check(problem, u, expected);
            if (!mean) {
                EXPECT_EQ(u.view()(5, 4, 3), T(0));
            }
            ++checked;
        }
    }
    EXPECT_GT(checked, 20);
}

/// float against double, by members and by one solver in either way.
void check_in_float(const Problem& problem, const Field<float>& f, const Decomposition& parts,
                    Worst<float>& worst) {
    const Extents points = problem.grid.points();
    Field<double> same(points);
    std::copy_n(f.data(), f.size(), same.data());
    const Field<Real> expected = long_field(solved_by_one(problem, same, Middle::automatic));
    const auto check = [&](const Field<float>& u) {
        worst.check(relative_error(read(u), expected.view()), tolerance::solve<float>(points), describe(problem));
    };
    for (const Middle middle : {Middle::automatic, Middle::transform}) check(solved_by_one(problem, f, middle));
    check(solved_by_members(problem, parts, f, Method::automatic));
}

/// The constant of far away may be far larger than u without it, and is not what u is rounded by where another is
/// wanted: of two free axes it depends on the unit of length, ln(10⁶) say, …
TEST(FreeMembersInFloat, FixTheGaugeInAnyUnitOfLength) {
    Worst<float> worst("gauge in any unit");
    int checked = 0;
    for (int mix = 0; mix < 1000; mix += 3) {
        Problem problem = member_mix(mix, {7, 6, 8});
        if (!grows_far_away(problem)) continue;
        const Extents points = problem.grid.points();
        for (Axis& axis : problem.grid.axes) axis.spacing *= checked % 2 == 0 ? 1e-6 : 1e6;
        problem.gauge.mean = checked++ % 4 < 2;
        if (!problem.gauge.mean) problem.gauge.point = {5, 4, 3};
        const Decomposition parts = all_parts(points, mix)[static_cast<std::size_t>(mix % 5)];
        check_in_float(problem, random_field<float>(points, mix), parts, worst);
    }
    EXPECT_GT(checked, 20);
}

/// … and of one on how far charges beside the free face are from a Neumann wall.
TEST(FreeMembersInFloat, FixTheGaugeOfChargesFarFromTheWall) {
    Worst<float> worst("gauge of charges far away");
    for (int axis = 0; axis < 3; ++axis)
        for (int number = 0; number < 16; ++number) {
            Extents points{5, 4, 6};
            points[axis] = 61;
            std::array<int, 3> ends{6, 6, 6};  // periodic
            ends[axis] = 3 + number % 2;       // free and Neumann
            if (number / 4 % 2 == 1) ends[(axis + 1) % 3] = 8;
            Problem problem = member_mix(ends[0] + 10 * ends[1] + 100 * ends[2], points);
            problem.helmholtz = 0;
            problem.grid.axes[axis].centering = number / 8 == 0 ? Centering::cell : Centering::node;
            problem.gauge.mean = number / 2 % 2 == 0;
            if (!problem.gauge.mean) problem.gauge.point = {4, 2, 3};
            Field<float> f = filled_field<float>(points, 0.0F);
            std::array<Index, 3> at{};
            constexpr Index deep = 16;
            at[axis] = number % 2 == 0 ? 0 : points[axis] - deep;
            FieldView<float> face(&f.view()(at[0], at[1], at[2]), points, f.view().strides);
            face.extents[axis] = deep;
            for (Index i = 0; i < face.extents[0]; ++i)
                for (Index j = 0; j < face.extents[1]; ++j)
                    for (Index k = 0; k < face.extents[2]; ++k)
                        face(i, j, k) = static_cast<float>(1.5 + uniform((i * 64 + j) * 64 + k, number));
            const Decomposition parts = all_parts(points, number)[static_cast<std::size_t>(number % 5)];
            check_in_float(problem, f, parts, worst);
        }
}

/// By members in slabs and pencils, x eliminated where it is closed and can be, and transposed; over the solution
/// of one solver in double. Charges whose sum is far from 0: else u is what is left of larger terms, of one solver,
/// too.
template <class T>
void check_members(const Problem& problem, int seed, Worst<T>& worst) {
    const Extents points = problem.grid.points();
    Field<T> f = random_field<T>(points, seed);
    Field<double> same(points);
    for (Index i = 0; i < f.size(); ++i) same.data()[i] = static_cast<double>(f.data()[i] += T(1));
    const Field<Real> expected = long_field(solved_by_one(problem, same, Middle::automatic));
    const double allowed = (sizeof(T) == 8 ? 2 : 1) * tolerance::solve<T>(points);  // one solver rounds, too
    const bool x_alone = problem.grid.axes[0].unbounded() && unbounded_axes(problem.grid) == 1;
    for (const Decomposition& parts :
         {Decomposition::slabs(points, 2), Decomposition::slabs(points, 3), Decomposition::pencils(points, {2, 2})})
        for (const Method method : {Method::eliminate, Method::transpose}) {
            if (method == Method::eliminate && x_alone) continue;  // not closed
            worst.check(relative_error(read(solved_by_members(problem, parts, f, method)), expected.view()),
                        allowed, describe(problem) + ", " + name(method) + ", " + std::to_string(parts.members()));
        }
}

/// u next to a wall at the end of a long line is 1/n of u elsewhere, and what stands on the wall follows from it:
/// to n rounding errors, if it were read from a field that is rounded by its largest numbers. Any axis, half free
/// beside either wall or free on both sides, between periodic axes and Neumann walls.
TYPED_TEST(FreeMembers, KeepDigitsBesideALongFreeAxis) {
    Worst<TypeParam> worst("long free axis");
    int number = 0;
    for (const Index length : {257, 1025})
        for (int axis = 0; axis < 3; ++axis)
            for (const int ends : {0, 1, 3, 4}) {
                Extents points{6, 5, 6};
                std::array<int, 3> kinds{6, 6, 6};
                points[axis] = length, kinds[axis] = ends;
                if (++number % 2 == 0) kinds[(axis + 1) % 3] = 8;
                Problem problem = member_mix(kinds[0] + 10 * kinds[1] + 100 * kinds[2], points);
                problem.helmholtz = 0;
                for (Axis& each : problem.grid.axes) {
                    each.spacing = 1.0;
                    each.centering = number / 2 % 2 == 0 ? Centering::cell : Centering::node;
                }
                check_members(problem, number, worst);
            }
}

/// Two of them.
TYPED_TEST(FreeMembers, KeepDigitsBesideTwoLongFreeAxes) {
    Worst<TypeParam> worst("two long free axes");
    int number = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (const int ends : {0, 3}) {
            Extents points{129, 129, 129};
            std::array<int, 3> kinds{6, 6, 6};
            kinds[axis] = ends, kinds[(axis + 1) % 3] = 3;
            points[(axis + 1) % 3] = 65, points[(axis + 2) % 3] = 5;
            Problem problem = member_mix(kinds[0] + 10 * kinds[1] + 100 * kinds[2], points);
            problem.helmholtz = 0;
            for (Axis& each : problem.grid.axes) {
                each.spacing = 1.0;
                each.centering = ++number % 5 < 3 ? Centering::cell : Centering::node;
            }
            check_members(problem, number, worst);
        }
}

/// Each process of ranks has a share of the parts of the faces; here all of them one after the other.
TYPED_TEST(FreeMembers, SharesOfFacesAddUp) {
    using T = TypeParam;
    const Problem problem = member_mix(0, {8, 6, 7});
    const Extents points = problem.grid.points();
    DistributedSolver<T> one(problem, Decomposition::slabs(points, 1), threads(1));
    DistributedSolver<T> two(problem, Decomposition::slabs(points, 2), threads(2));
    EXPECT_EQ(one.method(), Method::eliminate);
    EXPECT_EQ(one.traffic().messages, 0);
    EXPECT_GT(two.traffic().messages, 0);
    EXPECT_NE(two.description().find("free faces closed by walls"), std::string::npos);
}

TEST(FreeMembersRefuse, WhatTheyCannotHave) {
    Problem problem = member_mix(0, {8, 6, 7});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 2);
    problem.discretization = Discretization::spectral;
    expect_error(ErrorCode::unsupported, {"axis x", "cannot be eliminated", "spectral", "automatic or transpose"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.method = Method::eliminate}); });
    problem = member_mix(6 + 60, {8, 6, 7});  // z alone is free
    problem.grid.axes[1].widths = {1, 2, 1, 2, 1, 2};
    problem.grid.axes[1].centering = Centering::cell;
    expect_error(ErrorCode::unsupported, {"axis y has positions", "close by walls", "free faces of axis x alone"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2)); });
    problem = member_mix(0, {8, 6, 7});
    DistributedSolver<double> solver(problem, parts, threads(2));
    Field<double> u = random_field<double>(points);
    const auto to = boxes_of<double>(parts, u.view());
    const std::vector<FieldView<const double>> from(to.begin(), to.end());
    expect_error(ErrorCode::unsupported, {"operator cannot be applied", "close by walls"},
                 [&] { solver.apply(std::span(from), std::span(to)); });
}

}  // namespace
}  // namespace poisson3d
