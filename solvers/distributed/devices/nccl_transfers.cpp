#include "nccl_transfers.hpp"

#include "row_copies.hpp"
#include "row_stores.hpp"

namespace poisson3d {

NcclTransfers::NcclTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes,
                             std::shared_ptr<const nccl::Ring> ring)
    : lanes_(std::move(lanes)), ring_(std::move(ring)) {
    for (const CopyLane& lane : *lanes_) parties_.emplace_back(lane.device);
    const auto take = [&](int member, const Transfer& t) {
        std::size_t& bytes = parties_[ring_->place(member)].packed_bytes;
        const std::size_t offset = bytes;
        bytes += bytes_when_packed(t.run * t.runs);
        return offset;
    };
    for (const Transfer& t : list) {
        const bool sends = mine(t.from), receives = mine(t.to);
        if (t.runs == 0 || !(sends || receives)) continue;
        if (t.from == t.to) {
            parties_[ring_->place(t.to)].own.push_back(t);
            continue;
        }
        Sent sent{t, 0, 0, sends && t.runs > 1 && t.source_stride != t.run,
                  receives && t.runs > 1 && t.target_stride != t.run};
        if (sent.gaps_at_source) sent.packed_source = take(t.from, t);
        if (sent.gaps_at_target) sent.packed_target = take(t.to, t);
        if (sends) parties_[ring_->place(t.from)].sent.push_back(list_.size());
        if (receives) parties_[ring_->place(t.to)].received.push_back(list_.size());
        list_.push_back(sent);
    }
    for (std::size_t m = 0; m < parties_.size(); ++m) {
        const DeviceScope scope((*lanes_)[m].device);
        if (parties_[m].packed_bytes > 0) parties_[m].packed = DeviceBuffer(parties_[m].packed_bytes);
    }
}

bool NcclTransfers::mine(int member) const {
    return ring_->place(member) < ring_->size();
}

void NcclTransfers::begin(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        if (party.nothing()) return;
        const Stream lane = ring_->stream(m), within = (*lanes_)[m].within->get();
        party.ready->record(streams[m]);
        party.ready->make_wait(lane);
        for (const std::size_t i : party.sent)
            if (list_[i].gaps_at_source)
                store_rows(into(list_[i].transfer, packed(m, list_[i].packed_source)), lane);
        if (party.own.empty()) return;
        party.ready->make_wait(within);
        for (const Transfer& t : party.own) copy_rows(t, within);
        party.moved->record(within);
    });
    send_and_receive();
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        if (party.nothing()) return;
        const Stream lane = ring_->stream(m);
        for (const std::size_t i : party.received)
            if (list_[i].gaps_at_target)
                store_rows(out_of(packed(m, list_[i].packed_target), list_[i].transfer), lane);
        party.done->record(lane);
    });
}

void NcclTransfers::send_and_receive() {
    if (list_.empty()) return;
    const nccl::Library& library = ring_->library();
    constexpr int bytes = 0;
    library.check(library.begin_group(), "exchange of members");
    for (const Sent& sent : list_) {  // between two members in the same order on both
        const Transfer& t = sent.transfer;
        const auto count = static_cast<std::size_t>(t.run * t.runs);
        if (const std::size_t m = ring_->place(t.from); mine(t.from))
            library.check(library.send(sent.gaps_at_source ? packed(m, sent.packed_source) : t.source, count, bytes,
                                       t.to, ring_->of(m), ring_->stream(m).handle),
                          "exchange of members");
        if (const std::size_t m = ring_->place(t.to); mine(t.to))
            library.check(library.receive(sent.gaps_at_target ? packed(m, sent.packed_target) : t.target, count,
                                          bytes, t.from, ring_->of(m), ring_->stream(m).handle),
                          "exchange of members");
    }
    library.check(library.end_group(), "exchange of members");
}

void NcclTransfers::end(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        if (parties_[m].nothing()) return;
        parties_[m].done->make_wait(streams[m]);
        if (!parties_[m].own.empty()) parties_[m].moved->make_wait(streams[m]);
    });
}

}  // namespace poisson3d
