#include "boundary.hpp"

#include <string>
#include <utility>

#include "poisson3d/error.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

struct Face {
    int axis, side;
};

Face face_of(const std::string& name, const Grid& grid) {
    std::string names;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const std::string one = face_name(grid, axis, side);
            if (one == name) return {axis, side};
            names += (names.empty() ? "" : ", ") + one;
        }
    throw Error(ErrorCode::usage, "boundary_values: found '" + name + "', wanted one of " + names);
}

template <class T>
FaceValues<T> view_face(const Array& array, const Extents& points, int axis, Index fields,
                        const std::optional<int>& device) {
    if (array.device != device && !(device && array.device == Array::any_device))
        throw Error(ErrorCode::usage, array.name + ": found in " + memory_name(array.device) + ", wanted in " +
                                          memory_name(device) + ", where the fields are");
    require_elements(array, element_name<T>(), false);
    const auto extents = extents_of_face(points, axis);
    const std::array<Index, 3> shape{fields, extents[0], extents[1]};
    const int lead = array.axes == 3 ? 1 : 0;
    require_shape(array, shape.data() + 1 - lead, 2 + lead);
    FaceValues<T> values;
    values.data = static_cast<const T*>(array.data);
    values.stride = array.strides[lead];
    values.field_stride = lead == 1 ? array.strides[0] : 0;
    if (values.stride < extents[1])
        throw Error(ErrorCode::usage, array.name + ": found rows " + std::to_string(values.stride) +
                                          " elements apart, wanted " + std::to_string(extents[1]) + " or more");
    return values;
}

bool is_number(nb::handle value) {
    return PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr());
}

}  // namespace

template <class T>
ReadBoundary<T> read_boundary(nb::handle object, const Grid& grid, Index fields, const std::optional<int>& device) {
    ReadBoundary<T> boundary;
    if (object.is_none()) return boundary;
    for (const auto& [key, value] : nb::cast<nb::dict>(object)) {
        const auto name = nb::cast<std::string>(key);
        const Face face = face_of(name, grid);
        FaceValues<T>& values = boundary.data.faces[face.axis][face.side];
        if (is_number(value)) {
            values.constant = static_cast<T>(nb::cast<double>(nb::float_(value)));
        } else {
            Array array = read_array(value, "boundary_values['" + name + "']");
            values = view_face<T>(array, grid.points(), face.axis, fields, device);
            boundary.arrays.push_back(std::move(array));
        }
    }
    return boundary;
}

template ReadBoundary<float> read_boundary(nb::handle, const Grid&, Index, const std::optional<int>&);
template ReadBoundary<double> read_boundary(nb::handle, const Grid&, Index, const std::optional<int>&);

}  // namespace poisson3d::python
