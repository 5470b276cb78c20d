// The device memory of a plan: where things lie in it, and whose it is.
#pragma once

#include <cstddef>
#include <span>

#include "engine.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::device {

/// Places one block after the other in the workspace.
class WorkspaceLayout {
public:
    static constexpr std::size_t alignment = 256;

    std::size_t take(std::size_t bytes) {
        const std::size_t offset = end_;
        end_ += (bytes + alignment - 1) / alignment * alignment;
        return offset;
    }
    [[nodiscard]] std::size_t end() const noexcept { return end_; }

private:
    std::size_t end_ = 0;
};

/// `bytes` of device memory: those that the caller gave, else new ones, which go to `own`. Throws Error{usage} for
/// memory that does not fit or is the host's.
inline std::byte* take_workspace(std::span<std::byte> given, std::size_t bytes, DeviceBuffer& own) {
    if (given.empty()) {
        own = DeviceBuffer(bytes);
        return static_cast<std::byte*>(own.data());
    }
    require_workspace(given, bytes, WorkspaceLayout::alignment);
    if (!on_device(given.data()))
        throw Error(ErrorCode::usage, "the workspace given is in host memory, a device engine wants device memory");
    return given.data();
}

}  // namespace poisson3d::device
