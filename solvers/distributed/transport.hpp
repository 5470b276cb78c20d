// How members of a communicator reach each other. Every member calls the same functions in the same order, from the
// thread that calls the solver.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"
#include "poisson3d/threads.hpp"
#include "process_ways.hpp"
#include "transfers.hpp"

namespace poisson3d {

/// The way that exchanges go, of members on devices.
struct ChosenWay {
    Way way = Way::automatic;
    double rate = 0.0;  ///< bytes a second that left a member while all sent, 0: not measured
};

/// Bytes of a message, of which so many lie side by side.
struct MessageSize {
    MessageSize(Index all) : MessageSize(all, all) {}
    /// Runs longer than this are as good as one.
    MessageSize(Index all, Index side_by_side)
        : bytes(all), run(side_by_side < Index{64} << 10 ? side_by_side : all) {}
    Index bytes, run;
    [[nodiscard]] bool scattered() const noexcept { return run < bytes; }

    /// What is measured for it: whole numbers of runs, by powers of two.
    [[nodiscard]] MessageSize measured() const noexcept {
        constexpr Index most = Index{64} << 20, least = Index{64} << 10;
        const auto power = [](Index size) {
            return static_cast<Index>(std::bit_ceil(static_cast<std::size_t>(size)));
        };
        const Index all = std::clamp(power(bytes), least, most);
        return scattered() ? MessageSize(all, std::max<Index>(16, power(run))) : MessageSize(all);
    }
    auto operator<=>(const MessageSize&) const = default;
    /// Of the measured size, from `source`, which has room for twice as much if it is scattered.
    [[nodiscard]] Transfer transfer(int from, int to, const std::byte* source, std::byte* target) const noexcept {
        return {from, to, source, target, run, bytes / run, scattered() ? 2 * run : run, run};
    }
};

class Transport {
public:
    virtual ~Transport() = default;
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    [[nodiscard]] virtual int size() const noexcept = 0;
    /// Members of this process, in order.
    [[nodiscard]] virtual const std::vector<int>& mine() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;  ///< "4 members on threads"

    /// The device of one of my members; −1: none, it is on threads of the host.
    [[nodiscard]] virtual int device(int /*member*/) const noexcept { return -1; }

    /// Whether every member, on a device, reaches the memory of all others from there, as exchanges by this way may
    /// use. A call of all members, as are the next three.
    [[nodiscard]] virtual bool reaches(Way /*way*/) { return false; }
    /// Then: bytes a second that a kernel stores into the memory of another device, measured; 0: there is none.
    [[nodiscard]] virtual double store_rate() { return 0.0; }
    /// Then: whether copies between devices go on while kernels do.
    [[nodiscard]] virtual bool copies_go_beside() { return true; }
    /// Then: a place in the memory of each member as my devices reach it, of which those of mine are given.
    [[nodiscard]] virtual ReachedPlaces reached(const std::vector<std::byte*>& mine) { return {mine, nullptr}; }

    /// Of members on devices: bytes of a part whose passes, and whose copies, take longer than to launch them. One
    /// of twice as much is exchanged in a chunk more.
    [[nodiscard]] virtual Index chunk_bytes() const noexcept { return Index{32} << 20; }

    /// Host threads for my members together: what this process may use, shared with those that may use the same.
    [[nodiscard]] virtual int host_threads() const = 0;

    /// The list is the same on all members, but for the pointers.
    virtual std::unique_ptr<Transfers> prepare(const std::vector<Transfer>& list) = 0;

    /// Of members on devices of this process: the way of exchanges whose largest message has so many bytes,
    /// measured; and exchanges that go this way. Throws Error{unsupported} for one that is not there.
    virtual ChosenWay choose(Way wanted, MessageSize /*largest*/) {
        if (wanted == Way::automatic) return {};
        throw Error(ErrorCode::unsupported, std::string("found the way ") + name(wanted) +
                                                ", wanted automatic: members of other processes have no others");
    }
    virtual std::unique_ptr<Transfers> prepare_by(Way /*way*/, const std::vector<Transfer>& list) {
        return prepare(list);
    }

    /// The same for what is small and beside the exchanges between phases.
    virtual std::unique_ptr<Transfers> prepare_small(Way /*way*/, const std::vector<Transfer>& list) {
        return prepare(list);
    }

    /// Of devices(), to a device of this process: its ways to those of other processes, a call of all of these,
    /// which must outlive what is returned. Others have none.
    virtual std::unique_ptr<ProcessWays> ways_between(Processes& /*processes*/) { return nullptr; }

    /// Of all processes: the largest number, and sums, number by number.
    virtual int largest(int value) = 0;
    virtual void sum(float* values, Index count) = 0;
    virtual void sum(double* values, Index count) = 0;
};

/// Copies of the list in runs of at most `most` bytes and as many runs, for interfaces that count in 32 bits.
inline std::vector<Transfer> split(const std::vector<Transfer>& list, Index most) {
    std::vector<Transfer> pieces;
    for (const Transfer& whole : list)
        for (Index first = 0; first < whole.runs; first += most)
            for (Index at = 0; at < whole.run; at += most) {
                Transfer piece = whole;
                piece.runs = std::min(most, whole.runs - first);
                piece.run = std::min(most, whole.run - at);
                if (whole.source != nullptr) piece.source += first * whole.source_stride + at;
                if (whole.target != nullptr) piece.target += first * whole.target_stride + at;
                pieces.push_back(piece);
            }
    return pieces;
}

}  // namespace poisson3d
