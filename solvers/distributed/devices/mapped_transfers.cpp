#include "mapped_transfers.hpp"

#include <algorithm>

#include "device_words.hpp"
#include "poisson3d/error.hpp"
#include "row_copies.hpp"

namespace poisson3d {

MappedTransfers::MappedTransfers(const std::vector<Transfer>& list, int me, std::vector<MemberWords> words,
                                 std::shared_ptr<const CopyLanes> lanes, std::shared_ptr<const void> kept,
                                 bool stores, Index large)
    : lanes_(std::move(lanes)),
      kept_(std::move(kept)),
      me_(me),
      words_(std::move(words)),
      stores_(stores),
      ready_(event_on(lane().device)),
      moved_(event_on(lane().device)),
      arrived_(event_on(lane().device)) {
    const auto add = [](std::vector<int>& members, int member) {
        if (std::ranges::find(members, member) == members.end()) members.push_back(member);
    };
    for (const Transfer& t : list) {
        const bool moves = t.runs > 0;  // else it orders
        if (t.from == t.to) {
            if (moves && t.to == me) own_.push_back(t);
            continue;
        }
        beside_ = beside_ || t.run * t.runs >= large;
        if (t.from != me && t.to != me) continue;
        const int worker = moves && stores ? t.from : t.to;
        if (worker != me) {
            add(told_, other(t));
            if (moves) add(workers_, other(t));
        } else if (moves) {
            worked_.push_back(t);
        } else {
            add(before_, other(t));
        }
    }
    std::erase_if(before_, [&](int member) {
        return std::ranges::any_of(worked_, [&](const Transfer& t) { return other(t) == member; });
    });
    const int count = static_cast<int>(words_.size());
    std::ranges::stable_sort(worked_, {}, [&](const Transfer& t) { return (other(t) - me + count) % count; });
}

/// Waits: what is mapped is not used any more.
MappedTransfers::~MappedTransfers() {
    try {
        const DeviceScope scope(lane().device);
        synchronize(lane().between->get());
        synchronize(lane().within->get());
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
    for (const int member : told_) set_word(of(member).ready + me_, round_, within);
    for (const Transfer& t : own_) copy_rows(t, within);
    if (beside_ && !own_.empty()) moved_->record(within);
    for (std::size_t i = 0; i < worked_.size(); ++i) {
        const Transfer& t = worked_[i];
        const int with = other(t);
        if (i == 0 || other(worked_[i - 1]) != with) wait_for_word(of(me_).ready + with, round_, between);
        stores_ ? store_rows(t, between) : copy_rows(t, between);
        if (i + 1 == worked_.size() || other(worked_[i + 1]) != with)
            set_word(of(with).done + me_, round_, between);
    }
    arrived_->record(between);
}

void MappedTransfers::end(ThreadTeam&, std::span<const Stream> streams) {
    const DeviceScope scope(lane().device);
    const Stream stream = streams.front();
    if (beside_ && !own_.empty()) moved_->make_wait(stream);
    if (beside_) arrived_->make_wait(stream);
    for (const int member : before_) wait_for_word(of(me_).ready + member, round_, stream);
    for (const int member : workers_) wait_for_word(of(me_).done + member, round_, stream);
}

}  // namespace poisson3d
