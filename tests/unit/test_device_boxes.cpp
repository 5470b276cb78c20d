// Members on devices with pencils and with boxes of their own, kernels executed on the host: the solution of slabs,
// and their bits where the same lines share complex numbers; the bits of those that own boxes are solved in.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "devices_on_host.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "members.hpp"
#include "stretched_axis.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr double scale = -1.5;

template <class T>
Field<T> solved(const Problem& problem, const Decomposition& parts, const Field<T>& f, Method method,
                const BoundaryData<T>& data = {}, Result* result = nullptr, Way way = Way::automatic) {
    DistributedSolver<T> solver(problem, parts, devices_on_host(parts.members()), {.method = method, .way = way});
    Field<T> u = filled_field<T>(problem.grid.points());
    const auto from = boxes_of<const T>(parts, f.view());
    const auto to = boxes_of<T>(parts, u.view());
    const auto faces = data_of(parts, data);
    solver.solve(std::span(from), std::span(to), std::span(faces), static_cast<T>(scale));
    if (result != nullptr) *result = solver.result();
    return u;
}

template <class T>
FaceArrays<T> faces_of(const Problem& problem) {
    const Extents points = problem.grid.points();
    return FaceArrays<T>(problem.grid, [points](int axis, int side, std::array<Index, 3> at) {
        at[axis] = side == 0 ? 0 : points[axis] - 1;
        return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
    });
}

/// Even, uneven, of one row, with empty members, in another order, of 12 members.
std::vector<Decomposition> pencils(const Extents& points) {
    const Index n = points[0], m = points[1];
    return {Decomposition::pencils(points, {2, 2}),
            Decomposition::pencils(points, {1, 3}),
            Decomposition::pencils(points, {3, 4}),
            Decomposition::pencils(points, {n - 1, 1}, {1, m - 1}),
            Decomposition::pencils(points, {1, 0, n - 1}, {m - 1, 0, 1}),
            Decomposition::pencils(points, {2, 3}).in_order_of({0, 2, 4, 1, 3, 5})};
}

/// A sample of the 1000 mixes of kinds, each with one of the decompositions.
template <class T>
void check_pencils(int first, int step) {
    Worst<T> worst("pencils on devices");
    for (int c = first; c < combinations; c += step) {
        const bool spectral = c % 7 == 0;
        Problem problem = make_problem(combination(c), {7, 6, c % 2 == 0 ? 17 : 5}, discretizations[spectral],
                                       c % 4 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        if (c % 3 == 0 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 2};
        const FaceArrays<T> faces = faces_of<T>(problem);
        const BoundaryData<T> data = c % 5 < 3 && !spectral ? faces.data() : BoundaryData<T>{};
        const Decomposition parts = pencils(points)[static_cast<std::size_t>(c / step % 6)];
        const Field<T> f = random_field<T>(points, c);
        Result one, many;
        const Field<T> expected =
            solved(problem, Decomposition::slabs(points, 1), f, Method::transpose, data, &one);
        for (const Method method : {Method::transpose, Method::eliminate}) {
            if (spectral && method == Method::eliminate) continue;
            const Field<T> u = solved(problem, parts, f, method, data, &many);
            worst.check(relative_error(read(u), long_field(expected).view()), 2 * tolerance::solve<T>(points),
                        describe(problem));
            EXPECT_EQ(one.singular, many.singular);
            EXPECT_NEAR(one.mean_removed, many.mean_removed, 16 * tolerance::eps<T>) << describe(problem);
            if (problem.gauge.point) {
                EXPECT_EQ(u.view()(points[0] - 2, 3, 2), T(0)) << describe(problem);
            }
        }
    }
}
TEST(DevicePencils, SolveWhatOneMemberSolves) {
    check_pencils<double>(0, 6);
    check_pencils<float>(3, 6);
}

/// Rows that share complex numbers stay together: y is cut before even unknowns.
TEST(DevicePencils, TransposeToTheBitsOfOne) {
    for (const int c : {111, 229, 441, 666, 888, 702}) {
        const Problem problem = make_problem(combination(c), {9, 14, 21}, discretizations[c == 702]);
        const Extents points = problem.grid.points();
        const Axis& y = problem.grid.axes[1];
        const Index first = y.centering == Centering::node && y.lower == Boundary::dirichlet ? 1 : 0;
        const Decomposition parts =
            Decomposition::pencils(points, {5, 0, 4}, {first + 4, 6, points[1] - first - 10});
        const Field<double> f = random_field<double>(points, c);
        Result one, many;
        const Field<double> expected =
            solved(problem, Decomposition::slabs(points, 1), f, Method::transpose, {}, &one);
        const Field<double> u = solved(problem, parts, f, Method::transpose, {}, &many);
        EXPECT_EQ(different(read(u), read(expected)), 0) << describe(problem);
        EXPECT_EQ(one.mean_removed, many.mean_removed);
    }
}

/// Lines whose FFTs have outer steps, and the first axis free.
TEST(DevicePencils, SolveLongerLines) {
    Worst<double> worst("long pencils on devices");
    for (const int c : {0, 11, 22, 33, 66, 99, 617})
        for (const bool free : {false, true}) {
            Problem problem = make_problem(combination(c), {40, 48, 65});
            if (free) problem = free_problem(c, {40, 48, 65});
            const Extents points = problem.grid.points();
            const Field<double> f = random_field<double>(points, c);
            const Method method = free ? Method::eliminate : Method::transpose;
            const Field<double> expected = solved(problem, Decomposition::slabs(points, 1), f, method);
            for (const Method way : {method, Method::eliminate}) {
                const Field<double> u = solved(problem, pencils(points)[static_cast<std::size_t>(c % 6)], f, way);
                worst.check(relative_error(read(u), long_field(expected).view()),
                            2 * tolerance::solve<double>(points), describe(problem));
            }
        }
}

/// u := (∇² − λ) f between solves, in views with gaps and ghosts, in place, and batches with the bits of one field.
TEST(DevicePencils, KeepToTheirViews) {
    for (const int c : {0, 617, 340})
        for (const Method method : {Method::transpose, Method::eliminate}) {
            const Problem problem = make_problem(combination(c), {11, 8, 19}, Discretization::second_order, 0.3);
            const Extents points = problem.grid.points();
            const Field<double> f = random_field<double>(points, 1);
            for (const Decomposition& parts : pencils(points)) {
                DistributedSolver<double> solver(problem, parts, devices_on_host(parts.members()),
                                                 {.method = method, .batch = 4});
                const Field<double> expected = solved(problem, parts, f, method);
                Field<double> many({4 * points[0], points[1], points[2]});
                for (Index i = 0; i < many.size(); ++i) many.data()[i] = f.data()[i % f.size()];
                std::vector<FieldBatch<double>> u;
                for (const auto& box : boxes_of<double>(parts, many.view().slab(0, points[0])))
                    u.emplace_back(box, 4, f.size());
                const std::vector<FieldBatch<const double>> from(u.begin(), u.end());
                solver.solve(std::span(from), std::span<const FieldBatch<double>>(u), {}, scale);
                for (Index i = 0; i < many.size(); ++i)
                    ASSERT_EQ(many.data()[i], expected.data()[i % f.size()]) << describe(problem) << i;
                std::vector<Padded<double>> padded;
                std::vector<FieldView<double>> to;
                padded.reserve(static_cast<std::size_t>(parts.members()));
                const auto boxes = boxes_of<const double>(parts, expected.view());
                for (const auto& box : boxes) {
                    padded.emplace_back(box.extents, Extents{1, 2, 3}, Extents{2, 1, 5});
                    to.push_back(padded.back().view());
                }
                solver.apply(std::span(boxes), std::span<const FieldView<double>>(to), 1 / scale);
                Field<double> back = filled_field<double>(points);
                const auto into = boxes_of<double>(parts, back.view());
                for (std::size_t m = 0; m < to.size(); ++m) {
                    EXPECT_EQ(padded[m].damage(), 0);
                    for (Index i = 0; i < to[m].extents[0]; ++i)
                        for (Index j = 0; j < to[m].extents[1]; ++j)
                            for (Index k = 0; k < to[m].extents[2]; ++k) into[m](i, j, k) = to[m](i, j, k);
                }
                double most = 0.0;
                for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                    most = std::max(most, std::abs(back.view()(i, j, k) - f.view()(i, j, k)));
                });
                EXPECT_LE(most, 1e-11) << describe(problem) << name(method);
            }
        }
}

TEST(DevicePencils, TellWhatTravels) {
    const Problem problem = make_problem(combination(111), {16, 12, 32}, Discretization::spectral);
    const Decomposition parts = Decomposition::pencils(problem.grid.points(), {2, 2});
    const DistributedSolver<double> solver(problem, parts, devices_on_host(4));
    // Half the field, four times; the mean between two, in both columns and from one of them in both rows.
    EXPECT_EQ(solver.traffic().bytes, 8.0 * (4 * 16 * 12 * 32 / 2 + 2 + 2));
    EXPECT_EQ(solver.traffic().messages, 4 * 4 + 2 + 2);
    EXPECT_NE(solver.description().find("x and y transposed over members, 2 x 2"), std::string::npos)
        << solver.description();
    expect_error(ErrorCode::unsupported, {"found 4 members that transpose and have pencils", "use another way"},
                 [&] {
                     DistributedSolver<double>(problem, parts, devices_on_host(4),
                                               {.method = Method::transpose, .way = Way::passes});
                 });
}

/// Every ninth mix of kinds, with 1 to 9 members, and data in arrays and numbers.
TEST(DeviceBoxes, SolveToTheBitsOfThoseSolvedIn) {
    int redistributed = 0;
    for (int c = 0; c < combinations; c += 9) {
        const bool spectral = c % 3 == 0;
        Problem problem = make_problem(combination(c), {7, 5, c % 2 == 0 ? 11 : 3}, discretizations[spectral],
                                       c % 4 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        const int members = 1 + c % 10;
        const Decomposition parts = Decomposition::boxes(points, random_boxes(points, members, 1 + c));
        redistributed += parts.redistributed();
        const FaceArrays<double> faces = faces_of<double>(problem);
        BoundaryData<double> data = c % 5 < 3 && !spectral ? faces.data() : BoundaryData<double>{};
        for (std::size_t a = 0; a < 3; ++a)
            if (!problem.grid.axes[a].periodic() && !spectral && c % 5 == 3)
                data.faces[a][1].constant = 1.0 + static_cast<double>(a);
        const Field<double> f = random_field<double>(points, c);
        Result own, inner;
        for (const Method method : {Method::transpose, Method::automatic}) {
            const Field<double> expected = solved(problem, parts.solved_in(), f, method, data, &inner);
            for (const Way way : {Way::automatic, Way::copies}) {  // to where they are needed, and packed
                const Field<double> u = solved(problem, parts, f, method, data, &own, way);
                EXPECT_EQ(different(read(u), read(expected)), 0) << describe(problem) << ", " << members;
                EXPECT_EQ(own.mean_removed, inner.mean_removed);
            }
        }
    }
    EXPECT_GT(redistributed, 60);
}

/// Batches, ghosts, u over f, the gauge at a point, again and again.
TEST(DeviceBoxes, KeepToTheirViews) {
    Problem problem = make_problem(combination(222), {9, 7, 8});
    problem.gauge.point = {4, 6, 3};
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::boxes(points, random_boxes(points, 7, 3));
    ASSERT_TRUE(parts.redistributed());
    for (const Method method : {Method::transpose, Method::eliminate}) {
        DistributedSolver<double> solver(problem, parts, devices_on_host(7), {.method = method, .batch = 2});
        Field<double> both = random_field<double>({2 * points[0], points[1], points[2]}, 1);
        const Index next = points[0] * points[1] * points[2];
        std::vector<Field<double>> expected;
        std::vector<Result> results(2);
        for (Index b = 0; b < 2; ++b) {
            Field<double> one(points);
            std::copy_n(both.data() + b * next, next, one.data());
            expected.push_back(solved(problem, parts, one, method, {}, &results[static_cast<std::size_t>(b)]));
        }
        std::vector<FieldBatch<double>> u;
        std::vector<Padded<double>> padded;
        padded.reserve(7);
        for (const auto& box : boxes_of<double>(parts, both.view().slab(0, points[0])))
            u.emplace_back(box, 2, next);
        const std::vector<FieldBatch<const double>> from(u.begin(), u.end());
        solver.solve(std::span(from), std::span<const FieldBatch<double>>(u), {}, scale);
        for (std::size_t b = 0; b < 2; ++b) {
            EXPECT_EQ(different(read(both).slab(static_cast<Index>(b) * points[0], points[0]), read(expected[b])),
                      0);
            EXPECT_EQ(solver.results()[b].mean_removed, results[b].mean_removed);
        }
        const Field<double> f = random_field<double>(points, 5);
        const Field<double> wanted = solved(problem, parts, f, method);
        std::vector<FieldView<double>> to;
        const auto boxes = boxes_of<const double>(parts, f.view());
        for (const auto& box : boxes) {
            padded.emplace_back(box.extents, Extents{1, 2, 3}, Extents{2, 1, 5});
            to.push_back(padded.back().view());
        }
        for (int time = 0; time < 2; ++time)
            solver.solve(std::span(boxes), std::span<const FieldView<double>>(to), scale);
        const auto in = boxes_of<const double>(parts, wanted.view());
        for (std::size_t m = 0; m < to.size(); ++m) {
            EXPECT_EQ(padded[m].damage(), 0);
            EXPECT_EQ(different(FieldView<const double>(to[m]), in[m]), 0) << name(method);
        }
        EXPECT_NE(solver.description().find("from and to boxes of their own by"), std::string::npos);
    }
}

}  // namespace
}  // namespace poisson3d
