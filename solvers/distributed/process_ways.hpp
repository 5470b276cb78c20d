// Ways between devices of several processes, each with a member on one device. What carries messages between the
// processes is known to whoever made their communicator, and no matter here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "transfers.hpp"

namespace poisson3d {

/// The processes as each of them sees them.
class Processes {
public:
    virtual ~Processes() = default;
    Processes() = default;
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;
    [[nodiscard]] virtual int size() const noexcept = 0;
    [[nodiscard]] virtual int rank() const noexcept = 0;
    /// all := `bytes` of each process, in their order. A call of all of them.
    virtual void gather(const void* mine, void* all, std::size_t bytes) = 0;
};

/// Places in the memory of several members, as they are reached from here; `kept` is what that needs.
struct ReachedPlaces {
    std::vector<std::byte*> of;  ///< each member
    std::shared_ptr<const void> kept;
};

class ProcessWays {
public:
    virtual ~ProcessWays() = default;
    ProcessWays() = default;
    ProcessWays(const ProcessWays&) = delete;
    ProcessWays& operator=(const ProcessWays&) = delete;
    /// Why a way cannot be taken by this process, which others may not know; empty if it can.
    [[nodiscard]] virtual std::string missing(Way way) const = 0;
    /// Whether each process has a device of its own; the same on all.
    [[nodiscard]] virtual bool apart() const noexcept = 0;
    /// Before the first exchange by a way that no process misses: a call of all of them.
    virtual void open(Way way) = 0;
    /// Exchanges of this process's member by a way that was opened; a call of all processes.
    [[nodiscard]] virtual std::unique_ptr<Transfers> prepare(Way way, const std::vector<Transfer>& list) = 0;
    /// A place of each process as kernels of this one reach it, where none misses Way::passes; a call of all.
    [[nodiscard]] virtual ReachedPlaces reached(std::byte* mine) = 0;
};

}  // namespace poisson3d
