// What every solver asks of the fields and the boundary data it is given.
#pragma once

#include <string>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d {

/// Throws Error{usage} unless the view has these points and rows and planes that do not overlap. `who` is its name.
template <class T>
void check_view(const Extents& points, const FieldView<T>& view, const char* who) {
    const auto text = [](const Extents& e) {
        return std::to_string(e[0]) + " x " + std::to_string(e[1]) + " x " + std::to_string(e[2]);
    };
    if (view.data == nullptr) throw Error(ErrorCode::usage, std::string("field ") + who + " is a null pointer");
    if (view.extents != points)
        throw Error(ErrorCode::usage, std::string("field ") + who + " has extents " + text(view.extents) +
                                          ", the plan wants " + text(points));
    const Strides& strides = view.strides;
    if (strides[2] != 1 || strides[1] < points[2] || strides[0] < points[1] * strides[1])
        throw Error(ErrorCode::usage, std::string("field ") + who + " has strides " + text(strides) +
                                          ": the last must be 1 and rows and planes must not overlap");
}

/// Throws Error{usage} for data on a periodic axis.
template <class T>
void check_boundary(const Grid& grid, const BoundaryData<T>& boundary) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            if (grid.axes[axis].periodic() && !boundary.faces[axis][side].zero())
                throw Error(ErrorCode::usage, "boundary data of " + face_name(grid, axis, side) +
                                                  ": the axis is periodic and has no faces");
}

}  // namespace poisson3d
