// The planes of u next to free ends of the first axis, kept in the memory of the device until somebody asks for
// them: of each field of a batch those that the member has.
#pragma once

#include "beyond_faces.hpp"
#include "field_sweeps.hpp"
#include "part.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::members {

template <class T>
class EndPlanes {
public:
    /// On the current device.
    EndPlanes(const Problem& problem, const Part& part, const Part& y, Index batch)
        : size_(y.points * problem.grid.axes[2].points) {
        const Axis& axis = problem.grid.axes[0];
        const bool any = part.points > 0 && y.points > 0;
        has_[0] = any && axis.lower == Boundary::free && part.first == 0;
        has_[1] = any && axis.upper == Boundary::free && part.first + part.points == axis.points;
        if (has_[0] || has_[1]) memory_ = DeviceBuffer(static_cast<std::size_t>(2 * batch * size_) * sizeof(T));
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return memory_.size(); }

    void keep(FieldView<T> u, Index field, Stream stream) const {
        for (int side = 0; side < 2; ++side) {
            if (!has_[side]) continue;
            device::RightHandSide<T> copy;
            copy.f = end_plane<const T>(u, 0, side);
            copy.out = {plane(field, side), {1, u.extents[1], u.extents[2]}};
            device::launch_right_hand_side(copy, 1, stream);
        }
    }
    /// Waits.
    void get(Index field, int side, T* to, Stream stream) const {
        copy_to_host(to, plane(field, side), static_cast<std::size_t>(size_) * sizeof(T), stream);
    }

private:
    [[nodiscard]] T* plane(Index field, int side) const {
        return static_cast<T*>(memory_.data()) + (2 * field + side) * size_;
    }
    Index size_;
    bool has_[2] = {};
    DeviceBuffer memory_;  ///< [field][side]
};

}  // namespace poisson3d::members
