#include "nccl_transfers.hpp"

#include "row_copies.hpp"

namespace poisson3d {

namespace {

/// The same from or to runs without gaps, within the memory of a device.
Transfer into(Transfer t, std::byte* packed) {
    t.target = packed;
    t.target_stride = t.run;
    return t;
}
Transfer out_of(const std::byte* packed, Transfer t) {
    t.source = packed;
    t.source_stride = t.run;
    return t;
}

}  // namespace

NcclTransfers::NcclTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes,
                             std::shared_ptr<const nccl::Ring> ring)
    : lanes_(std::move(lanes)), ring_(std::move(ring)) {
    for (const CopyLane& lane : *lanes_) parties_.emplace_back(lane.device);
    constexpr std::size_t line = 256;
    const auto take = [&](int member, const Transfer& t) {
        const std::size_t offset = of(member).packed_bytes;
        of(member).packed_bytes += (static_cast<std::size_t>(t.run * t.runs) + line - 1) / line * line;
        return offset;
    };
    for (const Transfer& t : list) {
        if (t.runs == 0) continue;
        if (t.from == t.to) {
            of(t.to).own.push_back(t);
            continue;
        }
        Sent sent{t, 0, 0, t.runs > 1 && t.source_stride != t.run, t.runs > 1 && t.target_stride != t.run};
        if (sent.gaps_at_source) sent.packed_source = take(t.from, t);
        if (sent.gaps_at_target) sent.packed_target = take(t.to, t);
        of(t.from).sent.push_back(list_.size());
        of(t.to).received.push_back(list_.size());
        list_.push_back(sent);
    }
    for (std::size_t m = 0; m < parties_.size(); ++m) {
        const DeviceScope scope((*lanes_)[m].device);
        if (parties_[m].packed_bytes > 0) parties_[m].packed = DeviceBuffer(parties_[m].packed_bytes);
    }
}

void NcclTransfers::run(ThreadTeam& team, std::span<const Stream> streams) {
    begin(team, streams);
    end(team, streams);
}

void NcclTransfers::begin(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        const Stream lane = (*lanes_)[m].between->get();
        party.ready->record(streams[m]);
        party.ready->make_wait(lane);
        for (const std::size_t i : party.sent)
            if (list_[i].gaps_at_source)
                store_rows(into(list_[i].transfer, packed(static_cast<int>(m), list_[i].packed_source)), lane);
    });
    const nccl::Library& library = ring_->library();
    constexpr int bytes = 0;
    library.check(library.begin_group(), "exchange of members");
    for (const Sent& sent : list_) {  // between two members in the same order on both
        const Transfer& t = sent.transfer;
        const auto count = static_cast<std::size_t>(t.run * t.runs);
        const auto lane = [&](int member) {
            return (*lanes_)[static_cast<std::size_t>(member)].between->get().handle;
        };
        const std::byte* const from = sent.gaps_at_source ? packed(t.from, sent.packed_source) : t.source;
        std::byte* const to = sent.gaps_at_target ? packed(t.to, sent.packed_target) : t.target;
        library.check(library.send(from, count, bytes, t.to, ring_->of(t.from), lane(t.from)),
                      "exchange of members");
        library.check(library.receive(to, count, bytes, t.from, ring_->of(t.to), lane(t.to)),
                      "exchange of members");
    }
    library.check(library.end_group(), "exchange of members");
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        const Stream lane = (*lanes_)[m].between->get();
        for (const std::size_t i : party.received)
            if (list_[i].gaps_at_target)
                store_rows(out_of(packed(static_cast<int>(m), list_[i].packed_target), list_[i].transfer), lane);
        for (const Transfer& t : party.own) copy_rows(t, lane);
        party.done->record(lane);
    });
}

void NcclTransfers::end(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) { parties_[m].done->make_wait(streams[m]); });
}

}  // namespace poisson3d
