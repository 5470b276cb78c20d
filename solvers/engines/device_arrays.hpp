// Arrays of the host, copied to the current device.
#pragma once

#include <initializer_list>
#include <vector>

#include "poisson3d/device_memory.hpp"

namespace poisson3d {

template <class T>
class DeviceArrays {
public:
    DeviceArrays() = default;
    /// Throws Error{device} without memory. Synchronises.
    DeviceArrays(std::initializer_list<const std::vector<T>*> arrays) {
        std::size_t count = 0;
        for (const std::vector<T>* each : arrays) {
            first_.push_back(count);
            count += each->size();
        }
        if (count == 0) return;
        memory_ = DeviceBuffer(count * sizeof(T));
        std::size_t number = 0;
        for (const std::vector<T>* each : arrays)
            copy_to_device(static_cast<T*>(memory_.data()) + first_[number++], each->data(),
                           each->size() * sizeof(T));
        synchronize();
    }

    [[nodiscard]] bool empty() const noexcept { return memory_.data() == nullptr; }
    [[nodiscard]] const T* operator[](std::size_t number) const noexcept {
        return static_cast<const T*>(memory_.data()) + first_[number];
    }

private:
    std::vector<std::size_t> first_;
    DeviceBuffer memory_;
};

}  // namespace poisson3d
