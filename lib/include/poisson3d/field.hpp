// Fields: a view that points, and an owner that frees.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "poisson3d/grid.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d {

using Strides = std::array<Index, 3>;

/// Strides of a field without gaps, last index contiguous.
constexpr Strides dense_strides(const Extents& extents) noexcept {
    return {extents[1] * extents[2], extents[2], 1};
}

/// A 3-D array that it does not own: element (i, j, k) is data[i·strides[0] + j·strides[1] + k].
/// Strides are in elements; the last is always 1, the others may leave room for pitches and ghost layers.
/// Cheap to copy; says nothing about where the memory is: the call that takes it says host or device.
template <class T>
struct FieldView {
    T* data = nullptr;
    Extents extents{};
    Strides strides{};

    FieldView() = default;
    FieldView(T* pointer, const Extents& shape) : data(pointer), extents(shape), strides(dense_strides(shape)) {}
    FieldView(T* pointer, const Extents& shape, const Strides& pitch)
        : data(pointer), extents(shape), strides(pitch) {}
    /// A view that may write converts to one that only reads.
    template <class U>
    requires(std::is_const_v<T>&& std::is_same_v<const U, T>) FieldView(const FieldView<U>& other)
        : data(other.data), extents(other.extents), strides(other.strides) {}

    [[nodiscard]] Index size() const noexcept { return extents[0] * extents[1] * extents[2]; }
    [[nodiscard]] bool dense() const noexcept { return strides == dense_strides(extents); }
    [[nodiscard]] T& operator()(Index i, Index j, Index k) const noexcept {
        return data[i * strides[0] + j * strides[1] + k * strides[2]];
    }
    /// The planes first … first + count − 1 of the slowest index.
    [[nodiscard]] FieldView slab(Index first, Index count) const noexcept {
        return {data + first * strides[0], {count, extents[1], extents[2]}, strides};
    }
};

/// Fields of one shape, for one call that works on all of them: field b is `first` moved by b · stride elements.
/// They may follow each other, stride = size of one, lie anywhere between each other's rows, or, where they are
/// only read, be one and the same, stride = 0.
template <class T>
struct FieldBatch {
    FieldView<T> first;
    Index count = 1;
    Index stride = 0;

    FieldBatch() = default;
    FieldBatch(const FieldView<T>& first_field, Index fields, Index field_stride)
        : first(first_field), count(fields), stride(field_stride) {}
    /// Dense fields, one behind the other.
    FieldBatch(T* pointer, const Extents& shape, Index fields)
        : first(pointer, shape), count(fields), stride(first.size()) {}
    /// A batch that may be written converts to one that is only read.
    template <class U>
    requires(std::is_const_v<T>&& std::is_same_v<const U, T>) FieldBatch(const FieldBatch<U>& other)
        : first(other.first), count(other.count), stride(other.stride) {}

    [[nodiscard]] FieldView<T> operator[](Index field) const noexcept {
        return {first.data + field * stride, first.extents, first.strides};
    }
};

/// A dense field in host memory, 64-byte aligned, its pages not yet touched. Move-only.
template <class T>
class Field {
public:
    Field() = default;
    /// Throws Error{out_of_memory} naming the bytes wanted.
    explicit Field(const Extents& extents)
        : buffer_(static_cast<std::size_t>(extents[0] * extents[1] * extents[2]) * sizeof(T)), extents_(extents) {}

    [[nodiscard]] FieldView<T> view() noexcept { return {static_cast<T*>(buffer_.data()), extents_}; }
    [[nodiscard]] FieldView<const T> view() const noexcept {
        return {static_cast<const T*>(buffer_.data()), extents_};
    }
    [[nodiscard]] const Extents& extents() const noexcept { return extents_; }
    [[nodiscard]] T* data() noexcept { return static_cast<T*>(buffer_.data()); }
    [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(buffer_.data()); }
    [[nodiscard]] Index size() const noexcept { return extents_[0] * extents_[1] * extents_[2]; }

private:
    HostBuffer buffer_;
    Extents extents_{};
};

}  // namespace poisson3d
