// A dense field in device memory, made of host fields and read into them.
#pragma once

#include "poisson3d/device_memory.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::test {

template <class T>
class DeviceField {
public:
    /// Filled with NaN, so that an element left unwritten shows.
    explicit DeviceField(const Extents& points) : points_(points), buffer_(bytes()) { poison(); }
    explicit DeviceField(const Field<T>& values) : points_(values.extents()), buffer_(bytes()) { put(values); }

    [[nodiscard]] FieldView<T> view() const { return {static_cast<T*>(buffer_.data()), points_}; }

    /// Both wait for the stream.
    void put(const Field<T>& values, Stream stream = {}) {
        copy_to_device(buffer_.data(), values.data(), bytes(), stream);
    }
    [[nodiscard]] Field<T> get(Stream stream = {}) const {
        Field<T> values(points_);
        copy_to_host(values.data(), buffer_.data(), bytes(), stream);
        return values;
    }
    void poison(Stream stream = {}) {
        fill_on_device(buffer_.data(), 0xff, bytes(), stream);
        synchronize(stream);
    }

private:
    [[nodiscard]] std::size_t bytes() const {
        return static_cast<std::size_t>(points_[0] * points_[1] * points_[2]) * sizeof(T);
    }

    Extents points_;
    DeviceBuffer buffer_;
};

}  // namespace poisson3d::test
