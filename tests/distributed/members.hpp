// A solve by members on threads, each with its box of the grid.
#pragma once

#include <algorithm>
#include <vector>

#include "padded.hpp"
#include "poisson3d/distributed.hpp"
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
