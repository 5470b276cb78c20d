// Fields in host memory, copied to a device and back, for solvers that work there and block.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d {

/// Throws Error{usage} unless both fields, and arrays of boundary data, are on one side. True: in device memory.
template <class T>
bool one_side_on_device(FieldView<const T> f, FieldView<const T> u, const BoundaryData<T>& boundary = {}) {
    const bool there = on_device(f.data);
    const auto side = [](bool device) { return device ? "in device memory" : "in host memory"; };
    const auto require = [&](const T* data, const std::string& who) {
        if (data != nullptr && on_device(data) != there)
            throw Error(ErrorCode::usage,
                        who + ": found " + side(!there) + ", wanted " + side(there) + ", where the other field is");
    };
    require(u.data, "u");
    for (const auto& faces : boundary.faces)
        for (const FaceValues<T>& face : faces) require(face.data, "boundary data");
    return there;
}

template <class T>
class StagedFields {
public:
    explicit StagedFields(int device) : device_(device) {}

    /// A dense copy on the device, in memory number `slot`, which is taken when first needed. Blocks.
    FieldView<T> bring(std::size_t slot, FieldView<const T> from) {
        const DeviceScope scope(device_);
        const FieldView<T> there(room(slot, from.size()), from.extents);
        const T* source = from.data;
        if (!from.dense()) {
            rows_.resize(static_cast<std::size_t>(from.size()));
            for_rows(from, [&](const T* row, Index n) { std::copy_n(row, from.extents[2], rows_.data() + n); });
            source = rows_.data();
        }
        copy_to_device(there.data, source, static_cast<std::size_t>(from.size()) * sizeof(T));
        return there;
    }

    /// Into rows of the host; what lies between them is not written. Blocks.
    void take(FieldView<const T> from, FieldView<T> to) {
        const DeviceScope scope(device_);
        const std::size_t bytes = static_cast<std::size_t>(to.size()) * sizeof(T);
        if (to.dense()) return copy_to_host(to.data, from.data, bytes);
        rows_.resize(static_cast<std::size_t>(to.size()));
        copy_to_host(rows_.data(), from.data, bytes);
        for_rows(to, [&](T* row, Index n) { std::copy_n(rows_.data() + n, to.extents[2], row); });
    }

    /// Arrays of faces, in memory from number `slot` on.
    BoundaryData<T> bring_faces(std::size_t slot, BoundaryData<T> boundary, const Extents& points) {
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side, ++slot) {
                FaceValues<T>& face = boundary.faces[a][side];
                if (face.data == nullptr) continue;
                const auto [rows, columns] = extents_of_face(points, a);
                const FieldView<const T> from(face.data, {1, rows, columns}, {rows * face.stride, face.stride, 1});
                face.data = bring(slot, from).data;
                face.stride = columns;
            }
        return boundary;
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const DeviceBuffer& each : memory_) sum += each.size();
        return sum;
    }

private:
    T* room(std::size_t slot, Index elements) {
        if (memory_.size() <= slot) memory_.resize(slot + 1);
        const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(T);
        if (memory_[slot].size() < bytes) {
            memory_[slot] = DeviceBuffer();  // first, so that there is room
            memory_[slot] = DeviceBuffer(bytes);
        }
        return static_cast<T*>(memory_[slot].data());
    }
    template <class E, class Body>
    static void for_rows(FieldView<E> field, const Body& body) {
        for (Index i = 0; i < field.extents[0]; ++i)
            for (Index j = 0; j < field.extents[1]; ++j)
                body(&field(i, j, 0), (i * field.extents[1] + j) * field.extents[2]);
    }

    int device_;
    std::vector<DeviceBuffer> memory_;
    std::vector<T> rows_;
};

}  // namespace poisson3d
