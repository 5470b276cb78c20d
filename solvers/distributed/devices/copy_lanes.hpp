// What exchanges between devices need of each of them.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d {

/// A device, and streams for what goes on beside its passes: between it and others, and within its memory.
struct CopyLane {
    explicit CopyLane(int number) : device(number) {
        const DeviceScope scope(device);
        between = std::make_unique<DeviceStream>();
        within = std::make_unique<DeviceStream>();
    }
    int device;
    std::unique_ptr<DeviceStream> between, within;
};
using CopyLanes = std::vector<CopyLane>;  ///< of each member

/// Bytes of a copy that takes longer than the events of two more streams.
inline constexpr Index large_transfer = Index{4} << 20;

/// Bytes of what is packed beside other things, which begins at a line of memory.
constexpr std::size_t bytes_when_packed(Index bytes) {
    constexpr std::size_t line = 256;
    return (static_cast<std::size_t>(bytes) + line - 1) / line * line;
}

/// Those of a list are different.
template <class Value>
void add_once(std::vector<Value>& list, Value value) {
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

/// An event on a device.
inline std::unique_ptr<DeviceEvent> event_on(int device) {
    const DeviceScope scope(device);
    return std::make_unique<DeviceEvent>();
}

/// body(member) for each, by the team, with the member's device current.
template <class Body>
void for_each_lane(const CopyLanes& lanes, ThreadTeam& team, const Body& body) {
    team.parallel_for(static_cast<Index>(lanes.size()), 1, [&](Index begin, Index end, int) {
        for (auto m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m) {
            const DeviceScope scope(lanes[m].device);
            body(m);
        }
    });
}

}  // namespace poisson3d
