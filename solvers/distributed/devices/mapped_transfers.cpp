#include "mapped_transfers.hpp"

#include <algorithm>

#include "device_words.hpp"
#include "poisson3d/error.hpp"
#include "row_copies.hpp"

namespace poisson3d {

MappedTransfers::MappedTransfers(const std::vector<Transfer>& list, int me, std::vector<MemberWords> words,
                                 std::shared_ptr<const CopyLanes> lanes, std::shared_ptr<const void> kept,
                                 Index large)
    : lanes_(std::move(lanes)),
      kept_(std::move(kept)),
      me_(me),
      words_(std::move(words)),
      ready_(event_on(lane().device)),
      moved_(event_on(lane().device)),
      arrived_(event_on(lane().device)) {
    for (const Transfer& t : list) {
        if (t.runs == 0) continue;  // orders streams of one process
        beside_ = beside_ || (t.from != t.to && t.run * t.runs >= large);
        if (t.from == me && t.to == me)
            own_.push_back(t);
        else if (t.to == me)
            received_.push_back(t);
        else if (t.from == me && std::find(receivers_.begin(), receivers_.end(), t.to) == receivers_.end())
            receivers_.push_back(t.to);
    }
    const int count = static_cast<int>(words_.size());
    const auto turn = [&](const Transfer& t) { return (t.from - me + count) % count; };
    std::stable_sort(received_.begin(), received_.end(),
                     [&](const Transfer& a, const Transfer& b) { return turn(a) < turn(b); });
}

/// Waits: what is mapped is not used any more.
MappedTransfers::~MappedTransfers() {
    try {
        const DeviceScope scope(lane().device);
        synchronize(lane().between->get());
        arrived_->wait();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): who waits for results hears of it
    }
}

void MappedTransfers::run(ThreadTeam& team, std::span<const Stream> streams) {
    begin(team, streams);
    end(team, streams);
}

void MappedTransfers::begin(ThreadTeam&, std::span<const Stream> streams) {
    const DeviceScope scope(lane().device);
    const Stream between = beside_ ? lane().between->get() : streams.front();
    const Stream within = beside_ ? lane().within->get() : streams.front();
    ++round_;
    if (beside_) {
        ready_->record(streams.front());
        ready_->make_wait(between);
        ready_->make_wait(within);
    }
    for (const int receiver : receivers_) set_word(of(receiver).ready + me_, round_, within);
    for (const Transfer& t : own_) copy_rows(t, within);
    if (beside_) moved_->record(within);
    for (std::size_t i = 0; i < received_.size(); ++i) {
        const Transfer& t = received_[i];
        if (i == 0 || received_[i - 1].from != t.from) wait_for_word(of(me_).ready + t.from, round_, between);
        copy_rows(t, between);
        if (i + 1 == received_.size() || received_[i + 1].from != t.from)
            set_word(of(t.from).taken + me_, round_, between);
    }
    arrived_->record(between);
}

void MappedTransfers::end(ThreadTeam&, std::span<const Stream> streams) {
    const DeviceScope scope(lane().device);
    if (beside_) {
        moved_->make_wait(streams.front());
        arrived_->make_wait(streams.front());
    }
    for (const int receiver : receivers_) wait_for_word(of(me_).taken + receiver, round_, streams.front());
}

}  // namespace poisson3d
