#include "mapped_transfers.hpp"

#include <algorithm>

#include "device_words.hpp"
#include "poisson3d/error.hpp"
#include "row_copies.hpp"
#include "row_stores.hpp"

namespace poisson3d {

MappedTransfers::MappedTransfers(const std::vector<Transfer>& list, int me, const std::vector<MemberWords>& words,
                                 std::shared_ptr<const CopyLanes> lanes, std::shared_ptr<const void> kept,
                                 bool stores, Index large)
    : lanes_(std::move(lanes)),
      kept_(std::move(kept)),
      me_(me),
      stores_(stores),
      ready_(event_on(lane().device)),
      all_ready_(event_on(lane().device)),
      moved_(event_on(lane().device)),
      arrived_(event_on(lane().device)),
      told_all_(event_on(lane().device)) {
    const auto of = [&](int member) { return words[static_cast<std::size_t>(member)]; };
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
            add_once(told_, of(other(t)).ready + me);
            if (moves) add_once(workers_, of(me).done + other(t));
        } else if (moves) {
            worked_.push_back(t);
            add_once(partners_, of(me).ready + other(t));
            add_once(served_, of(other(t)).done + me);
        } else {
            add_once(before_, of(me).ready + other(t));
        }
    }
    // Who has waited for a word need not wait for it again.
    std::erase_if(before_, [&](std::uint32_t* word) { return std::ranges::count(partners_, word) > 0; });
    const int count = static_cast<int>(words.size());
    std::ranges::stable_sort(worked_, {}, [&](const Transfer& t) { return (other(t) - me + count) % count; });
}

/// Waits: what is mapped is not used any more.
MappedTransfers::~MappedTransfers() {
    try {
        const DeviceScope scope(lane().device);
        synchronize(lane().between->get());
        synchronize(lane().within->get());
        told_all_->wait();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): who waits for results hears of it
    }
}

void MappedTransfers::begin(ThreadTeam&, std::span<const Stream> streams) {
    const DeviceScope scope(lane().device);
    const Stream stream = streams.front();
    const Stream between = beside_ ? lane().between->get() : stream;
    const Stream within = beside_ ? lane().within->get() : stream;
    set_words(told_, ++round_, stream);
    if (beside_) {
        ready_->record(stream);
        ready_->make_wait(within);
    }
    wait_for_words(partners_, round_, within);
    if (beside_) {
        all_ready_->record(within);
        all_ready_->make_wait(between);
    }
    for (const Transfer& t : worked_) stores_ ? store_rows(t, between) : copy_rows(t, between);
    if (beside_) arrived_->record(between);
    for (const Transfer& t : own_) copy_rows(t, within);
    if (beside_ && !own_.empty()) moved_->record(within);
}

void MappedTransfers::end(ThreadTeam&, std::span<const Stream> streams) {
    const DeviceScope scope(lane().device);
    const Stream stream = streams.front();
    if (beside_ && !own_.empty()) moved_->make_wait(stream);
    if (beside_) arrived_->make_wait(stream);
    set_words(served_, round_, stream);
    told_all_->record(stream);
    wait_for_words(before_, round_, stream);
    wait_for_words(workers_, round_, stream);
}

}  // namespace poisson3d
