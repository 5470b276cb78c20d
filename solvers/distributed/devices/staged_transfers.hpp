// Exchanges between devices that do not reach each other: into pinned memory of the host, and out of it.
#pragma once

#include "copy_lanes.hpp"
#include "poisson3d/pinned_memory.hpp"
#include "transport.hpp"

namespace poisson3d {

/// The sender copies to the host, the receiver from it; the sender goes on when the receiver has, so that this
/// memory may be written again.
class StagedTransfers final : public Transfers {
public:
    StagedTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes);
    void begin(ThreadTeam& team, std::span<const Stream> streams) override;
    void end(ThreadTeam& team, std::span<const Stream> streams) override;

private:
    struct Staged {
        Transfer transfer;
        std::size_t offset;  ///< in the memory of the host
    };
    struct Party {
        explicit Party(int device) : ready(event_on(device)), left(event_on(device)), arrived(event_on(device)) {}
        std::vector<Transfer> own;
        std::vector<Staged> sent, received;
        std::vector<int> senders, receivers;
        std::unique_ptr<DeviceEvent> ready;    ///< what it sends is there, and room for what it receives
        std::unique_ptr<DeviceEvent> left;     ///< all it sends is on the host, and what it keeps where it belongs
        std::unique_ptr<DeviceEvent> arrived;  ///< all it receives is there
    };
    [[nodiscard]] std::byte* on_host(const Staged& s) const {
        return static_cast<std::byte*>(host_.data()) + s.offset;
    }
    Party& of(int member) { return parties_[static_cast<std::size_t>(member)]; }

    std::shared_ptr<const CopyLanes> lanes_;
    std::vector<Party> parties_;
    PinnedBuffer host_;
};

}  // namespace poisson3d
