// Memory where a backend wants it: the same test runs on the host and on a device.
#pragma once

#include <cstring>
#include <memory>
#include <new>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::test {

class BackendBuffer {
public:
    static constexpr std::align_val_t alignment{512};

    BackendBuffer(Backend backend, std::size_t bytes) : backend_(backend), bytes_(bytes) {
        if (backend == Backend::cuda)
            device_ = DeviceBuffer(bytes);
        else
            host_.reset(static_cast<unsigned char*>(::operator new(bytes, alignment)));
    }
    [[nodiscard]] unsigned char* data() const {
        return static_cast<unsigned char*>(backend_ == Backend::cuda ? device_.data() : host_.get());
    }
    [[nodiscard]] std::size_t size() const { return bytes_; }

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
    struct Free {
        void operator()(unsigned char* bytes) const { ::operator delete(bytes, alignment); }
    };

    Backend backend_;
    std::size_t bytes_;
    std::unique_ptr<unsigned char, Free> host_;
    DeviceBuffer device_;
};

}  // namespace poisson3d::test
