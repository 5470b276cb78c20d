// Boxes of a field whose numbers go to other places, or come from there: to packed memory, or straight to where
// they are needed, in the memory of another device, too. A launch moves all of them. One definition with CUDA
// (device/placed_boxes.cu), one without (absent).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "host_device.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// A box of a field, and the place of its first number elsewhere, where rows along the last axis are so far apart.
struct PlacedBox {
    Extents first{}, points{};
    void* place = nullptr;
    Index plane_apart = 0, row_apart = 0;

    /// One row after the other.
    static PlacedBox packed(const Extents& first, const Extents& points, void* place) {
        return {first, points, place, points[1] * points[2], points[2]};
    }
};

/// Of a field of elements of `element_bytes`: in the memory of a device, or one of them.
struct PlacedBoxes {
    const PlacedBox* table = nullptr;  ///< null: `one`
    PlacedBox one;
    int count = 0;
    Index largest = 0;            ///< elements of the largest box
    std::uintptr_t divided = 16;  ///< bytes that divide all addresses and lengths, but for those of the field

    void add(const PlacedBox& box, std::size_t element_bytes) {
        one = box;
        ++count;
        largest = std::max(largest, box.points[0] * box.points[1] * box.points[2]);
        for (const Index elements : {box.first[2], box.points[2], box.plane_apart, box.row_apart})
            take(static_cast<std::uintptr_t>(elements) * element_bytes);
        take(reinterpret_cast<std::uintptr_t>(box.place));
    }
    /// Whether all may be moved in vectors of so many bytes.
    template <class T>
    [[nodiscard]] bool in_vectors(const FieldView<T>& field, std::size_t bytes) const {
        PlacedBoxes with_field = *this;
        with_field.take(reinterpret_cast<std::uintptr_t>(field.data));
        for (const int axis : {0, 1}) with_field.take(static_cast<std::uintptr_t>(field.strides[axis]) * sizeof(T));
        return with_field.divided >= bytes;
    }

private:
    void take(std::uintptr_t bytes) {
        while (bytes % divided != 0) divided /= 2;
    }
};

/// Their places := the boxes of a field, or `constant` where it has no data. Asynchronous on the current device;
/// throws Error{device} when refused.
template <class T>
void launch_put_boxes(const PlacedBoxes& boxes, const FieldView<const T>& field, T constant, Stream stream);
/// And back.
template <class T>
void launch_take_boxes(const PlacedBoxes& boxes, const FieldView<T>& field, Stream stream);

}  // namespace poisson3d
