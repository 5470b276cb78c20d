#include "staged_transfers.hpp"

#include "row_copies.hpp"

namespace poisson3d {

StagedTransfers::StagedTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes)
    : lanes_(std::move(lanes)) {
    for (const CopyLane& lane : *lanes_) parties_.emplace_back(lane.device);
    std::size_t bytes = 0;
    for (const Transfer& t : list) {
        if (t.runs == 0) continue;
        if (t.from == t.to) {
            of(t.to).own.push_back(t);
            continue;
        }
        of(t.from).sent.push_back({t, bytes});
        of(t.to).received.push_back({t, bytes});
        add_once(of(t.to).senders, t.from);
        add_once(of(t.from).receivers, t.to);
        bytes += bytes_when_packed(t.run * t.runs);
    }
    host_ = PinnedBuffer(bytes);
}

void StagedTransfers::begin(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        const Stream out = (*lanes_)[m].within->get();
        party.ready->record(streams[m]);
        party.ready->make_wait(out);
        for (const Staged& s : party.sent) copy_rows(into(s.transfer, on_host(s)), out);
        for (const Transfer& t : party.own) copy_rows(t, out);
        party.left->record(out);
    });
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        const Stream in = (*lanes_)[m].between->get();
        party.ready->make_wait(in);
        for (const int sender : party.senders) of(sender).left->make_wait(in);
        for (const Staged& s : party.received) copy_rows(out_of(on_host(s), s.transfer), in);
        party.arrived->record(in);
    });
}

void StagedTransfers::end(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        const Party& party = parties_[m];
        party.left->make_wait(streams[m]);
        party.arrived->make_wait(streams[m]);
        for (const int receiver : party.receivers) of(receiver).arrived->make_wait(streams[m]);
    });
}

}  // namespace poisson3d
