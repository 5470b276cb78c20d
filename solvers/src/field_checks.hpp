// What is asked of a field before anything touches it.
#pragma once

#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"

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
                                          ", the plan wants " + text(points));
    if (view.strides[2] != 1 || view.strides[1] < points[2] || view.strides[0] < points[1] * view.strides[1])
        throw Error(ErrorCode::usage, std::string("field ") + who + " has strides " + text(view.strides) +
                                          ": the last must be 1 and rows and planes must not overlap");
}

}  // namespace poisson3d
