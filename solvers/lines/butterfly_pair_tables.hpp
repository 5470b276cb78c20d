// The tables of butterfly pairs and of pair maps, made on the host.
#pragma once

#include <functional>
#include <vector>

#include "butterfly_pairs.hpp"
#include "fft_plan.hpp"
#include "line_plan.hpp"

namespace poisson3d::lines {

/// Rows are numbered as in line plans: row f + count · p is position (or mode) p of FFT f.
template <class T, class Format = Compact>
struct ButterflyPairTable {
    ButterflyPairs<T, Format> view;
    bool mirrored = false;  ///< butterfly pair 0 is arranged so
    std::vector<typename Format::Word> offsets;
    std::vector<Complex<T>> twiddles;
    std::vector<Index> first, second;  ///< rows of the pairs, m · count + o; −1: none

    /// Whether pair `s` is two rows that are their own partners.
    [[nodiscard]] bool self_paired(std::size_t s) const {
        return mirrored && s == static_cast<std::size_t>(view.radix / 2 * view.items.count);
    }
};

/// `pairing`: which rows are pairs on that side. Where none are, `opposite` pairs row p with length − 1 − p: in
/// Makhoul's order these are neighbouring samples.
template <class T, class Format>
ButterflyPairTable<T, Format> make_butterfly_pairs(const FftPlan<T, Format>& plan, Side side, Pairing pairing,
                                                   bool opposite);

/// The sample or mode that a row stands for, and its α; −1: none.
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

/// Throws Error{internal} if the two α of a pair are not partners (pair_step).
template <class T, class Format>
PairMapTable<T, Format> make_pair_map(const ButterflyPairTable<T, Format>& butterflies, PairStep step,
                                      const std::function<MappedElement<T>(Index row)>& element_of);

}  // namespace poisson3d::lines
