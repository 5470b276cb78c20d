// What is asked of members and of how they share a grid.
#pragma once

#include <string>

#include "member.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "transport.hpp"

namespace poisson3d {

inline void require_members(int members) {
    if (members < 1)
        throw Error(ErrorCode::usage, "found " + std::to_string(members) + " members, wanted 1 or more");
}

/// Throws Error{usage} where the decomposition is not one of this grid for these members, Error{unsupported} for a
/// way that they do not have.
inline void require_fitting(const Problem& problem, const Decomposition& parts, const Communicator& members,
                            Way way) {
    if (parts.points() != problem.grid.points())
        throw Error(ErrorCode::usage, "the decomposition is that of another grid than the problem's");
    if (parts.members() != members.size())
        throw Error(ErrorCode::usage, "found a decomposition for " + std::to_string(parts.members()) +
                                          " members, wanted " + std::to_string(members.size()) +
                                          ", those of the communicator");
    const bool on_devices = members.transport().device(members.mine().front()) >= 0;
    if (!on_devices && way != Way::automatic)
        throw Error(ErrorCode::unsupported, std::string("found the way ") + name(way) +
                                                " of members that are not on devices, wanted automatic");
}

/// Throws Error{usage} where an array is not in the memory of this device.
inline void require_in_memory_of(int device, const void* data, const std::string& what) {
    const int found = device_of(data);
    if (found == device) return;
    throw Error(ErrorCode::usage, what + ": found it in the memory of " +
                                      (found < 0 ? "the host" : "device " + std::to_string(found)) +
                                      ", wanted that of device " + std::to_string(device));
}

}  // namespace poisson3d
