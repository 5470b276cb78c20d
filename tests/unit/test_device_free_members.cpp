// Members on devices that close free faces by walls, their kernels executed on the host: the solution and the faces
// of one device, and the equations.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "axis_kind.hpp"
#include "closed_faces.hpp"
#include "devices_on_host.hpp"
#include "free_mixes.hpp"
#include "members.hpp"
#include "pipelines.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

#include "free_pipeline.hpp"  // its scale is a name in the others

namespace poisson3d {

/// Faces of members on hosts are not what is tested here.
template <class T>
std::unique_ptr<ClosedFacesOnHost<T>> make_closed_faces(const Problem&, Index, int, bool) {
    return nullptr;
}
template std::unique_ptr<ClosedFacesOnHost<float>> make_closed_faces(const Problem&, Index, int, bool);
template std::unique_ptr<ClosedFacesOnHost<double>> make_closed_faces(const Problem&, Index, int, bool);

namespace {

using namespace test;

Decomposition slabs(const Extents& points, int which) {
    if (which == 0) return Decomposition::slabs(points, 1);
    if (which == 3) return Decomposition::slabs(points, std::vector<Index>{1, points[0] - 2, 0, 1});
    return Decomposition::slabs(points, which + 1);
}

/// All mixes of two and three free axes, of each field of a batch.
template <class T>
void check_mixes(const Extents& points) {
    Worst<T> worst("free members on devices"), of_faces("their faces"), of_equations("their equations");
    int number = 0;
    for (const Mix& mix : free_mixes()) {
        const Problem problem =
            make_problem(mix, points, Discretization::second_order, number % 3 == 0 ? 0.4 : 0.0);
        if (unbounded_axes(problem.grid) < 2) continue;
        ++number;
        const Index size = problem.grid.size();
        const Field<T> f = random_field<T>({2 * points[0], points[1], points[2]}, number);
        Field<T> u(f.extents());
        const Decomposition parts = slabs(points, number % 4);
        DistributedSolver<T> solver(
            problem, parts, devices_on_host(parts.members()),
            {.method = number % 3 == 1 ? Method::transpose : Method::automatic, .batch = 2});
        std::vector<FieldBatch<const T>> from;
        std::vector<FieldBatch<T>> to;
        for (int m = 0; m < parts.members(); ++m) {
            from.emplace_back(f.view().slab(parts.first(m), parts.planes(m)), 2, size);
            to.emplace_back(u.view().slab(parts.first(m), parts.planes(m)), 2, size);
        }
        for (int time = 0; time < 2; ++time)
            solver.solve(std::span<const FieldBatch<const T>>(from), std::span<const FieldBatch<T>>(to), {},
                         static_cast<T>(scale));
        for (const Index field : {0, 1}) {
            const FieldView<const T> one = read(f).slab(field * points[0], points[0]);
            Field<T> expected(points);
            PipelineOnHost<T> single(
                problem,
                walled::make_walled_pipeline<T>(
                    problem, 1, fused::make_fused_pipeline<T>(walled::between_walls(problem), Memory::fast, 1)));
            single.solve(one, expected.view());
            const FieldView<const T> found = read(u).slab(field * points[0], points[0]);
            worst.check(relative_error(found, long_field(expected).view()), 2 * tolerance::solve<T>(points),
                        describe(mix));
            const BoundaryData<T> faces = solver.faces(), wanted = single.faces();
            BoundaryData<T> here = faces;
            double most = 0.0, largest = 0.0;
            for (Index i = 0; i < size; ++i)
                largest = std::max(largest, std::abs(static_cast<double>(expected.data()[i])));
            for (int axis = 0; axis < 3; ++axis)
                for (int side = 0; side < 2; ++side) {
                    if (!is_free(problem.grid.axes[static_cast<std::size_t>(axis)], side)) continue;
                    FaceValues<T>& a = here.faces[axis][side];
                    const FaceValues<T>& b = wanted.faces[axis][side];
                    a.data += field * a.field_stride, a.field_stride = 0;
                    const auto [rows, columns] = extents_of_face(points, axis);
                    for (Index i = 0; i < rows; ++i)
                        for (Index j = 0; j < columns; ++j)
                            most = std::max(most, std::abs(static_cast<double>(a.data[i * a.stride + j] -
                                                                               b.data[i * b.stride + j])));
                }
            of_faces.check(most / largest, 4 * tolerance::solve<T>(points), describe(mix));
            if constexpr (std::is_same_v<T, double>) {
                ResidualMeter<T> meter(problem, found, scale, 0.0, here);
                meter.add(0, one);
                of_equations.check(meter.result().backward, 2 * tolerance::backward<T>(points), describe(mix));
            }
        }
        EXPECT_EQ(parts.members() > 1, solver.traffic().messages > 0);
    }
    EXPECT_GT(number, 30);
}

TEST(FreeDeviceMembers, SolveWhatOneDeviceSolves) {
    check_mixes<double>({8, 5, 6});
    check_mixes<float>({7, 6, 5});
}

template <class T>
struct Solved {
    Field<T> u;
    std::vector<T> faces;  ///< all values that stand on free ones
};
template <class T>
Solved<T> solved(const Problem& problem, const Decomposition& parts, const Field<T>& f, Method method) {
    DistributedSolver<T> solver(problem, parts, devices_on_host(parts.members()), {.method = method});
    Solved<T> found{filled_field<T>(problem.grid.points()), {}};
    const auto from = boxes_of<const T>(parts, f.view());
    const auto to = boxes_of<T>(parts, found.u.view());
    for (int time = 0; time < 2; ++time) solver.solve(std::span(from), std::span(to), static_cast<T>(scale));
    if (problem.discretization == Discretization::spectral) return found;  // which tells of no faces
    const BoundaryData<T> faces = solver.faces();
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (!is_free(problem.grid.axes[static_cast<std::size_t>(axis)], side)) continue;
            const FaceValues<T>& face = faces.faces[axis][side];
            const auto [rows, columns] = extents_of_face(problem.grid.points(), axis);
            for (Index i = 0; i < rows; ++i)
                found.faces.insert(found.faces.end(), face.data + i * face.stride,
                                   face.data + i * face.stride + columns);
        }
    return found;
}

/// Pencils, even, with empty members and in another order, against slabs; where u grows far away by transposes,
/// since elimination there leaves a difference of larger numbers. Own boxes to the bits of those that they are
/// solved in.
TEST(FreeDeviceMembers, SolveInPencilsAndBoxes) {
    Worst<double> worst("free pencils on devices"), of_faces("their faces");
    int number = 0, redistributed = 0;
    for (const Mix& mix : free_mixes()) {
        const Problem problem =
            make_problem(mix, {8, 5, 6}, Discretization::second_order, number % 3 == 0 ? 0.4 : 0.0);
        if (unbounded_axes(problem.grid) < 2) continue;
        ++number;
        const Extents points = problem.grid.points();
        const Index n = points[0], m = points[1];
        const Field<double> f = random_field<double>(points, number);
        const Method method = grows_far_away(problem) || number % 2 == 0 ? Method::transpose : Method::eliminate;
        const Solved<double> one = solved(problem, Decomposition::slabs(points, 1), f, method);
        const double largest =
            std::abs(*std::ranges::max_element(one.faces, {}, [](double value) { return std::abs(value); }));
        for (const Decomposition& parts :
             {Decomposition::pencils(points, {2, 2}), Decomposition::pencils(points, {1, 0, n - 1}, {m - 1, 0, 1}),
              Decomposition::pencils(points, {2, 3}).in_order_of({0, 2, 4, 1, 3, 5})}) {
            const Solved<double> many = solved(problem, parts, f, method);
            worst.check(relative_error(read(many.u), long_field(one.u).view()),
                        2 * tolerance::solve<double>(points), describe(mix));
            double most = 0.0;
            for (std::size_t i = 0; i < one.faces.size(); ++i)
                most = std::max(most, std::abs(many.faces[i] - one.faces[i]));
            of_faces.check(most / largest, 4 * tolerance::solve<double>(points), describe(mix));
        }
        const Decomposition own = Decomposition::boxes(points, random_boxes(points, 3 + number % 5, number));
        redistributed += own.redistributed();
        const Solved<double> there = solved(problem, own.solved_in(), f, Method::automatic);
        const Solved<double> back = solved(problem, own, f, Method::automatic);
        EXPECT_EQ(different(read(back.u), read(there.u)), 0) << describe(mix);
        EXPECT_EQ(back.faces, there.faces) << describe(mix);
    }
    EXPECT_GT(redistributed, 30);
}

/// u with a gauge, by members of some kind.
template <class T>
Solved<T> solved_with(Problem problem, const Gauge& gauge, const Field<T>& f, int number) {
    const Extents points = problem.grid.points();
    problem.gauge = gauge;
    return solved<T>(problem,
                     number % 3 == 0   ? Decomposition::pencils(points, {2, 2})
                     : number % 3 == 1 ? slabs(points, number % 4)
                                       : Decomposition::boxes(points, random_boxes(points, 3, number)),
                     f, Method::automatic);
}

/// Another gauge than far away takes a constant from u and from what stands on faces: u at a point, or its mean.
/// What it takes may be far larger than what is left, in some units of length any number, and is not what u is
/// rounded by: in float against that of far away in double, over what is left. Faces closed by walls, a first axis
/// that is eliminated, and axes that are padded.
TEST(FreeDeviceMembers, FixTheGauge) {
    int number = 0;
    Worst<float> worst("gauges"), of_faces("gauges of faces");
    for (const Mix& mix : free_mixes())
        for (const Discretization discretization : {Discretization::second_order, Discretization::spectral}) {
            Problem problem = make_problem(mix, {7, 5, 6}, discretization);
            if (!grows_far_away(problem)) continue;
            if (++number % 2 == 0)
                for (Axis& axis : problem.grid.axes) axis.spacing *= 1e-6;
            const Extents points = problem.grid.points();
            const Field<float> f = random_field<float>(points, number);
            Field<double> same(points);
            std::copy_n(f.data(), f.size(), same.data());
            const Solved<double> far = solved_with<double>(problem, {}, same, number);
            std::array<std::vector<double>, 3> weights;
            for (std::size_t a = 0; a < 3; ++a) weights[a] = mean_weights(problem.grid.axes[a]);
            const auto mean_of = [&](const auto& u) {
                double sum = 0.0, weight = 0.0;
                for (Index i = 0; i < points[0]; ++i)
                    for (Index j = 0; j < points[1]; ++j)
                        for (Index k = 0; k < points[2]; ++k) {
                            const double here = weights[0][static_cast<std::size_t>(i)] *
                                                weights[1][static_cast<std::size_t>(j)] *
                                                weights[2][static_cast<std::size_t>(k)];
                            sum += here * static_cast<double>(u.view()(i, j, k)), weight += here;
                        }
                return sum / weight;
            };
            for (const bool mean : {false, true}) {
                const std::array<Index, 3> point{points[0] - 2, 3, 1};
                Gauge gauge;
                gauge.mean = mean;
                if (!mean) gauge.point = point;
                const Solved<float> found = solved_with<float>(problem, gauge, f, number);
                const double taken = mean ? mean_of(far.u) : far.u.view()(point[0], point[1], point[2]);
                Field<double> expected(points);
                double most = 0.0, wrong = 0.0;
                for (Index i = 0; i < f.size(); ++i) {
                    expected.data()[i] = far.u.data()[i] - taken;
                    most = std::max(most, std::abs(expected.data()[i]));
                }
                worst.check(relative_error(read(found.u), long_field(expected).view()),
                            2 * tolerance::solve<float>(points), describe(mix));
                for (std::size_t i = 0; i < far.faces.size(); ++i)
                    wrong = std::max(wrong, std::abs(far.faces[i] - taken - static_cast<double>(found.faces[i])));
                of_faces.check(wrong / most, 4 * tolerance::solve<float>(points), describe(mix));
                if (mean)
                    EXPECT_LE(std::abs(mean_of(found.u)), 4 * tolerance::eps<float> * most) << describe(mix);
                else
                    EXPECT_EQ(found.u.view()(point[0], point[1], point[2]), 0.0F) << describe(mix);
            }
        }
    EXPECT_GT(number, 40);
}

/// One free axis that is closed by walls: brute force, and with the values on its faces the equations.
template <class T>
void check_single_axes(const Extents& points) {
    Worst<T> worst("one free axis on devices"), of_equations("their equations");
    int number = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (const auto& free : free_kinds)
            for (const int wall :
                 {int{cell_p}, int{cell_dd}, int{node_nn}, int{node_nd}, int{cell_nd}, int{node_dd}}) {
                Mix mix{kinds[wall], kinds[wall], kinds[wall]};
                mix[axis] = free;
                mix[(axis + 1) % 3] = number % 3 == 0 ? kinds[cell_p] : kinds[node_nn];
                const Problem problem =
                    make_problem(mix, points, Discretization::second_order, number % 4 == 3 ? 0.4 : 0.0);
                const Field<T> f = random_field<T>(problem.grid.points(), ++number);
                const Method method = axis == 0 || number % 2 == 0 ? Method::transpose : Method::automatic;
                const Decomposition parts = slabs(problem.grid.points(), number % 4);
                DistributedSolver<T> solver(problem, parts, devices_on_host(parts.members()), {.method = method});
                Field<T> u = filled_field<T>(problem.grid.points());
                const auto from = boxes_of<const T>(parts, f.view());
                const auto to = boxes_of<T>(parts, u.view());
                for (int time = 0; time < 2; ++time)
                    solver.solve(std::span(from), std::span(to), static_cast<T>(scale));
                worst.check(error_of<T>(problem, f.view(), u.view()),
                            4 * tolerance::solve<T>(problem.grid.points()), describe(mix));
                if constexpr (std::is_same_v<T, double>) {
                    ResidualMeter<T> meter(problem, FieldView<const T>(u.view()), scale, 0.0, solver.faces());
                    meter.add(0, f.view());
                    of_equations.check(meter.result().backward, 2 * tolerance::backward<T>(problem.grid.points()),
                                       describe(mix));
                }
            }
    EXPECT_EQ(number, 108);
}

/// As members on hosts do (test_free_faces.cpp): slabs whose x is eliminated add up modes next to walls, which are
/// n times smaller than u elsewhere.
TEST(FreeDeviceMembers, KeepDigitsBesideLongFreeAxes) {
    constexpr Boundary open = Boundary::free, wall = Boundary::neumann, ring = Boundary::periodic;
    Worst<float> worst("long free axes on devices");
    int number = 0;
    for (const int axis : {0, 1, 2})
        for (const bool both : {false, true})
            for (const bool two : {false, true}) {
                if (axis == 0 && !two) continue;  // x alone is not closed
                Problem problem;
                for (int a = 0; a < 3; ++a) problem.grid.axes[a] = {5 + a, 1.0, 0.0, Centering::cell, ring, ring};
                Axis& free = problem.grid.axes[axis];
                Axis& other = problem.grid.axes[axis == 0 ? 1 : axis - 1];
                free.points = two ? 65 : 257;
                free.lower = both ? open : wall, free.upper = open;
                if (two) other.points = 33, other.lower = wall, other.upper = open;
                for (Axis& each : problem.grid.axes)
                    each.centering = ++number % 5 < 3 ? Centering::cell : Centering::node;
                const Extents points = problem.grid.points();
                Field<float> f = random_field<float>(points, number);
                for (Index i = 0; i < f.size(); ++i) f.data()[i] += 1.0F;
                Field<double> same(points);
                std::copy_n(f.data(), f.size(), same.data());
                const Solved<double> expected =
                    solved(problem, Decomposition::slabs(points, 2), same, Method::eliminate);
                const Solved<float> found =
                    solved(problem, Decomposition::slabs(points, 2 + number % 2), f, Method::eliminate);
                worst.check(relative_error(read(found.u), long_field(expected.u).view()),
                            tolerance::solve<float>(points), describe(problem));
            }
}

TEST(FreeDeviceMembers, CloseASingleFreeAxis) {
    check_single_axes<double>({8, 5, 6});
    check_single_axes<float>({5, 6, 7});
    check_single_axes<double>({4, 1, 3});
}

}  // namespace
}  // namespace poisson3d
