// The boundary values that a member needs: of the faces of the box the parts that its box touches.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/distributed.hpp"
#include "ranks/message.hpp"

namespace poisson3d::app {

/// Points into the arrays of the whole faces. `box` is the member's.
template <class T>
BoundaryData<T> part_of(const BoundaryData<T>& whole, const Box& box) {
    BoundaryData<T> part = whole;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (FaceValues<T>& face : part.faces[axis])
            if (face.data != nullptr) {
                const Index row = box.first[axis == 0 ? 1 : 0];
                face.data += row * face.stride + (axis == 2 ? box.first[1] : 0);
            }
    return part;
}

template <class T>
void pack_boundary(Packer& message, const BoundaryData<T>& part, const Box& box) {
    for (int axis = 0; axis < 3; ++axis)
        for (const FaceValues<T>& face : part.faces[axis]) {
            const auto [rows, length] = extents_of_face(box.points, axis);
            std::vector<T> values;
            for (Index row = 0; face.data != nullptr && row < rows; ++row)
                values.insert(values.end(), face.data + row * face.stride, face.data + row * face.stride + length);
            message(face.constant, values);
        }
}

/// What came in a message.
template <class T>
class ReceivedBoundary {
public:
    ReceivedBoundary(Unpacker& message, const Box& box) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                FaceValues<T>& face = data_.faces[axis][side];
                std::vector<T>& values = values_[axis][side];
                message(face.constant, values);
                if (values.empty()) continue;
                face.data = values.data();
                face.stride = extents_of_face(box.points, axis)[1];
            }
    }
    ReceivedBoundary(const ReceivedBoundary&) = delete;
    ReceivedBoundary& operator=(const ReceivedBoundary&) = delete;

    /// Points into this object.
    [[nodiscard]] const BoundaryData<T>& data() const noexcept { return data_; }

private:
    std::array<std::array<std::vector<T>, 2>, 3> values_;
    BoundaryData<T> data_;
};

}  // namespace poisson3d::app
