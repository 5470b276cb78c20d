// The parts of members in the memory of GPUs, a field, boundary data and a stream for each; they come and go in
// slabs of planes, in order, through the same page-locked memory.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "poisson3d/text.hpp"
#include "solving/copy_time.hpp"
#include "solving/device_boundary.hpp"
#include "solving/device_field.hpp"
#include "solving/slabs.hpp"

namespace poisson3d::app {

/// Which GPU has which box of the grid.
struct DevicePlace {
    Decomposition parts;
    std::vector<int> devices;  ///< of each member
    Index most_planes = 1;     ///< of a slab
    bool widens = false;       ///< widened() will be asked for
};

template <class T>
class DeviceParts {
public:
    using Place = DevicePlace;

    /// Throws Error{out_of_memory}.
    DeviceParts(const Place& place, const std::vector<BoundaryData<T>>& boundary)
        : place_(place), slabs_(slabs_for(place)) {
        for (std::size_t m = 0; m < place.devices.size(); ++m) {
            const Extents points = box(m).points;
            const DeviceScope scope(place.devices[m]);
            fields_.push_back(std::make_unique<DeviceField<T>>(points, slabs_));
            faces_.push_back(
                std::make_unique<DeviceBoundary<T>>(points, boundary.empty() ? BoundaryData<T>{} : boundary[m]));
            streams_.push_back(fields_[m]->stream());
            boundary_.push_back(faces_[m]->data());
        }
        const DeviceScope scope(place.devices.front());
        timer_ = std::make_unique<DeviceTimer>();
    }

    /// Before anything is taken: the planes of all members of a GPU, and what verifying wants of it in double,
    /// which is the solution in both precisions, L u and as much of a workspace.
    static void require_room(const Place& place, const std::vector<BoundaryData<T>>& boundary) {
        std::map<int, std::size_t> planes, faces;
        for (std::size_t m = 0; m < place.devices.size(); ++m) {
            const Extents points = place.parts.box(static_cast<int>(m)).points;
            planes[place.devices[m]] += static_cast<std::size_t>(points[0] * points[1] * points[2]);
            if (!boundary.empty()) faces[place.devices[m]] += DeviceBoundary<T>::bytes(points, boundary[m]);
        }
        const std::size_t each = place.widens ? 3 * sizeof(double) : sizeof(T);
        for (const auto& [device, count] : planes) {
            const DeviceScope scope(device);
            const std::size_t wanted = count * each + faces[device], free = free_device_memory();
            if (wanted <= free) continue;
            throw Error(ErrorCode::out_of_memory,
                        "out of device memory: " +
                            std::string(place.widens ? "to solve and to verify its planes GPU "
                                                     : "for its planes alone GPU ") +
                            std::to_string(device) + " needs " + format_bytes(wanted) + ", free are " +
                            format_bytes(free) +
                            (place.widens     ? "; --no-verify takes less"
                             : sizeof(T) == 8 ? "; --precision single takes half of it"
                                              : ""));
        }
    }

    [[nodiscard]] std::vector<FieldView<T>> views() {
        std::vector<FieldView<T>> all;
        for (const auto& field : fields_) all.push_back(field->view());
        return all;
    }
    [[nodiscard]] std::span<const BoundaryData<T>> boundary() const { return boundary_; }
    [[nodiscard]] std::span<const Stream> streams() const { return streams_; }

    /// Device time of body(), whose work begins and ends in the stream of the first member.
    template <class Body>
    double seconds_of(const Body& body) {
        const DeviceScope scope(place_.devices.front());
        timer_->start(streams_.front());
        body();
        timer_->stop(streams_.front());
        return timer_->seconds();
    }
    /// GPUs copy beside each other, members of one GPU one after the other.
    [[nodiscard]] double copy_time(int /*threads*/) const {
        std::map<int, double> seconds;
        for (std::size_t m = 0; m < fields_.size(); ++m) {
            const DeviceScope scope(place_.devices[m]);
            const FieldView<T> field = fields_[m]->view();
            seconds[place_.devices[m]] += device_copy_seconds(
                field.data, static_cast<std::size_t>(field.size()) * sizeof(T), fields_[m]->stream());
        }
        double most = 0.0;
        for (const auto& [device, one] : seconds) most = std::max(most, one);
        return most;
    }

    /// In double, beside this one; through the host.
    [[nodiscard]] DeviceParts<double> widened() {
        DeviceParts<double> wide(place_, {});
        for (std::size_t m = 0; m < fields_.size(); ++m)
            wide.fields_[m]->upload(place_.most_planes, [&](Index first, FieldView<double> planes) {
                const Index count = planes.extents[0];
                fields_[m]->download(first, count, count, [&](Index, FieldView<const T> part) {
                    std::copy_n(part.data, part.size(), planes.data);
                });
            });
        return wide;
    }

    /// All elements 0.
    void clear() {
        for (std::size_t m = 0; m < fields_.size(); ++m) {
            const FieldView<T> field = fields_[m]->view();
            if (field.size() == 0) continue;
            const DeviceScope scope(place_.devices[m]);
            fill_on_device(field.data, 0, static_cast<std::size_t>(field.size()) * sizeof(T), streams_[m]);
        }
    }

    /// Calls fill(first, planes) for slabs of `step` planes of the grid in host memory, in order.
    template <class Fill>
    void upload(Index step, const Fill& fill) {
        for (int row = 0; row < place_.parts.shape()[0]; ++row) {
            const Box planes = planes_of_row(row);
            std::size_t which = 0;
            for_each_slab(planes.points[0], step, [&](Index at, Index count) {
                const FieldView<T> slab = slab_of_row(which, count);
                for_row(row, slab, [&](std::size_t m, FieldView<T>) { fields_[m]->wait(which); });
                fill(planes.first[0] + at, slab);
                for_row(row, slab,
                        [&](std::size_t m, FieldView<T> part) { fields_[m]->start_upload(at, part, which); });
                which = 1 - which;
            });
            for_row(row, {}, [&](std::size_t m, FieldView<T>) { synchronize(streams_[m]); });
        }
    }
    /// Calls take(first, planes) for slabs of `step` planes of the grid that cover first … first + count − 1.
    template <class Take>
    void download(Index first, Index count, Index step, const Take& take) const {
        for (int row = 0; row < place_.parts.shape()[0]; ++row) {
            const Box planes = planes_of_row(row);
            const Index begin = planes.first[0], end = std::min(first + count, begin + planes.points[0]);
            const Index from = std::max(first, begin);
            const auto fetch = [&](Index at, std::size_t which) {
                const Index many = std::min(step, end - from - at);
                if (many <= 0) return;
                for_row(row, slab_of_row(which, many), [&](std::size_t m, FieldView<T> part) {
                    fields_[m]->start_download(from - begin + at, part, which);
                });
            };
            std::size_t which = 0;
            fetch(0, which);
            for_each_slab(std::max<Index>(0, end - from), step, [&](Index at, Index many) {
                fetch(at + step, 1 - which);  // into the slab that was taken before
                const FieldView<T> slab = slab_of_row(which, many);
                for_row(row, slab, [&](std::size_t m, FieldView<T>) { fields_[m]->wait(which); });
                take(from + at, FieldView<const T>(slab));
                which = 1 - which;
            });
        }
    }

private:
    template <class Other>
    friend class DeviceParts;

    [[nodiscard]] Box box(std::size_t member) const { return place_.parts.box(static_cast<int>(member)); }

    /// Members of a row share planes of the grid, which come and go in the same slabs.
    [[nodiscard]] Box planes_of_row(int row) const {
        Box planes = place_.parts.box(place_.parts.member(row, 0));
        planes.first[1] = 0, planes.points[1] = place_.parts.points()[1];
        return planes;
    }
    [[nodiscard]] FieldView<T> slab_of_row(std::size_t which, Index count) const {
        const Extents& points = place_.parts.points();
        return {slabs_->slab<T>(which), {count, points[1], points[2]}};
    }
    /// body(member, its part of a slab) for those of the row that have points, on their devices.
    template <class Body>
    void for_row(int row, const FieldView<T>& slab, const Body& body) const {
        for (int column = 0; column < place_.parts.shape()[1]; ++column) {
            const int member = place_.parts.member(row, column);
            Box part = place_.parts.box(member);
            if (part.points[0] * part.points[1] * part.points[2] == 0) continue;
            part.first[0] = 0, part.points[0] = slab.extents[0];
            const DeviceScope scope(place_.devices[static_cast<std::size_t>(member)]);
            body(static_cast<std::size_t>(member), box_in(slab, {}, part));
        }
    }
    /// Locked through the first of these GPUs; others need not be awake.
    static std::shared_ptr<const SlabPair> slabs_for(const Place& place) {
        const DeviceScope scope(place.devices.front());
        const Extents& points = place.parts.points();
        return std::make_shared<SlabPair>(static_cast<std::size_t>(place.most_planes * points[1] * points[2]) *
                                          sizeof(T));
    }

    Place place_;
    std::shared_ptr<const SlabPair> slabs_;
    std::vector<std::unique_ptr<DeviceField<T>>> fields_;
    std::vector<std::unique_ptr<DeviceBoundary<T>>> faces_;
    std::vector<Stream> streams_;
    std::vector<BoundaryData<T>> boundary_;
    std::unique_ptr<DeviceTimer> timer_;  ///< on the first member's GPU
};

}  // namespace poisson3d::app
