// Pair maps: where the elements of pairs stand in the field, and the step of arithmetic between the two of a pair
// before or after an FFT.
//
// The entry of a pair says which samples or modes its first and its second element are, its α how they are combined
// or split (line_plan.hpp). Host and device share this file.
#pragma once

#include <bit>

#include "line_fft.hpp"

namespace poisson3d::lines {

/// signs: times 1 or −1 (the highest bit of either index of an entry). factors: times real numbers, re of α the
/// first, im the second. combine, split: see line_plan.hpp.
enum class PairStep : std::uint8_t { signs, factors, combine, split };

/// The index of an element that does not exist.
template <class Word>
inline constexpr int no_element_in = static_cast<int>((Word(1) << (half_bits<Word> - 1)) - 1);
inline constexpr int no_element = no_element_in<Compact::Word>;

inline constexpr int max_radix = 8;

/// Where the elements of pairs come from or go to. An entry is two times an index and a sign. Mostly entries are
/// linear in o and computed from three numbers; else they are read from a table.
template <class T, class Format = Compact>
struct PairMap {
    using Word = typename Format::Word;
    bool neighbours = false;  ///< the second of a pair is always the first's successor, and both are there
    bool linear = false;  ///< the entry of pair m of butterfly pair o is origin[m] + o · step[m], but for butterfly
                          ///< pair 0: zeroth[m]
    static constexpr bool complete = true;  ///< where kernels know that all elements are there (pass.hpp)
    bool exchanged = false;  ///< successors are elements of another butterfly pair (exchanged_pairs.hpp)
    Word origin[max_radix] = {}, step[max_radix] = {}, zeroth[max_radix] = {};
    const Word* words = nullptr;        ///< … or else stands at m · count + o
    const Complex<T>* alpha = nullptr;  ///< … and its α
    Complex<T> self_paired{1, 1};       ///< factors of the two elements that are their own partners
    int from = 0, last = 0;             ///< of symmetric_chirp.hpp: positions of the first element and the last one
    /// Whether a row's samples may be read and written two by two.
    [[nodiscard]] bool in_twos() const { return neighbours || exchanged; }
    /// What mode space multiplies pair m of butterfly pair o with, number `entry` of the table.
    [[nodiscard]] POISSON3D_HD Complex<T> factors(int entry, int /*m*/, int /*o*/) const {
        return load_table(alpha + entry);
    }
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

/// Which kinds of entries a kernel can read: computed, from the table, or both.
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

/// Combines a pair of FFT outputs, or splits a pair into FFT inputs, with number α. A pair's second α is
/// −i conj(α), but for a sign.
template <PairStep step, class Entry, class F, class T>
POISSON3D_HD void pair_step(const Entry& word, Complex<F> alpha, Complex<T>& first, Complex<T>& second) {
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

/// The radices of outer steps that code has. `any`: 1 and 3 to 8, and every inner step or a chirp between; `large`:
/// 3 to 8, and no large primes; `radix8`: 8 alone, and words are as lines of this kind have them then; `chirp`:
/// symmetric steps on both sides (symmetric_chirp.hpp); `matrix_steps`: none, but two products with matrices
/// (matrix_units.hpp); `none`: 1, FFTs are done by others.
enum class Outer : std::uint8_t { any, large, radix8, chirp, matrix_steps, none };
/// Whether there are no large primes.
constexpr bool steps_in_registers(Outer outer) {
    return outer == Outer::large || outer == Outer::radix8;
}

/// Calls body.template operator()<r>() with the radix of an outer step.
template <Outer outer, class Body>
POISSON3D_HD void with_radix(int radix, const Body& body) {
    if constexpr (outer == Outer::radix8) {
        body.template operator()<8>();
    } else if constexpr (outer == Outer::none) {
        body.template operator()<1>();
    } else {
        switch (radix) {
            case 1:
                if constexpr (outer == Outer::any) body.template operator()<1>();
                return;
            case 3: return body.template operator()<3>();
            case 4: return body.template operator()<4>();
            case 5: return body.template operator()<5>();
            case 6: return body.template operator()<6>();
            case 7: return body.template operator()<7>();
            default: return body.template operator()<8>();
        }
    }
}

/// The same for butterflies, which may know their radix when code is compiled (known_line.hpp).
template <Outer outer, class Butterflies, class Body>
POISSON3D_HD void with_radix_of(const Butterflies& butterflies, const Body& body) {
    if constexpr (Butterflies::known_radix > 0)
        body.template operator()<Butterflies::known_radix>();
    else
        with_radix<outer>(butterflies.radix, body);
}

/// The radices of the symmetric step (symmetric.hpp), in the order in which they are tried. Kernels have more of
/// them: registers hold 16 numbers there, and odd half periods need not double the line.
template <class Format>
inline constexpr int symmetric_radices[] = {8, 6, 4, 2};
template <>
inline constexpr int symmetric_radices<Compact>[] = {8, 16, 9, 7, 5, 6, 4, 2};

/// The same for the symmetric step.
template <Outer outer, class Format, class Body>
POISSON3D_HD void with_symmetric_radix(int radix, const Body& body) {
    constexpr bool more = Format::few_twiddles;
    if constexpr (more) {
        if (radix == 16) return body.template operator()<16>();
    }
    if constexpr (outer == Outer::radix8) {
        body.template operator()<8>();
    } else {
        switch (radix) {
            case 2: return body.template operator()<2>();
            case 4: return body.template operator()<4>();
            case 5:
                if constexpr (more) body.template operator()<5>();
                return;
            case 6: return body.template operator()<6>();
            case 7:
                if constexpr (more) body.template operator()<7>();
                return;
            case 9:
                if constexpr (more) body.template operator()<9>();
                return;
            default: return body.template operator()<8>();
        }
    }
}

}  // namespace poisson3d::lines
