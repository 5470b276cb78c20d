// A workspace brought by the caller, in the memory its engine wants: garbage inside, guard zones beside it.
#pragma once

#include <span>
#include <vector>

#include "engine_under_test.hpp"
#include "guard.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d::test {

/// What the engine asks of the workspace's address.
inline const std::size_t workspace_alignment = on_device_under_test ? 256 : HostBuffer::alignment;

class GuardedWorkspace {
public:
    explicit GuardedWorkspace(std::size_t bytes) : bytes_(bytes) {
        std::vector<std::byte> pattern(bytes + 2 * guard_bytes);
        fill_guard(pattern);
        if (on_device_under_test) {
            device_ = DeviceBuffer(pattern.size());
            copy_to_device(device_.data(), pattern.data(), pattern.size());
        } else {
            host_ = HostBuffer(pattern.size());
            std::copy(pattern.begin(), pattern.end(), data());
        }
    }

    /// The workspace, or as many bytes from an address beside it.
    [[nodiscard]] std::span<std::byte> inside(std::size_t offset = 0) const {
        return {data() + guard_bytes + offset, bytes_};
    }
    /// Bytes beside the workspace that were written; waits for a device.
    [[nodiscard]] std::size_t damage() const { return damaged(contents(), guard_bytes, guard_bytes + bytes_); }
    /// The same inside: 0 if nothing was written at all.
    [[nodiscard]] bool untouched() const { return damaged(contents(), 0, 0) == 0; }

private:
    [[nodiscard]] std::byte* data() const {
        return static_cast<std::byte*>(on_device_under_test ? device_.data() : host_.data());
    }
    [[nodiscard]] std::vector<std::byte> contents() const {
        std::vector<std::byte> bytes(bytes_ + 2 * guard_bytes);
        if (on_device_under_test)
            copy_to_host(bytes.data(), device_.data(), bytes.size());
        else
            std::copy_n(data(), bytes.size(), bytes.begin());
        return bytes;
    }

    std::size_t bytes_;
    HostBuffer host_;
    DeviceBuffer device_;
};

}  // namespace poisson3d::test
