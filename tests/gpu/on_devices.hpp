// What members have in the memory of their devices.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device_field.hpp"
#include "members.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_stream.hpp"

namespace poisson3d::test {

/// Three members on one device; with two devices also a member on each, and some on both; one on each of four.
inline std::vector<std::vector<int>> device_lists() {
    std::vector<std::vector<int>> lists{{0, 0, 0}};
    if (count_devices() > 1) lists.insert(lists.end(), {{0, 1}, {1, 0, 1, 0, 1}});
    if (count_devices() > 3) lists.push_back({3, 1, 0, 2});
    return lists;
}

/// What members have in the memory of their devices: f, u, faces.
template <class T>
class OnDevices {
public:
    OnDevices(const Decomposition& parts, const std::vector<int>& devices, const Field<T>& f,
              const BoundaryData<T>& data = {})
        : parts_(parts), devices_(devices) {
        for (int m = 0; m < parts.members(); ++m) {
            const DeviceScope scope(devices[static_cast<std::size_t>(m)]);
            const Extents box = parts.box(m).points;
            streams_.push_back(std::make_unique<DeviceStream>());
            f_.push_back(std::make_unique<DeviceField<T>>(box));
            u_.push_back(std::make_unique<DeviceField<T>>(box));
            f_.back()->put(box_of(f, parts.box(m)));
            from.push_back(f_.back()->view());
            to.push_back(u_.back()->view());
            streams.push_back(streams_.back()->get());
            faces.push_back(on_device(data_of(parts, data)[static_cast<std::size_t>(m)], box));
        }
    }
    void put(const Field<T>& f) {
        for (int m = 0; m < parts_.members(); ++m) {
            const DeviceScope scope(devices_[static_cast<std::size_t>(m)]);
            f_[static_cast<std::size_t>(m)]->put(box_of(f, parts_.box(m)));
        }
    }
    [[nodiscard]] Field<T> solution() const {
        Field<T> u(parts_.points());
        for (int m = 0; m < parts_.members(); ++m) {
            const DeviceScope scope(devices_[static_cast<std::size_t>(m)]);
            put_box(u_[static_cast<std::size_t>(m)]->get(), parts_.box(m), u);
        }
        return u;
    }

    std::vector<FieldView<const T>> from;
    std::vector<FieldView<T>> to;
    std::vector<BoundaryData<T>> faces;
    std::vector<Stream> streams;

private:
    BoundaryData<T> on_device(BoundaryData<T> data, const Extents& points) {
        for (int axis = 0; axis < 3; ++axis)
            for (FaceValues<T>& face : data.faces[axis]) {
                if (face.data == nullptr || points[0] * points[1] * points[2] == 0) continue;
                const Index rows = points[axis == 0 ? 1 : 0], columns = points[axis == 2 ? 1 : 2];
                const auto bytes = static_cast<std::size_t>((rows - 1) * face.stride + columns) * sizeof(T);
                faces_.push_back(std::make_unique<DeviceBuffer>(bytes));
                copy_to_device(faces_.back()->data(), face.data, bytes);
                face.data = static_cast<const T*>(faces_.back()->data());
            }
        return data;
    }

    Decomposition parts_;
    std::vector<int> devices_;
    std::vector<std::unique_ptr<DeviceField<T>>> f_, u_;
    std::vector<std::unique_ptr<DeviceBuffer>> faces_;
    std::vector<std::unique_ptr<DeviceStream>> streams_;
};

}  // namespace poisson3d::test
