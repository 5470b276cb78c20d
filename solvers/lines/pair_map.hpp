// PairMap: where the elements of pairs stand in the field, and how they mix before or after an FFT.
//
// A slot holds two elements, a first and a second one. Its word says which samples or modes they are, its α how
// they mix (transform.hpp). Host and device share this file.
#pragma once

#include <bit>

#include "line_fft.hpp"

namespace poisson3d::lines {

/// What slots do: times 1 or −1 (the words' bits 15 and 31); times real numbers (re of α the first, im the second);
/// combine and split of transform.hpp.
enum class PairStep : std::uint8_t { signs, factors, combine, split };

/// The index of what is not there.
template <class Word>
inline constexpr int no_element_in = lower_half<Word>((Word(1) << (half_bits<Word> - 1)) - 1);
inline constexpr int no_element = no_element_in<Compact::Word>;

inline constexpr int max_radix = 8;

/// Where the slots' elements come from or go to. A slot's word is two times index (15 bits) and sign. Mostly words
/// are linear in o, and need not be read.
template <class T, class Format = Compact>
struct PairMap {
    using Word = typename Format::Word;
    bool neighbours = false;  ///< the second of a pair is always the first's successor, and both are there
    bool linear = false;  ///< the entry of pair m of butterfly pair o is origin[m] + o · step[m], but for butterfly
                          ///< pair 0: zeroth[m]
    Word origin[max_radix] = {}, step[max_radix] = {}, zeroth[max_radix] = {};
    const Word* words = nullptr;        ///< … or else stands at m · count + o
    const Complex<T>* alpha = nullptr;  ///< … and its α
    Complex<T> self_paired{1, 1};       ///< what multiplies the elements of the self-paired slot
};

template <class Word>
struct PairMapEntryOf {
    Word bits;
    static constexpr int half = half_bits<Word>;
    [[nodiscard]] POISSON3D_HD int first() const { return static_cast<int>(bits & no_element_in<Word>); }
    [[nodiscard]] POISSON3D_HD int second() const { return static_cast<int>(bits >> half & no_element_in<Word>); }
    [[nodiscard]] POISSON3D_HD std::uint32_t first_sign() const {
        return static_cast<std::uint32_t>(bits >> (half - 1) & 1);
    }
    [[nodiscard]] POISSON3D_HD std::uint32_t second_sign() const {
        return static_cast<std::uint32_t>(bits >> (2 * half - 1));
    }
};
using PairMapEntry = PairMapEntryOf<Compact::Word>;

/// Which tables of entries a kernel knows.
enum class Words : std::uint8_t { linear, listed, either };

/// body(entry), a function of m, for the pairs of butterfly pair o.
template <int r, Words known, class T, class Format, class Body>
POISSON3D_HD void with_entries(const PairMap<T, Format>& map, const WorkItems& butterflies, int o,
                               const Body& body) {
    using Word = typename Format::Word;
    if (known == Words::linear || (known == Words::either && map.linear)) {
        body([&](int m) {
            return PairMapEntryOf<Word>{o == 0 ? map.zeroth[m]
                                               : map.origin[m] + static_cast<Word>(o) * map.step[m]};
        });
    } else if constexpr (known != Words::linear) {
        Word words[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) words[m] = load_table(map.words + m * butterflies.count + o);
        body([&](int m) { return PairMapEntryOf<Word>{words[m]}; });
    }
}

/// −x where `sign` is 1.
POISSON3D_HD double with_sign(double x, std::uint32_t sign) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ static_cast<std::uint64_t>(sign) << 63);
}
POISSON3D_HD float with_sign(float x, std::uint32_t sign) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ sign << 31);
}
template <class T>
POISSON3D_HD Complex<T> with_sign(Complex<T> z, std::uint32_t sign) {
    return {with_sign(z.re, sign), with_sign(z.im, sign)};
}

template <class F, class T>
POISSON3D_HD void scale_parts(Complex<F> factors, Complex<T>& first, Complex<T>& second) {
    first = factors.re * first;
    second = factors.im * second;
}

/// FFT outputs to what comes out, or what comes in to FFT inputs, of a slot with number α. A pair's second α is
/// −i conj(α), but for a sign.
template <PairStep step, class Word, class F, class T>
POISSON3D_HD void pair_step(PairMapEntryOf<Word> word, Complex<F> alpha, Complex<T>& first, Complex<T>& second) {
    if constexpr (step == PairStep::signs) {
        first = with_sign(first, word.first_sign());
        second = with_sign(second, word.second_sign());
    } else if constexpr (step == PairStep::factors) {
        scale_parts(alpha, first, second);
    } else if constexpr (step == PairStep::combine) {
        const Complex<T> sum = first + second;
        const Complex<T> difference = times_i(first - second);
        first = alpha.re * sum + alpha.im * difference;
        second = with_sign(alpha.re * difference - alpha.im * sum, word.second_sign());
    } else {
        const Complex<T> signed_second = with_sign(second, word.second_sign());
        const Complex<T> even = alpha.re * first - alpha.im * signed_second;
        const Complex<T> odd = times_i(alpha.im * first + alpha.re * signed_second);
        first = even + odd;
        second = even - odd;
    }
}

}  // namespace poisson3d::lines
