// In how many steps members on devices that transpose exchange a field, and by what.
#pragma once

#include <algorithm>
#include <bit>

#include "poisson3d/distributed.hpp"

namespace poisson3d {

/// As Parts has it.
struct ExchangeSchedule {
    int chunks = 1;
    double shrink = 1.0;
    int pieces = 1;
    double stored = 0.0;
};

/// What is known of parts and of the links between members.
struct ExchangedParts {
    int members = 2;
    Index bytes = 0;        ///< of a part
    Index chunk_bytes = 1;  ///< of twice as many it is exchanged in a chunk more
    bool linked = false;    ///< members that reach each other's memory, …
    double store_rate = 0;  ///< … kernels store there so many bytes a second; 0: not known …
    bool beside = true;     ///< … and copies go on beside passes
};

/// What the options ask for, and for the rest what took least on two and on four H100s (docs/notes.md): a part
/// stored by passes takes as long as the pass does anyway, copies of the rest go beside the next passes, and small
/// boxes have neither launches nor events to spare. Fields of a batch are beside each other, so that they need no
/// chunks, and their copies leave passes less of the link. Of three members and more the link is what takes
/// longest: (P − 1)/P of a part leave it each way, P/2 times as long as two members' passes would hide.
inline ExchangeSchedule choose_schedule(const ExchangedParts& parts, const DistributedOptions& options) {
    constexpr int most_pieces = 4;
    constexpr Index small_part = Index{32} << 20, middling_part = Index{256} << 20, large_part = Index{1} << 30;
    constexpr double fast_link = 100e9;
    const bool many = parts.members > 2, batch = options.batch > 1;
    const bool may_store = parts.linked && !(many && parts.beside && parts.bytes >= large_part);
    const bool stores =
        parts.linked && (options.way == Way::passes ||
                         (options.way == Way::automatic && may_store && parts.store_rate >= fast_link));
    ExchangeSchedule schedule;
    const auto doublings =
        static_cast<int>(std::bit_width(static_cast<std::size_t>(parts.bytes / parts.chunk_bytes)));
    int most_chunks = 8;
    if (parts.linked && parts.bytes >= large_part)  // fields of a batch may go one by one, for want of memory
        most_chunks = batch ? 2 : many ? 4 : 8;
    else if (parts.linked)
        most_chunks = batch ? 1 : many || stores ? 2 : 8;
    schedule.chunks = parts.members == 1 ? 1 : std::clamp(doublings, 1, most_chunks);
    if (options.chunks > 0) schedule.chunks = options.chunks;
    // A launch more for each; of several fields another one is beside the last chunk.
    if (parts.linked && !stores && !batch) schedule.pieces = std::min(schedule.chunks, most_pieces);
    if (options.pieces > 0) schedule.pieces = options.pieces;
    // What nothing is beside becomes small, where launches cost less than that.
    schedule.shrink = schedule.pieces == 1 && parts.bytes >= large_part ? 0.75 : 1.0;
    if (!stores) return schedule;
    const Index all_stored = !parts.beside ? middling_part + 1 : many ? 2 * small_part : small_part;
    schedule.stored = options.way == Way::passes    ? options.stored
                      : parts.bytes < all_stored    ? 1.0
                      : batch                       ? 0.2
                      : parts.bytes >= large_part   ? 0.4
                      : parts.bytes < middling_part ? 0.5
                                                    : 0.6;
    if (schedule.stored == 1.0) schedule.chunks = schedule.pieces = 1;  // nothing is left to send
    return schedule;
}

}  // namespace poisson3d
