// What is asked of members and of how they share a grid.
#pragma once

#include <array>
#include <string>

#include "member.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "transport.hpp"

namespace poisson3d {

inline void require_members(int members) {
    if (members < 1)
        throw Error(ErrorCode::usage, "found " + std::to_string(members) + " members, wanted 1 or more");
}

/// Throws Error{usage} where the decomposition is not one of this grid for these members, Error{unsupported} for a
/// way that they do not have, and on devices for other parts than slabs in order.
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
    for (int m = 0; on_devices && m < parts.members(); ++m)
        if (parts.redistributed() || parts.place(m) != std::array{m, 0})
            throw Error(ErrorCode::unsupported,
                        "members on devices share slabs in their own order: found pencils, other boxes, or another "
                        "order");
}

}  // namespace poisson3d
