// Memory where a backend wants it: the same test runs on the host and on a device.
#pragma once

#include <cstring>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::test {

class BackendBuffer {
public:
    BackendBuffer(Backend backend, std::size_t bytes) : backend_(backend) {
        if (backend == Backend::cuda)
            device_ = DeviceBuffer(bytes);
        else
            host_ = HostBuffer(bytes);
    }
    [[nodiscard]] unsigned char* data() const {
        return static_cast<unsigned char*>(backend_ == Backend::cuda ? device_.data() : host_.data());
    }
    [[nodiscard]] std::size_t size() const { return backend_ == Backend::cuda ? device_.size() : host_.size(); }

    void put(const void* from) {
        if (backend_ == Backend::cuda)
            copy_to_device(data(), from, size());
        else
            std::memcpy(data(), from, size());
    }
    /// Waits for the work that was started before.
    void get(void* to) const {
        if (backend_ == Backend::cuda)
            copy_to_host(to, data(), size());
        else
            std::memcpy(to, data(), size());
    }

private:
    Backend backend_;
    HostBuffer host_;
    DeviceBuffer device_;
};

}  // namespace poisson3d::test
