// The box of a rank in the memory of its GPU: the right-hand side goes there, and the solution comes back in its
// place. The rank's field in host memory is what is read, written and compared.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "solving/copy_time.hpp"
#include "solving/device_boundary.hpp"
#include "solving/device_field.hpp"
#include "solving/slabs.hpp"

namespace poisson3d::app {

template <class T>
class MemberOnDevice {
public:
    /// On the current device. `faces`: what the box touches of them, in host memory.
    MemberOnDevice(const Extents& points, const BoundaryData<T>& faces)
        : step_(planes_of(points, sizeof(T))), field_(points, step_), faces_(grid_of(points), faces) {}

    void upload(FieldView<const T> host) {
        field_.upload(step_, [&](Index first, FieldView<T> planes) {
            std::memcpy(planes.data, host.slab(first, planes.extents[0]).data, bytes_of(planes));
        });
    }
    void download(FieldView<T> host) {
        field_.download(step_, [&](Index first, FieldView<const T> planes) {
            std::memcpy(host.slab(first, planes.extents[0]).data, planes.data, bytes_of(planes));
        });
    }

    /// Returns when the solution is there.
    void solve(DistributedSolver<T>& solver, T scale) {
        const std::vector<FieldView<T>> u{field_.view()};
        const std::vector<FieldView<const T>> f(u.begin(), u.end());
        const std::vector<BoundaryData<T>> faces{faces_.data()};
        const Stream stream = field_.stream();
        solver.solve(std::span(f), std::span(u), std::span(faces), scale, {&stream, 1});
        static_cast<void>(solver.result());
    }
    /// Kernels are loaded when they run for the first time, which is no part of a solve.
    void warm_up(DistributedSolver<T>& solver) {
        if (size() > 0) fill_on_device(field_.view().data, 0, size(), field_.stream());
        solve(solver, T(1));
    }
    void apply(DistributedSolver<T>& solver) {
        const std::vector<FieldView<T>> u{field_.view()};
        const std::vector<FieldView<const T>> f(u.begin(), u.end());
        const Stream stream = field_.stream();
        solver.apply(std::span(f), std::span(u), T(1), {&stream, 1});
        static_cast<void>(solver.result());
    }
    double copy() { return size() > 0 ? device_copy_seconds(field_.view().data, size(), field_.stream()) : 0.0; }

private:
    static Grid grid_of(const Extents& points) {
        Grid grid;
        for (std::size_t a = 0; a < 3; ++a) grid.axes[a].points = points[a];
        return grid;
    }
    template <class Value>
    static std::size_t bytes_of(FieldView<Value> planes) {
        return static_cast<std::size_t>(planes.size()) * sizeof(Value);
    }
    [[nodiscard]] std::size_t size() const { return bytes_of(field_.view()); }

    Index step_;
    DeviceField<T> field_;
    DeviceBoundary<T> faces_;
};

}  // namespace poisson3d::app
