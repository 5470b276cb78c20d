// Host memory: one owner, aligned for the widest vector unit, huge pages where the system has them.
#pragma once

#include <cstddef>

#include "poisson3d/export.hpp"
#include "poisson3d/owned_memory.hpp"

namespace poisson3d {

/// Owns `bytes` of host memory aligned to 64 bytes (2 MiB from 4 MiB up, with huge pages asked for).
/// Pages are not touched before they are first written, so they lie on the writer's NUMA node. Move-only.
class POISSON3D_API HostBuffer : public OwnedMemory<HostBuffer> {
public:
    static constexpr std::size_t alignment = 64;

    HostBuffer() = default;
    /// Throws Error{out_of_memory} naming the bytes wanted and the bytes the machine has free.
    explicit HostBuffer(std::size_t bytes);

private:
    friend class OwnedMemory<HostBuffer>;
    static void release(void* data) noexcept;
};

/// Bytes this process may still take: the least of what the system calls available, what the limits of its control
/// groups leave at any level, and what RLIMIT_AS and RLIMIT_DATA leave. 0 when unknown.
POISSON3D_API std::size_t available_host_memory();

}  // namespace poisson3d
