// Type I lines whose numbers are known when code is compiled (known_line.hpp says what that is for): where the
// members of a class stand in the field and its elements in shared memory, which modes the elements of the FFTs
// are, and what these are multiplied with. Whether a line is even or odd stays a number of the plan, so that
// Neumann and Dirichlet nodes share their kernels.
//
// Of half period N and symmetric radix r, a line has FFTs f = 0 … ⌊r/2⌋ of length M = 2N/r, whose mode n is mode
// nr + f of the line, or 2N − nr − f if that is above N: then it is mirrored, and in the first and the last FFT
// (2f = r) stands there twice. Modes are stored FFT by FFT.
//
// Host and device share this file.
#pragma once

#include "known_line.hpp"
#include "symmetric.hpp"

namespace poisson3d::lines {

/// The radix of the symmetric step of a line whose FFTs have at most two steps between it and their last one; 0:
/// there is none.
constexpr int known_symmetric_radix(int half) {
    int best = 0;
    double least = 0;
    for (const int r : symmetric_radices<Compact>) {
        if (2 * half % r != 0) continue;
        const FewRadices few = few_radices_behind(2 * half / r);
        if (few.steps < 0) continue;
        const bool common = has_inner_radix(Inner::common, few.inner[0]) &&
                            (few.steps < 2 || has_inner_radix(Inner::common, few.inner[1]));
        const double cost = symmetric_cost(r, half, few.steps, few.modes, common || few.steps == 0);
        if (cost >= 0 && (best == 0 || cost < least)) best = r, least = cost;
    }
    return best;
}

/// `threads`: of a block on a device, 0 where nobody asks.
template <int half_, int radix_, class T, int threads_ = 0>
struct KnownSymmetricLine {
    static_assert(2 * half_ % radix_ == 0);
    static constexpr Kind kind = Kind::type1;
    static constexpr int half = half_, radix = radix_, threads = threads_;
    static constexpr int ffts = radix / 2 + 1, length = 2 * half / radix, rows = ffts * length;
    static constexpr FewRadices radices = few_radices_behind(length);
    static_assert(radices.steps >= 0);
    static constexpr int steps = radices.steps;
    static constexpr int classes = length / 2 + 1;
    static constexpr int middle = length % 2 == 0 ? length / 2 : 0;  ///< see Symmetric
    static constexpr int butterflies = length / radices.modes;       ///< next to modes, of an FFT
    static constexpr int pairs = (ffts * butterflies + 1) / 2;
    // Digits and their strides as in KnownLine, but that there is none of samples.
    static constexpr int first = radices.inner[0], second = radices.inner[1];
    static constexpr PaddedStrides strides = padded_strides<T>(radices, ffts);
    static constexpr int first_stride = strides[1], second_stride = second == 1 ? 0 : strides[2];
    static constexpr int padded_length = strides.padded_length();
    static constexpr int samples_stride = padded_length;  ///< from FFT to FFT
    static constexpr int pitch =
        (ffts * padded_length - 2 + element_banks<T> - 1) / element_banks<T> * element_banks<T> + 2;

    static constexpr POISSON3D_HD int in_second(int j) {
        if constexpr (second == 1) return j;
        return j + j / radices.modes * (second_stride - radices.modes);
    }
    static constexpr POISSON3D_HD int sample_offset(int j) {
        constexpr int below = radices.modes * second;
        return in_second(j % below) + j / below * first_stride;
    }
    static constexpr POISSON3D_HD int mode_offset(int c) {
        if constexpr (second == 1) return c * first_stride;
        return c % first * first_stride + c / first * second_stride;
    }
};

/// The Formats of their tables: of the symmetric step, and of the steps next to modes.
template <class Line>
struct KnownClasses {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};
template <class Line>
struct KnownModes {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

/// An index that is there, which spares code to ask.
POISSON3D_HD int existing(int index) {
#ifdef __CUDA_ARCH__
    __builtin_assume(index >= 0 && index < no_element);
#endif
    return index;
}

struct KnownMember {
    int read, written;
    std::uint32_t negative;
    [[nodiscard]] POISSON3D_HD int from() const { return read; }
    [[nodiscard]] POISSON3D_HD int to() const { return written; }
    [[nodiscard]] POISSON3D_HD std::uint32_t sign() const { return negative; }
};

template <class T, class Line>
struct Symmetric<T, KnownClasses<Line>> {
    static constexpr int radix = Line::radix, known_radix = radix, stride = Line::padded_length;
    static constexpr int middle = Line::middle;
    KnownItems<Line::classes, Line::threads> items;
    static constexpr int row = Line::classes;
    bool sine = false;
    const Complex<T>* twiddles = nullptr;

    [[nodiscard]] static POISSON3D_HD ButterflyOffsets offsets_of(int j) {
        return {Line::sample_offset(j), Line::sample_offset(j == 0 ? 0 : Line::length - j)};
    }
    /// Position j + mM, or its mirror image below N.
    [[nodiscard]] POISSON3D_HD KnownMember member(int m, int j) const {
        const bool mirrored = 2 * m > radix || (2 * m == radix && j > 0);
        const int position = 2 * m < radix ? j + m * Line::length : (radix - m) * Line::length - j;
        const int shift = sine ? 1 : 0;
        // Samples 0 and N of an odd line.
        const bool at_end = j == 0 ? m == 0 || 2 * m == radix : j == middle && 2 * m + 1 == radix;
        const bool zero = sine && at_end;
        const bool twice = mirrored && (j == 0 || (middle > 0 && j == middle));
        const int from = zero ? no_element : existing(position - shift);
        return {from, twice ? no_element : from, sine && mirrored ? 1U : 0U};
    }
};

/// Element n of FFT f.
struct KnownMode {
    int slot;
    bool there, mirrored, at_end;
};

/// Two elements that are listed as a pair.
struct KnownModeEntry {
    int one, other;
    std::uint32_t sign, other_sign;
    [[nodiscard]] POISSON3D_HD int first() const { return one; }
    [[nodiscard]] POISSON3D_HD int second() const { return other; }
    [[nodiscard]] POISSON3D_HD std::uint32_t first_sign() const { return sign; }
    [[nodiscard]] POISSON3D_HD std::uint32_t second_sign() const { return other_sign; }
};

template <class T, class Line>
struct ButterflyPairs<T, KnownModes<Line>> {
    static constexpr int radix = Line::radices.modes, known_radix = radix, stride = 1;
    KnownItems<Line::pairs, Line::threads> items;
    static constexpr const Complex<T>* twiddles = nullptr;

    /// Of butterfly i of all FFTs.
    [[nodiscard]] static POISSON3D_HD int offset(int i) {
        return i / Line::butterflies * Line::padded_length + Line::mode_offset(i % Line::butterflies);
    }
    [[nodiscard]] static POISSON3D_HD ButterflyOffsets offsets_of(int o) {
        constexpr bool odd = Line::ffts * Line::butterflies % 2 != 0;
        const int a = offset(o);
        return {a, odd && o == Line::pairs - 1 ? a : offset(Line::pairs + o)};
    }
    [[nodiscard]] static POISSON3D_HD bool has_twiddles() { return false; }
};

/// What mode space multiplies a pair with, but for signs.
struct KnownWeights {
    bool first_there, second_there, first_half, second_half;
    template <class V>
    POISSON3D_HD void apply(Complex<V>& first, Complex<V>& second) const {
        first = {first_there ? first.re : V(0), first_there ? first.im : V(0)};
        second = {second_there ? second.re : V(0), second_there ? second.im : V(0)};
        if (first_half) first = V(0.5) * first;
        if (second_half) second = V(0.5) * second;
    }
};

template <class T, class Line>
struct PairMap<T, KnownModes<Line>> {
    static constexpr bool neighbours = false, complete = false;
    bool sine = false;
    static constexpr Complex<T> self_paired{1, 1};

    /// Element m of butterfly i of all FFTs.
    [[nodiscard]] POISSON3D_HD KnownMode mode(int i, int m) const {
        constexpr int q = Line::butterflies, length = Line::length;
        constexpr bool even = length % 2 == 0;
        const int f = i / q, c = i % q, n = c + q * m;
        // c ≥ rest: at and above the middle of modes.
        const int rest = (length + 1) / 2 - q * m;
        const bool above = rest <= 0 || (rest < q && c >= rest);
        // Mode N: of even FFTs number M/2 of the first one; of odd ones the last that the last one has.
        const int last = length / 2 - q * m;
        const bool at_last = last >= 0 && last < q && c == last && f == (even ? 0 : Line::radix / 2);
        const bool at_end = at_last || (m == 0 && i == 0);
        const bool mirrored = above && !at_last;
        const bool half_there = f == 0 || 2 * f == Line::radix;
        const bool there = !(mirrored && half_there) && !(sine && at_end);
        const int skipped = sine ? 1 : 0;
        const int in_first = length / 2 + 1 - (sine && even ? 2 : skipped);  // modes of FFT 0
        const int slot = f == 0 ? n - skipped : in_first + (f - 1) * length + n;
        return {slot, there, mirrored, at_end};
    }
    struct Pair {
        KnownMode first, second;
    };
    [[nodiscard]] POISSON3D_HD Pair pair(int o, int m) const {
        constexpr int r = Line::radices.modes, all = Line::ffts * Line::butterflies;
        const bool lower = m < (r + 1) / 2;  // a is the first
        KnownMode a = mode(o, m), b = mode(Line::pairs + o, r - 1 - m);
        if (all % 2 != 0 && o == Line::pairs - 1) b.there = false;
        return {lower ? a : b, lower ? b : a};
    }
    [[nodiscard]] POISSON3D_HD KnownModeEntry entry(int o, int m) const {
        const auto [first, second] = pair(o, m);
        return {first.there ? existing(first.slot) : no_element, second.there ? existing(second.slot) : no_element,
                sine && first.there && first.mirrored ? 1U : 0U, sine && second.there && second.mirrored ? 1U : 0U};
    }
    [[nodiscard]] POISSON3D_HD KnownWeights factors(int /*entry*/, int m, int o) const {
        const auto [first, second] = pair(o, m);
        return {first.there, second.there, first.there && first.at_end, second.there && second.at_end};
    }
};

template <int r, Words known, class T, class Line, class Items, class Body>
POISSON3D_HD void with_entries(const PairMap<T, KnownModes<Line>>& map, const Items&, int o, const Body& body) {
    body([&](int m) { return map.entry(o, m); });
}

template <int r, class Form, PairStep step, class T, class Line, class Entry, class V>
POISSON3D_HD void mapped_pair_step(const ButterflyPairs<T, KnownModes<Line>>&,
                                   const PairMap<T, KnownModes<Line>>& map, const Entry& entry, int m, int o,
                                   Complex<V>& first, Complex<V>& second) {
    first = with_sign(first, entry.first_sign());
    second = with_sign(second, entry.second_sign());
    if constexpr (step == PairStep::factors) map.factors(0, m, o).apply(first, second);
}

template <bool pairs, class V>
POISSON3D_HD void modes_there(const KnownWeights&, Complex<V>&, Complex<V>&) {}
template <bool pairs, class V>
POISSON3D_HD void modes_back(const KnownWeights& weights, Complex<V>& first, Complex<V>& second) {
    weights.apply(first, second);
}

/// Whether a plan says the same as the constants; of pairs the first three.
template <class T, class Line>
bool same_classes(const Symmetric<T, Compact>& side, const Symmetric<T, KnownClasses<Line>>& known) {
    return side.radix == known.radix && side.items.count == known.items.count && side.stride == known.stride &&
           side.middle == known.middle;
}
template <class T, class Line>
bool same_modes(const ButterflyPairs<T, Compact>& butterflies, const ButterflyPairs<T, KnownModes<Line>>& known) {
    return butterflies.radix == known.radix && butterflies.items.count == known.items.count &&
           butterflies.stride == known.stride;
}
template <class T, class Line>
bool same_modes(const PairMap<T, Compact>& map, const PairMap<T, KnownModes<Line>>& known) {
    for (int m = 0; m < Line::radices.modes; ++m)
        for (int o = 0; o < 3 && o < Line::pairs; ++o) {
            const PairMapEntry entry{o == 0 ? map.zeroth[m]
                                            : map.origin[m] + static_cast<std::uint32_t>(o) * map.step[m]};
            const KnownModeEntry same = known.entry(o, m);
            if (entry.first() != same.first() || entry.second() != same.second()) return false;
        }
    return true;
}

}  // namespace poisson3d::lines
