// Boundary values of a Python call: a dictionary from the names of faces to numbers and arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "array.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/stream.hpp"

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

/// What stands on free faces, which a solver has in host memory, in that of a device; of one plan, from call to
/// call.
template <class T>
class FacesOnDevice {
public:
    /// Lets the faces of `data` of axis 0 … 2 that are free point to copies, of `fields` fields of a box of
    /// `points`. On the current device; waits for the copies.
    void put(BoundaryData<T>& data, const Grid& grid, const Extents& points, Index fields, Stream stream) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const Axis& along = grid.axes[static_cast<std::size_t>(axis)];
                FaceValues<T>& face = data.faces[axis][side];
                if ((side == 0 ? along.lower : along.upper) != Boundary::free || face.data == nullptr) continue;
                const auto [rows, columns] = extents_of_face(points, axis);
                if (rows == 0 || columns == 0) continue;
                const Index count = (fields - 1) * face.field_stride + (rows - 1) * face.stride + columns;
                const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
                DeviceBuffer& copy = copies_[axis][side];
                if (copy.size() < bytes) copy = DeviceBuffer(), copy = DeviceBuffer(bytes);
                copy_to_device(copy.data(), face.data, bytes, stream);
                face.data = static_cast<const T*>(copy.data());
            }
    }

private:
    DeviceBuffer copies_[3][2];
};

}  // namespace poisson3d::python
