// The processes that run the program together. Rank 0 is the program as its users know it: it reads the command
// line and the files, and speaks. The others follow its orders (solving/follow.hpp).
#pragma once

#include <cstddef>
#include <memory>

#include "poisson3d/distributed.hpp"
#include "ranks/shared_planes.hpp"

namespace poisson3d::app {

class Ranks {
public:
    Ranks() = default;
    /// Ends all ranks at once, unless end() was called on this one.
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] virtual int size() const noexcept = 0;
    [[nodiscard]] virtual int rank() const noexcept = 0;
    /// A member for each rank, on processors or on GPUs. A call of all ranks.
    [[nodiscard]] virtual Communicator members(bool on_devices) = 0;
    /// The GPU of this rank then: those of a host take its GPUs in turn. −1 where there is none. A call of all
    /// ranks.
    [[nodiscard]] virtual int device() = 0;

    /// Whether ranks read and write HDF5 files together, each its planes. Then calls of all ranks, which throw
    /// Error{file} or Error{output} on all where they fail.
    [[nodiscard]] virtual bool share_files() const noexcept { return false; }
    virtual void read_planes(const SharedPlanes&) {}
    virtual void write_planes(const SharedPlanes&) {}

    /// Bytes from one rank to another, in the order in which they are sent. Waiting takes no processor's time.
    virtual void send(int to, const void* data, std::size_t bytes) = 0;
    virtual void receive(int from, void* data, std::size_t bytes) = 0;
    /// Returns when all ranks are there.
    virtual void meet() = 0;
    /// The last call, of all ranks.
    virtual void end() = 0;
};

/// The ranks that this process was started with, by mpirun or srun; one alone if by neither. In the program without
/// MPI, several mean that the program with MPI takes the place of this one. Throws Error{unsupported} if that is
/// not there, or belongs to another MPI than the ranks do.
std::unique_ptr<Ranks> start_ranks(char** argv);

}  // namespace poisson3d::app
