// Memory of a member where it works: of the host, or of its device.
#pragma once

#include <algorithm>
#include <cstddef>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d {

template <class T>
class MemberMemory {
public:
    MemberMemory() = default;
    /// Of `count` numbers; on a device if its number is not below 0. Throws Error{out_of_memory}.
    MemberMemory(Index count, int device) : bytes_(static_cast<std::size_t>(count) * sizeof(T)) {
        if (count == 0) return;
        if (device < 0) {
            host_ = HostBuffer(bytes_);
            return;
        }
        const DeviceScope scope(device);
        device_ = DeviceBuffer(bytes_);
    }
    [[nodiscard]] T* data() const noexcept {
        return static_cast<T*>(host_.data() != nullptr ? host_.data() : device_.data());
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    std::size_t bytes_ = 0;
    HostBuffer host_;
    DeviceBuffer device_;
};

}  // namespace poisson3d
