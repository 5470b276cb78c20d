// Exchanges between devices of several processes of a host, which have mapped each other's memory: by copies of the
// receiver or by stores of the sender, ordered by words in device memory, in the streams of members or beside them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "copy_lanes.hpp"
#include "transfers.hpp"

namespace poisson3d {

/// Words of each member: those that others set in its memory, here mapped for me. They count rounds.
struct MemberWords {
    std::uint32_t* ready = nullptr;  ///< [other]: what that one sends is there, and room for what it receives
    std::uint32_t* done = nullptr;   ///< [other]: what that one copies or stores for this one is done
};

/// As of DirectTransfers: one of the two at a transfer works, the receiver that copies or the sender that stores.
/// It begins when all that it works with are ready; each goes on when all that work for it are done. Transfers
/// without runs order: the receiver goes on when the sender is ready.
///
/// Streams may share a queue of the hardware (CUDA_DEVICE_MAX_CONNECTIONS), in which one waits for what stands
/// before it, of whatever stream. So no word stands behind a copy in a stream beside the member's own: that one
/// tells others what is ready, and what is done where it needs what has come, and the stream `within` waits for
/// others, which have come as far. And every wait is launched after what it waits for, if all members launch the
/// same exchanges in the same order: streams that are served one after the other wait for nothing that stands
/// behind them.
class MappedTransfers final : public Transfers {
public:
    /// Of member `me`, of this process: sources of what it copies, or targets of what it stores, are mapped.
    /// `kept`: what the mapped memory needs. `large`: bytes of a transfer from which on those of the list go beside
    /// the stream.
    MappedTransfers(const std::vector<Transfer>& list, int me, const std::vector<MemberWords>& words,
                    std::shared_ptr<const CopyLanes> lanes, std::shared_ptr<const void> kept, bool stores,
                    Index large = large_transfer);
    ~MappedTransfers() override;
    MappedTransfers(const MappedTransfers&) = delete;
    MappedTransfers& operator=(const MappedTransfers&) = delete;
    void begin(ThreadTeam& team, std::span<const Stream> streams) override;
    void end(ThreadTeam& team, std::span<const Stream> streams) override;

private:
    [[nodiscard]] const CopyLane& lane() const { return lanes_->front(); }
    [[nodiscard]] int other(const Transfer& t) const { return t.from + t.to - me_; }

    std::shared_ptr<const CopyLanes> lanes_;  ///< one
    std::shared_ptr<const void> kept_;
    int me_;
    std::vector<Transfer> own_, worked_;  ///< within its memory; with others, beginning with the one after me
    using Words = std::vector<std::uint32_t*>;
    Words told_;      ///< of those that wait until I am ready
    Words partners_;  ///< mine, that those I work with are ready
    Words served_;    ///< of those that I work for
    Words before_;    ///< mine, that others are ready whom I do not work with, …
    Words workers_;   ///< … and that those are done who work for me
    bool stores_;
    bool beside_ = false;
    std::uint32_t round_ = 0;
    std::unique_ptr<DeviceEvent> ready_, all_ready_, moved_, arrived_, told_all_;
};

}  // namespace poisson3d
