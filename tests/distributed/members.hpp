// A solve by members on threads, each with its planes of a box, and the same by one solver.
#pragma once

#include "padded.hpp"
#include "poisson3d/distributed.hpp"
#include "problems.hpp"

namespace poisson3d::test {

/// Planes of every member of `field`, in place.
template <class T>
std::vector<FieldView<T>> slabs_of(const Decomposition& parts, FieldView<T> field) {
    std::vector<FieldView<T>> views;
    for (int m = 0; m < parts.members(); ++m) views.push_back(field.slab(parts.first(m), parts.planes(m)));
    return views;
}

/// The part of each face that a member's planes touch; of the first axis only its own.
template <class T>
std::vector<BoundaryData<T>> data_of(const Decomposition& parts, const BoundaryData<T>& whole) {
    std::vector<BoundaryData<T>> all;
    for (int m = 0; m < parts.members(); ++m) {
        BoundaryData<T> data = whole;
        for (int axis : {1, 2})
            for (FaceValues<T>& face : data.faces[axis])
                if (face.data != nullptr) face.data += parts.first(m) * face.stride;
        all.push_back(data);
    }
    return all;
}

template <class T>
Field<T> solved_by_members(const Problem& problem, const Decomposition& parts, const Field<T>& f, Method method,
                           const BoundaryData<T>& data = {}, Result* result = nullptr, T scale = T(1)) {
    DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.method = method, .threads = 2});
    Field<T> u = filled_field<T>(problem.grid.points());
    const auto from = slabs_of<const T>(parts, f.view());
    const auto to = slabs_of<T>(parts, u.view());
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
