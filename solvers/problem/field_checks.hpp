// What is asked of fields and boundary data before anything touches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "free_faces.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Throws Error{usage} unless the view `who` points, has these extents, and strides that keep rows and planes
/// apart.
template <class T>
void require_view(const Extents& points, FieldView<T> view, const char* who) {
    const auto text = [](const Extents& e) {
        return std::to_string(e[0]) + " x " + std::to_string(e[1]) + " x " + std::to_string(e[2]);
    };
    if (view.data == nullptr) throw Error(ErrorCode::usage, std::string("field ") + who + " is a null pointer");
    if (view.extents != points)
        throw Error(ErrorCode::usage, std::string("field ") + who + " has extents " + text(view.extents) +
                                          ", wanted " + text(points));
    // Compared by division: products of strides from the far end would wrap round.
    constexpr Index most = std::numeric_limits<std::ptrdiff_t>::max() / static_cast<Index>(sizeof(T));
    if (view.strides[2] != 1 || view.strides[1] < points[2] || view.strides[1] > view.strides[0] / points[1] ||
        view.strides[0] > most / points[0])
        throw Error(ErrorCode::usage, std::string("field ") + who + " has strides " + text(view.strides) +
                                          ": the last must be 1, rows and planes must not overlap, and the whole "
                                          "must fit into memory");
}

/// Throws Error{usage} unless there are as many f as u, and no more than the plan is for.
inline void require_fields(Index f, Index u, Index batch) {
    if (f != u)
        throw Error(ErrorCode::usage, "found " + std::to_string(f) + " fields f and " + std::to_string(u) +
                                          " fields u, wanted as many of one as of the other");
    if (f < 1 || f > batch)
        throw Error(ErrorCode::usage, "found a batch of " + std::to_string(f) + " fields, wanted 1 to " +
                                          std::to_string(batch) + ", the batch of the plan");
}

/// Does the memory from the first element of one view to its last overlap that of the other?
template <class T>
bool overlap(FieldView<const T> a, FieldView<const T> b) {
    const auto range = [](const FieldView<const T>& view) {
        const auto begin = reinterpret_cast<std::uintptr_t>(view.data);
        const Index last =
            (view.extents[0] - 1) * view.strides[0] + (view.extents[1] - 1) * view.strides[1] + view.extents[2];
        return std::pair{begin, begin + static_cast<std::size_t>(last) * sizeof(T)};
    };
    const auto [a_begin, a_end] = range(a);
    const auto [b_begin, b_end] = range(b);
    return a_begin < b_end && b_begin < a_end;
}

/// Throws Error{unsupported} for data with the spectral discretization, Error{usage} for data on a periodic axis.
template <class T>
void require_possible(const Problem& problem, const BoundaryData<T>& boundary) {
    if (boundary.zero()) return;
    if (problem.discretization == Discretization::spectral)
        throw Error(ErrorCode::unsupported,
                    "the spectral discretization takes no boundary data other than zero: the modes satisfy "
                    "homogeneous conditions, and what the data adds to f would cost their accuracy; use the "
                    "second-order one, or subtract a known function that has these values");
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            if (problem.grid.axes[axis].periodic() && !boundary.faces[axis][side].zero())
                throw Error(ErrorCode::usage, "boundary data of " + face_name(problem.grid, axis, side) +
                                                  ": the axis is periodic and has no faces");
}

/// Throws Error{usage} for data on a free face, which a solve finds by itself.
template <class T>
void require_no_free_data(const Problem& problem, const BoundaryData<T>& boundary) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            if (is_free(problem.grid.axes[axis], side) && !boundary.faces[axis][side].zero())
                throw Error(ErrorCode::usage, "boundary data of " + face_name(problem.grid, axis, side) +
                                                  ": the face is free and nothing stands there");
}

}  // namespace poisson3d
