// Messages between ranks whose numbers are in the memory of a device, one for each pair of ranks: what is sent is
// packed by copies beside the passes, MPI sends it, and what has come is unpacked the same way. They are packed in
// page-locked memory of the host, which every MPI reads, or in memory of the device, which some MPIs do.
//
//     begin   receive;  streams: wait for the passes, pack
//     end     wait for what is packed; send; wait for what comes; streams: unpack, the passes wait for it
//
// The host waits, so a solve cannot be captured in a graph.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "mpi_calls.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/pinned_memory.hpp"
#include "transport.hpp"

namespace poisson3d {

/// A device, and streams beside those of its passes: for what leaves, and for what comes.
struct DeviceLanes {
    explicit DeviceLanes(int number);
    int device;
    std::unique_ptr<DeviceStream> out, in;
};

/// Memory that MPI sends from and receives into.
class MessageMemory {
public:
    MessageMemory() = default;
    MessageMemory(std::size_t bytes, bool on_device);
    [[nodiscard]] std::byte* data() const noexcept {
        return static_cast<std::byte*>(pinned_.data() != nullptr ? pinned_.data() : device_.data());
    }

private:
    PinnedBuffer pinned_;
    DeviceBuffer device_;
};

class DeviceMessages final : public Transfers {
public:
    /// Of the transfers of a list those from and to this rank. Exchanges that are on their way at a time have tags
    /// of their own, the same on all ranks: they end in any order.
    DeviceMessages(const std::vector<Transfer>& list, int rank, MPI_Comm ranks, int tag,
                   std::shared_ptr<const DeviceLanes> lanes, bool from_device_memory);
    ~DeviceMessages() override;
    DeviceMessages(const DeviceMessages&) = delete;
    DeviceMessages& operator=(const DeviceMessages&) = delete;

    void begin(ThreadTeam& team, std::span<const Stream> streams) override;
    void end(ThreadTeam& team, std::span<const Stream> streams) override;

private:
    /// A transfer, and where it lies in the memory of messages.
    struct Packed {
        Transfer transfer;
        std::size_t offset;
    };
    /// All that goes to other ranks, or comes from them, rank by rank.
    struct Direction {
        std::vector<Packed> parts;
        MessageMemory memory;
        PersistentRequests requests;
    };
    [[nodiscard]] bool nothing() const noexcept {
        return sent_.parts.empty() && received_.parts.empty() && own_.empty();
    }
    template <class Make>
    static void prepare(Direction& direction, std::vector<Transfer> transfers, bool sends, bool on_device,
                        const Make& make);

    std::shared_ptr<const DeviceLanes> lanes_;
    std::vector<Transfer> own_;
    Direction sent_, received_;
    std::unique_ptr<DeviceEvent> ready_;     ///< what is sent is there, and room for what comes
    std::unique_ptr<DeviceEvent> packed_;    ///< what is sent, after that
    std::unique_ptr<DeviceEvent> moved_;     ///< what stays
    std::unique_ptr<DeviceEvent> unpacked_;  ///< what came
};

}  // namespace poisson3d
