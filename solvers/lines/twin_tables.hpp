// Tables of twins and slots (twins.hpp) on the host.
#pragma once

#include <functional>
#include <vector>

#include "fft_plan.hpp"
#include "pairing.hpp"
#include "twins.hpp"

namespace poisson3d::lines {

/// Rows count as in line plans: row f + count · p is position (or mode) p of FFT f.
template <class T, class Format = Compact>
struct TwinsTable {
    Twins<T, Format> head;
    bool mirrored = false;  ///< twins 0 are
    std::vector<typename Format::Word> places;
    std::vector<Complex<T>> roots;
    std::vector<Index> first, second;  ///< rows of slots, m · twins + o; −1: none

    /// Whether slot `s` holds two rows that are their own partners.
    [[nodiscard]] bool self_paired(std::size_t s) const {
        return mirrored && s == static_cast<std::size_t>(head.radix / 2 * head.items.count);
    }
};

/// `pairing`: which rows mix on that side. Where none do, `opposite` pairs row p with length − 1 − p, so that in
/// Makhoul's order slots hold neighbours.
template <class T, class Format>
TwinsTable<T, Format> make_twins(const FftPlan<T, Format>& plan, Side side, Pairing pairing, bool opposite);

/// What stands outside for a row: −1 is nothing.
template <class T>
struct Outside {
    Index index = -1;
    Complex<T> alpha{1, 0};
};

template <class T, class Format = Compact>
struct SlotsTable {
    Slots<T, Format> head;
    std::vector<typename Format::Word> words;
    std::vector<Complex<T>> alpha;
};

/// Throws Error{internal} if pairs are not as mix_slot has them.
template <class T, class Format>
SlotsTable<T, Format> make_slots(const TwinsTable<T, Format>& twins, Mix mix,
                                 const std::function<Outside<T>(Index row)>& outside);

}  // namespace poisson3d::lines
