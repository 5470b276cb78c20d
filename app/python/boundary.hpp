// Boundary values of a Python call: a dictionary from the names of faces to numbers and arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "array.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d::python {

template <class T>
struct ReadBoundary {
    BoundaryData<T> data;
    std::vector<Array> arrays;  ///< that the data points into
};

/// {"x_lower": number or array, …} or None. Arrays have the shape of the face, or a first axis more for the fields
/// of a batch. Throws Error{usage} for other names (listing those there are), shapes and elements, and for arrays
/// that do not lie on `device` (none: in host memory).
template <class T>
ReadBoundary<T> read_boundary(nanobind::handle object, const Grid& grid, Index fields,
                              const std::optional<int>& device);

/// The data of field b of a batch.
template <class T>
BoundaryData<T> of_field(BoundaryData<T> data, Index b) {
    for (auto& axis : data.faces)
        for (FaceValues<T>& face : axis)
            if (face.data != nullptr) face.data += b * face.field_stride;
    return data;
}

}  // namespace poisson3d::python
