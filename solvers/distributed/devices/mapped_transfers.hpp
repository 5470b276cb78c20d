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

/// As of DirectTransfers: one of the two at a transfer works, the receiver that copies or the sender that stores,
/// when the other one is ready, which goes on when all that work for it are done. Transfers without runs order: the
/// receiver goes on when the sender is ready. Every wait is launched after what it waits for, if all members launch
/// the same exchanges in the same order: streams that are served one after the other wait for nothing that stands
/// behind them.
class MappedTransfers final : public Transfers {
public:
    /// Of member `me`, of this process: sources of what it copies, or targets of what it stores, are mapped.
    /// `kept`: what the mapped memory needs. `large`: bytes of a transfer from which on those of the list go beside
    /// the stream.
    MappedTransfers(const std::vector<Transfer>& list, int me, std::vector<MemberWords> words,
                    std::shared_ptr<const CopyLanes> lanes, std::shared_ptr<const void> kept, bool stores,
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
    [[nodiscard]] int other(const Transfer& t) const { return t.from + t.to - me_; }

    std::shared_ptr<const CopyLanes> lanes_;  ///< one
    std::shared_ptr<const void> kept_;
    int me_;
    std::vector<MemberWords> words_;
    std::vector<Transfer> own_, worked_;  ///< within its memory; with others, beginning with the one after me
    std::vector<int> told_;               ///< those that wait until I am ready
    std::vector<int> before_;             ///< those that I wait for and do not work with
    std::vector<int> workers_;            ///< those that work for me
    bool stores_;
    bool beside_ = false;
    std::uint32_t round_ = 0;
    std::unique_ptr<DeviceEvent> ready_, moved_, arrived_;
};

}  // namespace poisson3d
