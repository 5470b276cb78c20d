// A solve by members on threads, each with its box of the grid.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "padded.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/free_space.hpp"
#include "problems.hpp"

namespace poisson3d::test {

/// The box of every member in `field`, in place.
template <class T>
std::vector<FieldView<T>> boxes_of(const Decomposition& parts, FieldView<T> field) {
    std::vector<FieldView<T>> views;
    for (int m = 0; m < parts.members(); ++m) {
        const Box box = parts.box(m);
        views.emplace_back(&field(box.first[0], box.first[1], box.first[2]), box.points, field.strides);
    }
    return views;
}

/// A dense copy of a box of a field, and back.
template <class T>
Field<T> box_of(const Field<T>& field, const Box& box) {
    Field<T> copy(box.points);
    for (Index i = 0; i < box.points[0]; ++i)
        for (Index j = 0; j < box.points[1]; ++j)
            for (Index k = 0; k < box.points[2]; ++k)
                copy.view()(i, j, k) = field.view()(box.first[0] + i, box.first[1] + j, box.first[2] + k);
    return copy;
}
template <class T>
void put_box(const Field<T>& copy, const Box& box, Field<T>& field) {
    for (Index i = 0; i < box.points[0]; ++i)
        for (Index j = 0; j < box.points[1]; ++j)
            for (Index k = 0; k < box.points[2]; ++k)
                field.view()(box.first[0] + i, box.first[1] + j, box.first[2] + k) = copy.view()(i, j, k);
}

/// The part of each face that a member's box touches.
template <class T>
std::vector<BoundaryData<T>> data_of(const Decomposition& parts, const BoundaryData<T>& whole) {
    std::vector<BoundaryData<T>> all;
    for (int m = 0; m < parts.members(); ++m) {
        BoundaryData<T> data = whole;
        const Extents first = parts.box(m).first;
        for (FaceValues<T>& face : data.faces[0])
            if (face.data != nullptr) face.data += first[1] * face.stride + first[2];
        for (FaceValues<T>& face : data.faces[1])
            if (face.data != nullptr) face.data += first[0] * face.stride + first[2];
        for (FaceValues<T>& face : data.faces[2])
            if (face.data != nullptr) face.data += first[0] * face.stride + first[1];
        all.push_back(data);
    }
    return all;
}

/// Any boxes that tile a grid: so many, cut at any places along any axis, in any order, some without points.
inline std::vector<Box> random_boxes(const Extents& points, int members, std::uint64_t seed) {
    std::uint64_t n = seed * 1000;
    const auto below = [&](Index end) {
        return std::min<Index>(end - 1,
                               static_cast<Index>((0.5 + 0.5 * uniform(n++, 11)) * static_cast<double>(end)));
    };
    std::vector<Box> boxes{{{0, 0, 0}, points}};
    while (static_cast<int>(boxes.size()) < members) {
        Box& whole = boxes[static_cast<std::size_t>(below(static_cast<Index>(boxes.size())))];
        const auto axis = static_cast<std::size_t>(below(3));
        Box rest = whole;
        whole.points[axis] = below(rest.points[axis] + 1);
        rest.first[axis] += whole.points[axis];
        rest.points[axis] -= whole.points[axis];
        boxes.push_back(rest);
    }
    for (std::size_t m = boxes.size() - 1; m > 0; --m)
        std::swap(boxes[m], boxes[static_cast<std::size_t>(below(static_cast<Index>(m + 1)))]);
    return boxes;
}

/// x free on both sides, or with a wall; y of any spacing where `uneven`.
inline Problem free_problem(int number, const Extents& points, bool uneven = false) {
    constexpr std::array<std::array<Boundary, 2>, 4> ends{{{Boundary::free, Boundary::free},
                                                           {Boundary::free, Boundary::dirichlet},
                                                           {Boundary::neumann, Boundary::free},
                                                           {Boundary::free, Boundary::free}}};
    constexpr std::array<int, 5> mixes{0, 11, 22, 60, 85};
    Problem problem = make_problem(combination(mixes[static_cast<std::size_t>(number) % mixes.size()]), points,
                                   Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
    Axis& x = problem.grid.axes[0];
    x.centering = number % 2 == 0 ? Centering::cell : Centering::node;
    x.lower = ends[static_cast<std::size_t>(number) % 4][0],
    x.upper = ends[static_cast<std::size_t>(number) % 4][1];
    Axis& y = problem.grid.axes[1];
    for (Index j = 0; uneven && j < y.points; ++j)
        y.widths.push_back(y.step() * (1.0 + 0.3 * static_cast<double>(j % 3)));
    if (uneven) y.centering = Centering::cell;
    return problem;
}

/// The largest difference of what stands on free faces of x to what one solver finds there, over its largest value,
/// and the freeness of the solution.
template <class T>
std::array<double, 2> error_of_faces(const Problem& problem, const Field<T>& f, FieldView<const T> u,
                                     const BoundaryData<T>& found, Index field = 0) {
    Options options;
    options.engine = Engine::host;
    options.threads = 1;
    Solver<T> solver(problem, options);
    Field<T> one = filled_field<T>(problem.grid.points());
    solver.solve(f.view(), one.view());
    const BoundaryData<T> expected = solver.faces();
    double most = 0.0, largest = 0.0;
    BoundaryData<T> of_field = found;
    for (int side = 0; side < 2; ++side) {
        if (!is_free(problem.grid.axes[0], side)) continue;
        const FaceValues<T>& wanted = expected.faces[0][side];
        FaceValues<T>& here = of_field.faces[0][side];
        here.data += field * here.field_stride;
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k) {
                const T value = wanted.data[j * wanted.stride + k];
                most = std::max(most, std::abs(static_cast<double>(here.data[j * here.stride + k] - value)));
                largest = std::max(largest, std::abs(static_cast<double>(value)));
            }
    }
    const double defect = freeness(problem, u, of_field);
    return {largest > 0.0 ? most / largest : most, defect == defect ? defect : 0.0};
}

template <class T>
Field<T> solved_by_members(const Problem& problem, const Decomposition& parts, const Field<T>& f, Method method,
                           const BoundaryData<T>& data = {}, Result* result = nullptr, T scale = T(1)) {
    DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.method = method, .threads = 2});
    Field<T> u = filled_field<T>(problem.grid.points());
    const auto from = boxes_of<const T>(parts, f.view());
    const auto to = boxes_of<T>(parts, u.view());
    if (data.zero())
        solver.solve(std::span(from), std::span(to), scale);
    else {
        const auto faces = data_of(parts, data);
        solver.solve(std::span(from), std::span(to), std::span(faces), scale);
    }
    if (result != nullptr) *result = solver.result();
    return u;
}

}  // namespace poisson3d::test
