// Memory of devices of other processes of this host, mapped into this one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "process_ways.hpp"

namespace poisson3d {

/// A place in the memory of a device, as other processes are told of it.
struct SharedPlace {
    std::array<char, 64> allocation{};
    std::uint64_t offset = 0;
    bool there = false;
};

/// Of a place in memory of the current device.
SharedPlace share_place(const void* place);

/// What this process has mapped, each allocation once.
class MappedMemory {
public:
    /// The place as it is mapped for the current device; `kept` becomes longer by what it needs.
    std::byte* map(const SharedPlace& place, std::vector<std::shared_ptr<void>>& kept);

private:
    std::map<std::array<char, 64>, std::weak_ptr<void>> mapped_;
};

/// Whether all processes are of one host, and each device reads the memory of all others and sets words there:
/// tried with some of each. A call of all processes, the same result on all.
bool reaches_all(int device, Processes& processes);

}  // namespace poisson3d
