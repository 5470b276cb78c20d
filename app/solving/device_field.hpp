// A field in the memory of a GPU that comes and goes in slabs: while one is copied, the host works on the other.
#pragma once

#include <array>
#include <functional>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d::app {

/// One dense field on the current device, two page-locked slabs on the host, and a stream in which all work on the
/// field is ordered.
template <class T>
class DeviceField {
public:
    using Fill = std::function<void(Index first, FieldView<T> planes)>;
    using Take = std::function<void(Index first, FieldView<const T> planes)>;

    /// Slabs hold at most `max_planes`. Throws Error{out_of_memory}.
    DeviceField(const Extents& points, Index max_planes);

    [[nodiscard]] FieldView<T> view() const { return {static_cast<T*>(memory_.data()), points_}; }
    [[nodiscard]] Stream stream() const { return stream_.get(); }

    /// Calls fill for slabs of `step` planes; while one is filled, the one before it is copied to the device. All
    /// have arrived when the call returns.
    void upload(Index step, const Fill& fill);
    /// Calls take for slabs of `step` planes; while one is taken, the next is copied to the host.
    void download(Index step, const Take& take);

    /// Host memory of the two slabs.
    static std::size_t slab_bytes(const Extents& points, Index max_planes);

private:
    [[nodiscard]] FieldView<T> slab(std::size_t which, Index count) const;

    Extents points_;
    DeviceBuffer memory_;
    std::array<PinnedBuffer, 2> slabs_;
    std::array<DeviceEvent, 2> copied_;  ///< the last copy from or to each slab
    DeviceStream stream_;                ///< the last: it waits for copies before their memory is freed
};

extern template class DeviceField<float>;
extern template class DeviceField<double>;

}  // namespace poisson3d::app
