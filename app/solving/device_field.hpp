// A field in the memory of a GPU that comes and goes in slabs: while one is copied, the host works on the other.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/pinned_memory.hpp"
#include "solving/slabs.hpp"

namespace poisson3d::app {

/// Page-locked memory for two slabs, which fields may share that come and go one after the other.
class SlabPair {
public:
    explicit SlabPair(std::size_t bytes) : slabs_{PinnedBuffer(bytes), PinnedBuffer(bytes)} {}
    template <class T>
    [[nodiscard]] T* slab(std::size_t which) const {
        return static_cast<T*>(slabs_[which].data());
    }

private:
    std::array<PinnedBuffer, 2> slabs_;
};

/// One dense field on the current device, two page-locked slabs on the host, and a stream in which all work on the
/// field is ordered.
template <class T>
class DeviceField {
public:
    /// Slabs hold at most `max_planes`. Throws Error{out_of_memory}.
    DeviceField(const Extents& points, Index max_planes)
        : DeviceField(points, std::make_shared<SlabPair>(bytes_of(points, max_planes))) {}
    /// The same with slabs that hold as much as any `step` below.
    DeviceField(const Extents& points, std::shared_ptr<const SlabPair> slabs)
        : points_(points), memory_(bytes_of(points, points[0])), slabs_(std::move(slabs)) {}

    [[nodiscard]] FieldView<T> view() const { return {static_cast<T*>(memory_.data()), points_}; }
    [[nodiscard]] Stream stream() const { return stream_.get(); }

    /// Calls fill(first, planes) for slabs of `step` planes; while one is filled, the one before it is copied to
    /// the device. All have arrived when the call returns.
    template <class Fill>
    void upload(Index step, const Fill& fill) {
        std::size_t which = 0;
        for_each_slab(points_[0], step, [&](Index first, Index count) {
            wait(which);  // what was in this slab two turns ago
            const FieldView<T> planes = slab(which, count);
            fill(first, planes);
            start_upload(first, planes, which);
            which = 1 - which;
        });
        synchronize(stream());
    }

    /// Calls take(first, planes) for slabs of `step` planes; while one is taken, the next is copied to the host.
    template <class Take>
    void download(Index step, const Take& take) {
        download(0, points_[0], step, take);
    }
    /// The same for planes begin … begin + count − 1.
    template <class Take>
    void download(Index begin, Index count, Index step, const Take& take) {
        const auto fetch = [&](Index at, std::size_t which) {
            const Index planes = std::min(step, count - at);
            if (planes <= 0) return;
            start_download(begin + at, slab(which, planes), which);
        };
        std::size_t which = 0;
        fetch(0, which);
        for_each_slab(count, step, [&](Index at, Index planes) {
            fetch(at + step, 1 - which);  // into the slab that was taken before
            wait(which);
            take(begin + at, FieldView<const T>(slab(which, planes)));
            which = 1 - which;
        });
    }

    /// The same step by step, for whoever fills slabs of fields that stand side by side: copies planes of this one,
    /// which lie in one of two slabs, to planes `first` … of the field, and back. Their rows follow each other.
    void start_upload(Index first, const FieldView<T>& planes, std::size_t which) {
        copy(view().slab(first, planes.extents[0]), planes, which);
    }
    void start_download(Index first, const FieldView<T>& planes, std::size_t which) {
        copy(planes, view().slab(first, planes.extents[0]), which);
    }
    /// For the last copy from or to a slab.
    void wait(std::size_t which) const { copied_[which].wait(); }

    /// Host memory of the two slabs.
    static std::size_t slab_bytes(const Extents& points, Index max_planes) {
        return 2 * bytes_of(points, max_planes);
    }

private:
    static std::size_t bytes_of(const Extents& points, Index planes) {
        return static_cast<std::size_t>(std::min(planes, points[0]) * points[1] * points[2]) * sizeof(T);
    }
    void copy(const FieldView<T>& to, const FieldView<T>& from, std::size_t which) {
        const auto pitch = [](const FieldView<T>& view) {
            return static_cast<std::size_t>(view.strides[0]) * sizeof(T);
        };
        start_copy_of_rows(to.data, pitch(to), from.data, pitch(from), bytes_of(points_, 1),
                           static_cast<std::size_t>(to.extents[0]), stream());
        copied_[which].record(stream());
    }
    [[nodiscard]] FieldView<T> slab(std::size_t which, Index count) const {
        return {slabs_->template slab<T>(which), {count, points_[1], points_[2]}};
    }

    Extents points_{};
    DeviceBuffer memory_;
    std::shared_ptr<const SlabPair> slabs_;
    std::array<DeviceEvent, 2> copied_;  ///< the last copy from or to each slab
    DeviceStream stream_;                        ///< the last: it waits for copies before their memory is freed
};

}  // namespace poisson3d::app
