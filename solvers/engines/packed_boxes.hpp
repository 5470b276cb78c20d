// Boxes of a field, one behind the other in packed memory: what one of those that share a grid sends and receives.
// A launch packs all of them. One definition with CUDA (device/packed_boxes.cu), one without (absent).
#pragma once

#include "host_device.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// A box of a field, and the place of its first number in packed memory.
struct PackedBox {
    Index at = 0;
    Extents first{}, points{};
};

/// Boxes in the order of their places, none without points: in the memory of a device, or one of them.
struct PackedBoxes {
    const PackedBox* table = nullptr;  ///< null: `one`
    PackedBox one;
    int count = 1;
    Index numbers = 0;  ///< in all of them

    /// Where a number of the packed memory is in a field; divide(a, b) has `quotient` and `remainder`.
    template <class Divide>
    [[nodiscard]] POISSON3D_HD Index place(Index number, const Strides& strides, const Divide& divide) const {
        const PackedBox* const boxes = table == nullptr ? &one : table;
        int found = 0;
        for (int end = count; end - found > 1;) {
            const int middle = (found + end) / 2;
            (boxes[middle].at <= number ? found : end) = middle;
        }
        const PackedBox& box = boxes[found];
        const auto row = divide(number - box.at, box.points[2]);
        const auto plane = divide(row.quotient, box.points[1]);
        return (box.first[0] + plane.quotient) * strides[0] + (box.first[1] + plane.remainder) * strides[1] +
               box.first[2] + row.remainder;
    }
};

/// packed := the boxes of a field, or `constant` where it has no data. Asynchronous on the current device; throws
/// Error{device} when refused.
template <class T>
void launch_pack(const PackedBoxes& boxes, const FieldView<const T>& field, T constant, T* packed, Stream stream);
/// And back.
template <class T>
void launch_unpack(const PackedBoxes& boxes, const T* packed, const FieldView<T>& field, Stream stream);

}  // namespace poisson3d
