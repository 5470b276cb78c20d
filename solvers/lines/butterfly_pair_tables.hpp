// Tables of twins and slots (butterfly_pairs.hpp) on the host.
#pragma once

#include <functional>
#include <vector>

#include "butterfly_pairs.hpp"
#include "fft_plan.hpp"
#include "pairing.hpp"

namespace poisson3d::lines {

/// Rows count as in line plans: row f + count · p is position (or mode) p of FFT f.
template <class T, class Format = Compact>
struct ButterflyPairTable {
    ButterflyPairs<T, Format> view;
    bool mirrored = false;  ///< butterfly pair 0 is
    std::vector<typename Format::Word> offsets;
    std::vector<Complex<T>> twiddles;
    std::vector<Index> first, second;  ///< rows of the pairs, m · count + o; −1: none

    /// Whether pair `s` is two rows that are their own partners.
    [[nodiscard]] bool self_paired(std::size_t s) const {
        return mirrored && s == static_cast<std::size_t>(view.radix / 2 * view.items.count);
    }
};

/// `pairing`: which rows mix on that side. Where none do, `opposite` pairs row p with length − 1 − p, so that in
/// Makhoul's order slots hold neighbours.
template <class T, class Format>
ButterflyPairTable<T, Format> make_butterfly_pairs(const FftPlan<T, Format>& plan, Side side, Pairing pairing,
                                                   bool opposite);

/// What stands outside for a row: −1 is nothing.
template <class T>
struct MappedElement {
    Index index = -1;
    Complex<T> alpha{1, 0};
};

template <class T, class Format = Compact>
struct PairMapTable {
    PairMap<T, Format> view;
    std::vector<typename Format::Word> words;
    std::vector<Complex<T>> alpha;
};

/// Throws Error{internal} if pairs are not as mapped_pair_step has them.
template <class T, class Format>
PairMapTable<T, Format> make_pair_map(const ButterflyPairTable<T, Format>& butterflies, PairStep step,
                                      const std::function<MappedElement<T>(Index row)>& element_of);

}  // namespace poisson3d::lines
