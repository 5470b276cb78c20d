#include "direct_transfers.hpp"

#include <algorithm>

#include "row_copies.hpp"
#include "row_stores.hpp"

namespace poisson3d {

DirectTransfers::DirectTransfers(const std::vector<Transfer>& list, std::shared_ptr<const CopyLanes> lanes,
                                 bool stores, Index large)
    : lanes_(std::move(lanes)), stores_(stores) {
    for (const CopyLane& lane : *lanes_) parties_.emplace_back(lane.device);
    for (const Transfer& t : list) {
        if (t.from == t.to) {
            if (t.runs > 0) of(t.to).own.push_back(t);
            continue;
        }
        const bool moves = t.runs > 0;  // else it orders: the receiver comes after the sender
        const int worker = moves && stores_ ? t.from : t.to, other = t.from + t.to - worker;
        add_once(of(worker).before, other);
        of(other).waited_for = true;
        if (!moves) continue;
        of(worker).worked.push_back(t);
        add_once(of(other).workers, worker);
        beside_ = beside_ || t.run * t.runs >= large;
    }
    // Each begins with its neighbour, so that no two work with the same other one at a time.
    const auto count = static_cast<int>(parties_.size());
    for (int m = 0; m < count; ++m) {
        const auto turn = [&](const Transfer& t) { return ((t.from + t.to - 2 * m) % count + count) % count; };
        std::ranges::stable_sort(of(m).worked, {}, turn);
    }
}

void DirectTransfers::begin(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        if (parties_[m].waited_for || beside_) parties_[m].ready->record(streams[m]);
    });
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        Party& party = parties_[m];
        const Stream between = beside_ ? (*lanes_)[m].between->get() : streams[m];
        const Stream within = beside_ ? (*lanes_)[m].within->get() : streams[m];
        if (beside_) party.ready->make_wait(between);
        if (beside_ && !party.own.empty()) party.ready->make_wait(within);
        for (const Transfer& t : party.own) copy_rows(t, within);
        if (beside_ || party.works())
            for (const int other : party.before) of(other).ready->make_wait(between);
        for (const Transfer& t : party.worked) stores_ ? store_rows(t, between) : copy_rows(t, between);
        if (beside_ && !party.own.empty()) party.moved->record(within);
        if (beside_ || !party.worked.empty()) party.done->record(between);
    });
}

void DirectTransfers::end(ThreadTeam& team, std::span<const Stream> streams) {
    for_each_lane(*lanes_, team, [&](std::size_t m) {
        const Party& party = parties_[m];
        if (!beside_ && !party.works())
            for (const int other : party.before) of(other).ready->make_wait(streams[m]);
        if (beside_) party.done->make_wait(streams[m]);
        if (beside_ && !party.own.empty()) party.moved->make_wait(streams[m]);
        for (const int worker : party.workers) of(worker).done->make_wait(streams[m]);
    });
}

}  // namespace poisson3d
