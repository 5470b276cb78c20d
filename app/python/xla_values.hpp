// What calls of XLA are given beside f: the arrays of faces, by the names that an attribute lists.
#pragma once

#include <xla/ffi/api/ffi.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::python {

/// A face and the buffer of its values.
struct Values {
    int axis, side;
    const void* data;
    friend bool operator==(const Values&, const Values&) = default;
};

/// Buffer `number` of those behind f.
inline xla::ffi::AnyBuffer buffer(xla::ffi::RemainingArgs arrays, std::size_t number) {
    const auto found = arrays.get<xla::ffi::AnyBuffer>(number);
    if (found.has_error()) throw Error(ErrorCode::internal, found.error().message());
    return *found;
}

/// `faces`: "x_lower,z_upper" and so on, each with a buffer.
inline std::vector<Values> read_values(const Grid& grid, std::string_view faces, xla::ffi::RemainingArgs arrays) {
    std::vector<Values> values;
    while (!faces.empty()) {
        const std::string_view name = faces.substr(0, faces.find(','));
        faces.remove_prefix(name.size() < faces.size() ? name.size() + 1 : name.size());
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (name == face_name(grid, axis, side))
                    values.push_back({axis, side, buffer(arrays, values.size()).untyped_data()});
    }
    return values;
}

/// As boundary data of the fields of a batch from `first` on, over a box of so many points.
template <class T>
BoundaryData<T> data_of(const std::vector<Values>& values, const Extents& points, Index first) {
    BoundaryData<T> data;
    for (const Values& each : values) {
        const auto [rows, columns] = extents_of_face(points, each.axis);
        FaceValues<T>& face = data.faces[static_cast<std::size_t>(each.axis)][static_cast<std::size_t>(each.side)];
        face.data = static_cast<const T*>(each.data) + first * rows * columns;
        face.stride = columns;
        face.field_stride = rows * columns;
    }
    return data;
}

}  // namespace poisson3d::python
