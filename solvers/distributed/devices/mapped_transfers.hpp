// Exchanges between devices of several processes of a host, which have mapped each other's memory: by copies of the
// receiver, ordered by words in device memory, in the streams of members or beside them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "copy_lanes.hpp"
#include "transfers.hpp"

namespace poisson3d {

/// Words of each member: those that others set in its memory, here mapped for me. They count rounds.
struct MemberWords {
    std::uint32_t* ready = nullptr;  ///< [sender]: what this one sends is there
    std::uint32_t* taken = nullptr;  ///< [receiver]: what this one receives has left
};

/// As of DirectTransfers: the receiver copies when the sender is ready, which goes on when all have what they
/// receive.
class MappedTransfers final : public Transfers {
public:
    /// Of member `me`, of this process: sources of what it receives are mapped. `kept`: what the mapped memory
    /// needs. `large`: bytes of a transfer from which on those of the list go beside the stream.
    MappedTransfers(const std::vector<Transfer>& list, int me, std::vector<MemberWords> words,
                    std::shared_ptr<const CopyLanes> lanes, std::shared_ptr<const void> kept,
                    Index large = large_transfer);
    ~MappedTransfers() override;
    MappedTransfers(const MappedTransfers&) = delete;
    MappedTransfers& operator=(const MappedTransfers&) = delete;
    void run(ThreadTeam& team, std::span<const Stream> streams) override;
    void begin(ThreadTeam& team, std::span<const Stream> streams) override;
    void end(ThreadTeam& team, std::span<const Stream> streams) override;

private:
    [[nodiscard]] const CopyLane& lane() const { return lanes_->front(); }
    [[nodiscard]] const MemberWords& of(int member) const { return words_[static_cast<std::size_t>(member)]; }

    std::shared_ptr<const CopyLanes> lanes_;  ///< one
    std::shared_ptr<const void> kept_;
    int me_;
    std::vector<MemberWords> words_;
    std::vector<Transfer> own_, received_;  ///< sender by sender, beginning with the one after me
    std::vector<int> receivers_;            ///< of what I send
    bool beside_ = false;
    std::uint32_t round_ = 0;
    std::unique_ptr<DeviceEvent> ready_, moved_, arrived_;
};

}  // namespace poisson3d
