// What goes from one member to another, and exchanges of it that are prepared once.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d {

/// `runs` of `run` bytes from the buffer of member `from` to that of `to`; pointers of members that are not mine
/// are null. Strides in bytes. Without runs it orders: what `to` does next comes after what `from` has done.
struct Transfer {
    int from, to;
    const std::byte* source;
    std::byte* target;
    Index run, runs;
    Index source_stride, target_stride;
};

/// In memory of the host.
inline void copy_here(const Transfer& t) {
    for (Index r = 0; r < t.runs; ++r)
        std::memcpy(t.target + r * t.target_stride, t.source + r * t.source_stride,
                    static_cast<std::size_t>(t.run));
}

/// Transfers between buffers that stay where they are.
class Transfers {
public:
    virtual ~Transfers() = default;
    Transfers() = default;
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;
    /// Returns when what my members send may be overwritten and what they receive is there; for members on devices
    /// that is so for what follows in their streams, in the order of mine(). Allocates nothing.
    virtual void run(ThreadTeam& team, std::span<const Stream> streams) {
        begin(team, streams);
        end(team, streams);
    }
    /// The same in two steps, between which members on devices do other work.
    virtual void begin(ThreadTeam& team, std::span<const Stream> streams) = 0;
    virtual void end(ThreadTeam& /*team*/, std::span<const Stream> /*streams*/) {}
};

}  // namespace poisson3d
