// Whether plans and tables say the same as lines that are known (known_line.hpp), number by number; where they
// disagree the plan is right.
#pragma once

#include "known_sides.hpp"

namespace poisson3d::lines {

/// What a plan says of pair m of butterfly pair o < 3.
template <class T>
PairMapEntry entry_of(const PairMap<T, Compact>& map, int o, int m) {
    return PairMapEntry{o == 0 ? map.zeroth[m] : map.origin[m] + static_cast<std::uint32_t>(o) * map.step[m]};
}
inline bool same_entry(PairMapEntry entry, const KnownEntry& known) {
    return entry.first() == known.first() && entry.second() == known.second() &&
           entry.first_sign() == known.first_sign() && entry.second_sign() == known.second_sign();
}

/// What a view does not know, from a plan.
template <class T, class Line, Side side>
void set_map(PairMap<T, KnownSide<Line, side>>& known, const PairMap<T, Compact>& map) {
    known.alpha = map.alpha;
    known.self_paired = map.self_paired;
    known.sign = 0;
    if (!same_entry(entry_of(map, 1, 0), known.entry(1, 0))) known.sign = 1;
}

/// Whether a plan says the same as the constants: its maps are linear (pair_map.hpp), so that three butterfly pairs
/// speak for all; but for the butterfly in the middle of samples, and for every fourth sample.
template <class T, class Line, Side side>
bool same_entries(const PairMap<T, Compact>& map, const PairMap<T, KnownSide<Line, side>>& known) {
    constexpr int q = Line::butterflies(side), pairs = Line::pairs(side);
    constexpr bool one_fft = side == Side::samples && Line::ffts == 1, twice = one_fft && q % 2 != 0;
    constexpr int r = ButterflyPairs<T, KnownSide<Line, side>>::radix;
    for (int m = 0; m < r; ++m)
        for (int o = 0; o < 3 && o < (twice ? pairs - 1 : pairs); ++o)
            if (!same_entry(entry_of(map, o, m), known.entry(o, m))) return false;
    return map.linear || twice || (one_fft && Line::ends == Ends::mixed);
}
template <class T, class Line, Side side>
bool same_butterflies(const ButterflyPairs<T, Compact>& butterflies,
                      const ButterflyPairs<T, KnownSide<Line, side>>& known) {
    return butterflies.radix == known.radix && butterflies.items.count == known.items.count &&
           butterflies.stride == known.stride && butterflies.has_twiddles() == known.has_twiddles();
}
template <class Line, class T>
bool same_steps(const LineFft<T, Compact>& fft) {
    const auto same = [&]<int s>() {
        if constexpr (s < Line::steps) {
            constexpr KnownStep<Line, s> known;
            const RadixStep& step = fft.step[s];
            return step.radix == known.radix && step.butterflies.count == known.butterflies.count &&
                   step.stride == known.stride && step.first == known.first && step.twiddles == known.twiddles &&
                   step.twiddle_stride == known.twiddle_stride;
        }
        return true;
    };
    return fft.steps == Line::steps && same.template operator()<0>() && same.template operator()<1>();
}

}  // namespace poisson3d::lines
