#include "solving/device_field.hpp"

#include <algorithm>

#include "solving/slabs.hpp"

namespace poisson3d::app {

namespace {

std::size_t bytes_of(const Extents& points, Index planes, std::size_t size) {
    return static_cast<std::size_t>(std::min(planes, points[0]) * points[1] * points[2]) * size;
}

}  // namespace

template <class T>
DeviceField<T>::DeviceField(const Extents& points, Index max_planes)
    : points_(points),
      memory_(bytes_of(points, points[0], sizeof(T))),
      slabs_{PinnedBuffer(bytes_of(points, max_planes, sizeof(T))),
             PinnedBuffer(bytes_of(points, max_planes, sizeof(T)))} {}

template <class T>
std::size_t DeviceField<T>::slab_bytes(const Extents& points, Index max_planes) {
    return 2 * bytes_of(points, max_planes, sizeof(T));
}

template <class T>
FieldView<T> DeviceField<T>::slab(std::size_t which, Index count) const {
    return {static_cast<T*>(slabs_[which].data()), {count, points_[1], points_[2]}};
}

template <class T>
void DeviceField<T>::upload(Index step, const Fill& fill) {
    std::size_t which = 0;
    for_each_slab(points_[0], step, [&](Index first, Index count) {
        copied_[which].wait();  // what was in this slab two turns ago
        const FieldView<T> planes = slab(which, count);
        fill(first, planes);
        start_copy_to_device(view().slab(first, count).data, planes.data, bytes_of(points_, count, sizeof(T)),
                             stream());
        copied_[which].record(stream());
        which = 1 - which;
    });
    synchronize(stream());
}

template <class T>
void DeviceField<T>::download(Index step, const Take& take) {
    const auto fetch = [&](Index first, std::size_t which) {
        const Index count = std::min(step, points_[0] - first);
        if (count <= 0) return;
        start_copy_to_host(slab(which, count).data, view().slab(first, count).data,
                           bytes_of(points_, count, sizeof(T)), stream());
        copied_[which].record(stream());
    };
    std::size_t which = 0;
    fetch(0, which);
    for_each_slab(points_[0], step, [&](Index first, Index count) {
        fetch(first + step, 1 - which);  // into the slab that was taken before
        copied_[which].wait();
        take(first, slab(which, count));
        which = 1 - which;
    });
}

template class DeviceField<float>;
template class DeviceField<double>;

}  // namespace poisson3d::app
