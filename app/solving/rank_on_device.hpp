// The part of a rank that has a GPU: a field in host memory, which is read, written and compared, and another one
// in the memory of the GPU, to which the first goes before a solve and from which the solution comes.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "solving/device_boundary.hpp"
#include "solving/device_field.hpp"
#include "solving/host_part.hpp"

namespace poisson3d::app {

template <class T>
class RankOnDevice : public HostPart<T> {
public:
    using Place = HostPlace;

    /// Throws Error{out_of_memory}, of either memory.
    RankOnDevice(const Place& place, const std::vector<BoundaryData<T>>& boundary)
        : RankOnDevice(place, HostPart<T>(place, {}), boundary) {}

    [[nodiscard]] std::vector<FieldView<T>> views() { return {field_->view()}; }
    [[nodiscard]] std::span<const BoundaryData<T>> boundary() const { return boundary_; }
    [[nodiscard]] std::span<const Stream> streams() const { return {&stream_, 1}; }

    void upload() {
        const DeviceScope scope(device_);
        field_->upload(step_, [&](Index first, FieldView<T> planes) {
            std::memcpy(planes.data, this->planes(begin_ + first, planes.extents[0]).data, bytes_of(planes.size()));
        });
    }
    void download() {
        const DeviceScope scope(device_);
        field_->download(0, points_[0], step_, [&](Index first, FieldView<const T> planes) {
            std::memcpy(this->planes(begin_ + first, planes.extents[0]).data, planes.data, bytes_of(planes.size()));
        });
    }
    /// On the GPU: what a first solve, which loads kernels, is made with.
    void clear() {
        const DeviceScope scope(device_);
        const FieldView<T> field = field_->view();
        if (field.size() > 0) fill_on_device(field.data, 0, bytes_of(field.size()), stream_);
    }

    template <class Body>
    double seconds_of(const Body& body) const {
        const DeviceScope scope(device_);
        const Stopwatch watch;
        body();
        synchronize(stream_);
        return watch.seconds();
    }
    [[nodiscard]] double copy_time(int /*threads*/) const {
        const DeviceScope scope(device_);
        const FieldView<T> field = field_->view();
        return field.size() > 0 ? device_copy_seconds(field.data, bytes_of(field.size()), stream_) : 0.0;
    }

    /// In double, for which this one is given up.
    [[nodiscard]] RankOnDevice<double> widened() {
        faces_.reset(), field_.reset();
        return RankOnDevice<double>(place_, HostPart<T>::widened(), {});
    }

private:
    template <class Other>
    friend class RankOnDevice;

    RankOnDevice(const Place& place, HostPart<T> host, const std::vector<BoundaryData<T>>& boundary)
        : HostPart<T>(std::move(host)),
          place_(place),
          device_(place.device),
          begin_(place.box.first[0]),
          points_(place.box.points),
          step_(planes_of(points_, sizeof(T))) {
        const DeviceScope scope(device_);
        field_ = std::make_unique<DeviceField<T>>(points_, step_);
        stream_ = field_->stream();
        faces_ = std::make_unique<DeviceBoundary<T>>(points_, boundary.empty() ? BoundaryData<T>{} : boundary[0]);
        boundary_.push_back(faces_->data());
    }

    static std::size_t bytes_of(Index elements) { return static_cast<std::size_t>(elements) * sizeof(T); }

    Place place_;
    int device_;
    Index begin_;
    Extents points_;
    Index step_;
    std::unique_ptr<DeviceField<T>> field_;
    std::unique_ptr<DeviceBoundary<T>> faces_;
    Stream stream_;
    std::vector<BoundaryData<T>> boundary_;
};

}  // namespace poisson3d::app
