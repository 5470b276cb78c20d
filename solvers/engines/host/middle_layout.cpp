#include "middle_layout.hpp"

#include <algorithm>

namespace poisson3d::host {

namespace {

/// Tasks enough for all threads, and as few partial sums as that allows.
void split_middle(MiddleLayout& middle, Index blocks, int threads) {
    const Index wanted = threads == 1 ? 1 : Index{8} * threads;
    const bool across = middle.closed[middle.across].faces > 0;
    const bool slow = middle.closed[middle.slow].faces > 0;
    const Index slow_indices = middle.unknowns(middle.slow);
    Index least = -1;
    for (Index chunks = 1; chunks <= blocks; ++chunks) {
        const Index groups = std::min(slow_indices, (wanted + chunks - 1) / chunks);
        const Index sums = (across ? chunks : 0) + (slow ? groups : 0);
        const bool enough = chunks * groups >= wanted || (chunks == blocks && groups == slow_indices);
        if (!enough && chunks < blocks) continue;
        if (least >= 0 && sums >= least) continue;
        least = sums;
        middle.chunks = chunks;
        middle.groups = groups;
    }
}

}  // namespace

template <class T>
MiddleLayout make_middle_layout(const Grid& free, bool eliminates, const std::array<Planes, 3>& at_hand, int across,
                                int threads) {
    MiddleLayout middle;
    middle.closed = lines::close_axes(free);
    middle.eliminates = eliminates;
    middle.at_hand = at_hand;
    middle.across = across;
    middle.slow = 3 - across;
    const Index lines = kernels<T>().lines;
    split_middle(middle, round_up(middle.unknowns(across), lines) / lines, threads);
    for (int a = 0; a < 3; ++a) middle.pitches[a] = round_up(middle.unknowns(middle.axes_of_face(a)[1]), lines);
    return middle;
}

template <class T>
void take_blocks(MiddleLayout& middle, int threads, Offsets& all) {
    middle.block_bytes = static_cast<std::size_t>((middle.unknowns(0) + 1) * kernels<T>().lines) * sizeof(T);
    middle.block_bytes = (middle.block_bytes + 63) / 64 * 64;
    middle.blocks = all.take(middle.block_bytes * static_cast<std::size_t>(threads));
}

template <class T>
void take_sums(MiddleLayout& middle, Offsets& all) {
    const Index lines = middle.unknowns(0);
    if (middle.closed[middle.across].faces > 0)
        middle.sums_across = all.take<T>(2 * middle.chunks * middle.unknowns(middle.slow) * lines);
    if (middle.closed[middle.slow].faces > 0)
        middle.sums_slow =
            all.take<T>(middle.closed[middle.slow].faces * middle.groups * lines * middle.pitches[middle.slow]);
}

template MiddleLayout make_middle_layout<float>(const Grid&, bool, const std::array<Planes, 3>&, int, int);
template MiddleLayout make_middle_layout<double>(const Grid&, bool, const std::array<Planes, 3>&, int, int);
template void take_blocks<float>(MiddleLayout&, int, Offsets&);
template void take_blocks<double>(MiddleLayout&, int, Offsets&);
template void take_sums<float>(MiddleLayout&, Offsets&);
template void take_sums<double>(MiddleLayout&, Offsets&);

}  // namespace poisson3d::host
