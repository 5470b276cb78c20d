// Exchanges between devices that reach each other's memory: by copies or by stores, ordered by events, in the
// members' streams or beside them.
#pragma once

#include "copy_lanes.hpp"
#include "transport.hpp"

namespace poisson3d {

/// One of the two at a transfer works, the receiver that copies or the sender that stores; it begins when the other
/// one is ready, which goes on when all that work for it are done.
class DirectTransfers final : public Transfers {
public:
    /// `large`: bytes of a transfer from which on those of the list go beside the members' streams.
    DirectTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes, bool stores,
                    Index large = large_transfer);
    void begin(ThreadTeam& team, std::span<const Stream> streams) override;
    void end(ThreadTeam& team, std::span<const Stream> streams) override;

private:
    /// What a member has to do in an exchange.
    struct Party {
        explicit Party(int device) : ready(event_on(device)), done(event_on(device)), moved(event_on(device)) {}
        std::vector<Transfer> own, worked;  ///< within its memory, and with others
        std::vector<int> before;            ///< those that must be ready before its work, or what it does next
        std::vector<int> workers;           ///< those that work for it
        bool waited_for = false;            ///< it is before another one
        [[nodiscard]] bool works() const { return !worked.empty(); }
        std::unique_ptr<DeviceEvent> ready;  ///< what it sends is there, and room for what it receives
        std::unique_ptr<DeviceEvent> done;   ///< its work is, …
        std::unique_ptr<DeviceEvent> moved;  ///< … and what it keeps
    };
    Party& of(int member) { return parties_[static_cast<std::size_t>(member)]; }

    std::shared_ptr<const CopyLanes> lanes_;
    std::vector<Party> parties_;
    bool stores_;
    bool beside_ = false;  ///< in streams of their own
};

}  // namespace poisson3d
