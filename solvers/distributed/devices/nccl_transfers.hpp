// Exchanges between devices by groups of NCCL's sends and receives.
#pragma once

#include "copy_lanes.hpp"
#include "nccl_library.hpp"
#include "transport.hpp"

namespace poisson3d {

/// NCCL moves runs without gaps: others are packed before and unpacked after, in memory of their device. Members
/// may be of several processes, each of which has those of its ring, with a lane for each of them.
class NcclTransfers final : public Transfers {
public:
    NcclTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes,
                  std::shared_ptr<const nccl::Ring> ring);
    void begin(ThreadTeam& team, std::span<const Stream> streams) override;
    void end(ThreadTeam& team, std::span<const Stream> streams) override;

private:
    struct Sent {
        Transfer transfer;
        std::size_t packed_source, packed_target;  ///< in the memory beside fields of either device, if it has gaps
        bool gaps_at_source, gaps_at_target;
    };
    struct Party {
        explicit Party(int device) : ready(event_on(device)), done(event_on(device)), moved(event_on(device)) {}
        [[nodiscard]] bool nothing() const noexcept { return own.empty() && sent.empty() && received.empty(); }
        std::vector<Transfer> own;
        std::vector<std::size_t> sent, received;  ///< of the list
        std::size_t packed_bytes = 0;
        DeviceBuffer packed;
        std::unique_ptr<DeviceEvent> ready;  ///< what it sends is there, and room for what it receives
        std::unique_ptr<DeviceEvent> done;   ///< all that it receives is there, and what it sends has left
        std::unique_ptr<DeviceEvent> moved;  ///< what it keeps is where it belongs
    };
    [[nodiscard]] bool mine(int member) const;
    void send_and_receive();
    /// Of the member at this place.
    [[nodiscard]] std::byte* packed(std::size_t place, std::size_t offset) {
        return static_cast<std::byte*>(parties_[place].packed.data()) + offset;
    }

    std::shared_ptr<const CopyLanes> lanes_;
    std::shared_ptr<const nccl::Ring> ring_;
    std::vector<Party> parties_;
    std::vector<Sent> list_;
};

}  // namespace poisson3d
