// Boundary data in the memory of a GPU.
#pragma once

#include <cstddef>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::app {

/// A copy of all face arrays on the current device, rows without gaps; numbers stay numbers. Made once before the
/// solve; blocks until the data has arrived.
template <class T>
class DeviceBoundary {
public:
    /// `host` is of a box of these points, in host memory, and only read here. Throws Error{out_of_memory}.
    DeviceBoundary(const Extents& points, const BoundaryData<T>& host) : data_(host) {
        if (bytes(points, host) == 0) return;
        memory_ = DeviceBuffer(bytes(points, host));
        T* next = static_cast<T*>(memory_.data());
        for_each_array(points, data_, [&](FaceValues<T>& face, Index rows, Index length) {
            const FaceValues<T> from = face;
            face.data = next;
            face.stride = length;
            const std::size_t row_bytes = static_cast<std::size_t>(length) * sizeof(T);
            if (from.stride == length)
                copy_to_device(next, from.data, static_cast<std::size_t>(rows) * row_bytes);
            else
                for (Index a = 0; a < rows; ++a)
                    copy_to_device(next + a * length, from.data + a * from.stride, row_bytes);
            next += rows * length;
        });
    }

    /// Valid as long as this object.
    [[nodiscard]] const BoundaryData<T>& data() const noexcept { return data_; }

    /// Device memory of the arrays.
    static std::size_t bytes(const Extents& points, const BoundaryData<T>& host) {
        std::size_t sum = 0;
        for_each_array(points, host, [&](const FaceValues<T>&, Index rows, Index length) {
            sum += static_cast<std::size_t>(rows * length) * sizeof(T);
        });
        return sum;
    }

private:
    /// body(face, rows, row length) for each face that has an array.
    template <class Data, class Body>
    static void for_each_array(const Extents& points, Data& data, const Body& body) {
        for (int axis = 0; axis < 3; ++axis)
            for (auto& face : data.faces[axis]) {
                const auto [rows, length] = extents_of_face(points, axis);
                if (face.data != nullptr) body(face, rows, length);
            }
    }

    DeviceBuffer memory_;
    BoundaryData<T> data_;
};

}  // namespace poisson3d::app
