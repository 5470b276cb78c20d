// Fields in host memory, doubled in device memory for the time of one solve, with all that lies around them.
//
// What is copied is the whole range from the first element of a view to its last, pitches and ghost layers between
// included, to an address with the same remainder by 256; guard zones lie below and above. So a device meets the
// strides, the alignment, the garbage and the aliasing that the test made in host memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <vector>

#include "guard.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::test {

/// Addresses in host memory.
struct Range {
    std::uintptr_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// From the first element of a view to its last. Views that a solver must refuse have one, too.
template <class T>
Range range_of(FieldView<const T> view) {
    if (view.data == nullptr) return {};
    Index last = 0;
    for (int a = 0; a < 3; ++a) last += std::max<Index>(0, (view.extents[a] - 1) * view.strides[a]);
    const auto begin = reinterpret_cast<std::uintptr_t>(view.data);
    return {begin, begin + (static_cast<std::size_t>(last) + 1) * sizeof(T)};
}

/// Device memory that stands for a range of host memory.
class DeviceImage {
public:
    explicit DeviceImage(const Range& range)
        : range_(range),
          begin_(guard_bytes + range.begin % 256),
          bytes_(begin_ + range.size() + guard_bytes),
          device_(bytes_.size()) {
        fill_guard(bytes_);
        if (range.size() > 0) std::memcpy(bytes_.data() + begin_, source(), range.size());
        copy_to_device(device_.data(), bytes_.data(), bytes_.size());
    }

    /// Where an address of the range is on the device.
    [[nodiscard]] void* at(const void* host) const {
        return static_cast<std::byte*>(device_.data()) + begin_ +
               (reinterpret_cast<std::uintptr_t>(host) - range_.begin);
    }

    /// Waits, fetches all, and fails the test if anything was written beside the range.
    void fetch() {
        copy_to_host(bytes_.data(), device_.data(), bytes_.size());
        EXPECT_EQ(damaged(bytes_, begin_, begin_ + range_.size()), 0U) << "bytes beside a field were written";
    }
    /// What was fetched differs from what the range holds.
    [[nodiscard]] bool differs() const {
        return range_.size() > 0 && std::memcmp(bytes_.data() + begin_, source(), range_.size()) != 0;
    }
    /// Puts what was fetched where it came from.
    void put_back() const {
        if (range_.size() > 0) std::memcpy(target(), bytes_.data() + begin_, range_.size());
    }

private:
    [[nodiscard]] const void* source() const { return reinterpret_cast<const void*>(range_.begin); }
    [[nodiscard]] void* target() const { return reinterpret_cast<void*>(range_.begin); }

    Range range_;
    std::size_t begin_;
    std::vector<std::byte> bytes_;
    DeviceBuffer device_;
};

/// The two fields of a solve. What is one memory on the host, or overlaps, does so on the device.
template <class T>
class DeviceFields {
public:
    DeviceFields(FieldView<const T> f, FieldView<T> u) : f_(f), u_(u) {
        const Range from = range_of(f);
        const Range to = range_of<T>(u);
        if (from.begin < to.end && to.begin < from.end) {
            image_.emplace(Range{std::min(from.begin, to.begin), std::max(from.end, to.end)});
        } else {
            image_.emplace(to);
            read_only_.emplace(from);
        }
    }

    [[nodiscard]] FieldView<const T> f() const {
        const DeviceImage& image = read_only_ ? *read_only_ : *image_;
        return {f_.data == nullptr ? nullptr : static_cast<const T*>(image.at(f_.data)), f_.extents, f_.strides};
    }
    [[nodiscard]] FieldView<T> u() const {
        return {u_.data == nullptr ? nullptr : static_cast<T*>(image_->at(u_.data)), u_.extents, u_.strides};
    }

    /// Waits and copies back; fails the test if f was written where it is not u.
    void fetch() {
        image_->fetch();
        image_->put_back();
        if (!read_only_) return;
        read_only_->fetch();
        EXPECT_FALSE(read_only_->differs()) << "f was written";
    }

private:
    FieldView<const T> f_;
    FieldView<T> u_;
    std::optional<DeviceImage> image_, read_only_;
};

/// Face arrays of a solve, each in device memory of its own with all that lies between its rows.
template <class T>
class DeviceFaces {
public:
    DeviceFaces(const BoundaryData<T>& host, const Extents& points) : data_(host) {
        for (int axis = 0; axis < 3; ++axis)
            for (FaceValues<T>& face : data_.faces[axis]) {
                if (face.data == nullptr) continue;
                const auto [rows, columns] = extents_of_face(points, axis);
                images_.emplace_back(
                    range_of<T>({face.data, {1, rows, columns}, {face.stride * rows, face.stride, 1}}));
                face.data = static_cast<const T*>(images_.back().at(face.data));
            }
    }

    [[nodiscard]] const BoundaryData<T>& data() const { return data_; }

    /// Fails the test if a face was written.
    void fetch() {
        for (DeviceImage& image : images_) {
            image.fetch();
            EXPECT_FALSE(image.differs()) << "boundary data was written";
        }
    }

private:
    BoundaryData<T> data_;
    std::deque<DeviceImage> images_;
};

}  // namespace poisson3d::test
