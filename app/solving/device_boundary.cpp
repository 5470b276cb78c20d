#include "solving/device_boundary.hpp"

namespace poisson3d::app {

namespace {

/// body(axis, side, rows, row length) for each face that has an array.
template <class T, class Body>
void for_each_array(const Grid& grid, const BoundaryData<T>& data, const Body& body) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const auto [rows, length] = extents_of_face(grid.points(), axis);
            if (data.faces[axis][side].data != nullptr) body(axis, side, rows, length);
        }
}

}  // namespace

template <class T>
std::size_t DeviceBoundary<T>::bytes(const Grid& grid, const BoundaryData<T>& host) {
    std::size_t sum = 0;
    for_each_array(grid, host, [&](int, int, Index rows, Index length) {
        sum += static_cast<std::size_t>(rows * length) * sizeof(T);
    });
    return sum;
}

template <class T>
DeviceBoundary<T>::DeviceBoundary(const Grid& grid, const BoundaryData<T>& host) : data_(host) {
    if (bytes(grid, host) == 0) return;
    memory_ = DeviceBuffer(bytes(grid, host));
    T* next = static_cast<T*>(memory_.data());
    for_each_array(grid, host, [&](int axis, int side, Index rows, Index length) {
        const FaceValues<T>& from = host.faces[axis][side];
        FaceValues<T>& to = data_.faces[axis][side];
        to.data = next;
        to.stride = length;
        const std::size_t row_bytes = static_cast<std::size_t>(length) * sizeof(T);
        if (from.stride == length)
            copy_to_device(next, from.data, static_cast<std::size_t>(rows) * row_bytes);
        else
            for (Index a = 0; a < rows; ++a)
                copy_to_device(next + a * length, from.data + a * from.stride, row_bytes);
        next += rows * length;
    });
}

template class DeviceBoundary<float>;
template class DeviceBoundary<double>;

}  // namespace poisson3d::app
