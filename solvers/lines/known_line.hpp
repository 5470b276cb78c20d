// Lines whose numbers are known when code is compiled: what plans and tables say of a line of 64 · k rows with
// outer steps of radix 8 and at most one step between, as constants, so that kernels compute neither counts nor
// strides, offsets nor indices. A view of a plan like the one that all lines have (butterfly_pairs.hpp,
// pair_map.hpp, line_fft.hpp): the same steps take either. Twiddles, α and signs of samples stay tables and numbers
// of the plan.
//
// same_…() compare such a view with a plan, number by number; where they disagree the plan is right.
//
// Host and device share this file.
#pragma once

#include "butterfly_pairs.hpp"

namespace poisson3d::lines {

/// The ends of a line of cells: periodic, of the same kind, or a Neumann wall and a Dirichlet wall, or the reverse.
enum class Ends : std::uint8_t { periodic, alike, neumann_dirichlet, dirichlet_neumann };

/// FFTs of a line.
constexpr int known_ffts(Ends ends) {
    return ends == Ends::periodic || ends == Ends::alike ? 1 : 2;
}
/// Whether these lines have outer steps of radix 8 and at most one step between.
constexpr bool is_known(Ends ends, int rows) {
    return rows % (64 * known_ffts(ends)) == 0 && rows <= 1024;
}

/// `threads`: of a block on a device, 0 where nobody asks.
template <Ends ends_, int rows_, int threads_ = 0>
struct KnownLine {
    static constexpr Ends ends = ends_;
    static constexpr int rows = rows_, threads = threads_;
    static constexpr int ffts = known_ffts(ends);
    static constexpr Kind kind = ffts == 1 ? Kind::type2 : Kind::type4;
    static constexpr int length = rows / ffts;
    static constexpr int radix = 8;                 ///< of outer steps
    static constexpr int inner = length / 64;       ///< radix of the step between; 1: none
    static constexpr int butterflies = length / 8;  ///< of an outer step of one FFT
    static constexpr int pairs = rows / 16;         ///< butterfly pairs of a line
    // Odd strides of the digits of positions; the mode's digit stands side by side.
    static constexpr int inner_stride = 8 | 1;
    static constexpr int samples_stride = inner * inner_stride | 1;
    static constexpr int padded_length = 8 * samples_stride;
    template <class T>
    static constexpr int pitch = (ffts * padded_length - 2 + 128 / int{2 * sizeof(T)} - 1) /
                                     (128 / int{2 * sizeof(T)}) * (128 / int{2 * sizeof(T)}) +
                                 2;
    static_assert(is_known(ends, rows));

    using Items = KnownItems<pairs, threads>;

    /// Of the element at position c of the first FFT, c below `butterflies`, and of its mode c.
    static constexpr POISSON3D_HD int sample_offset(int c) { return c + c / 8; }
    static constexpr POISSON3D_HD int mode_offset(int c) { return c % 8 * samples_stride + c / 8 * inner_stride; }
    /// The sample that stands at position p of an FFT.
    static constexpr POISSON3D_HD int sample(int fft, int p) {
        switch (ends) {
            case Ends::periodic: return p;
            case Ends::alike: return p < rows / 2 ? 2 * p : 2 * (rows - 1 - p) + 1;
            case Ends::neumann_dirichlet: return fft == 0 ? 2 * p : rows - 1 - 2 * p;
            default: return fft == 0 ? rows - 1 - 2 * p : 2 * p;
        }
    }
};

/// One side of them, the Format of its tables.
template <class Line, Side side>
struct KnownSide {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

/// Two elements that pair, as a PairMapEntryOf has them.
struct KnownEntry {
    int one, other;
    std::uint32_t sign;
    [[nodiscard]] POISSON3D_HD int first() const { return one; }
    [[nodiscard]] POISSON3D_HD int second() const { return other; }
    [[nodiscard]] POISSON3D_HD std::uint32_t first_sign() const { return 0; }
    [[nodiscard]] POISSON3D_HD std::uint32_t second_sign() const { return sign; }
};

template <class T, class Line>
struct ButterflyPairs<T, KnownSide<Line, Side::samples>> {
    static constexpr int radix = Line::radix, stride = Line::samples_stride;
    typename Line::Items items;
    const Complex<T>* twiddles = nullptr;

    [[nodiscard]] static POISSON3D_HD ButterflyOffsets offsets_of(int o) {
        if (Line::ffts == 2) return {Line::sample_offset(o), Line::padded_length + Line::sample_offset(o)};
        return {Line::sample_offset(o), Line::sample_offset(Line::butterflies - 1 - o)};
    }
    [[nodiscard]] static POISSON3D_HD bool has_twiddles() { return true; }
};

template <class T, class Line>
struct ButterflyPairs<T, KnownSide<Line, Side::modes>> {
    static constexpr int radix = Line::radix, stride = 1;
    typename Line::Items items;
    static constexpr const Complex<T>* twiddles = nullptr;

    [[nodiscard]] static POISSON3D_HD ButterflyOffsets offsets_of(int o) {
        constexpr int q = Line::butterflies;
        if (Line::ffts == 2) return {Line::mode_offset(o), Line::padded_length + Line::mode_offset((q - o) % q)};
        return {Line::mode_offset(o), Line::mode_offset(o == 0 ? q / 2 : q - o)};
    }
    [[nodiscard]] static POISSON3D_HD bool has_twiddles() { return false; }
};

template <class T, class Line>
struct PairMap<T, KnownSide<Line, Side::samples>> {
    static constexpr bool neighbours = Line::ends == Ends::alike;
    const Complex<T>* alpha = nullptr;
    Complex<T> self_paired{1, 1};
    std::uint32_t sign = 0;  ///< of the second of a pair, where both ends are alike

    [[nodiscard]] POISSON3D_HD KnownEntry entry(int o, int m) const {
        constexpr int q = Line::butterflies;
        constexpr bool straight = Line::ffts == 2;
        const int a = Line::sample(0, o + q * m);
        const int n = straight ? m : 7 - m;  // element of the other butterfly
        const int b = straight ? Line::sample(1, o + q * n) : Line::sample(0, q - 1 - o + q * n);
        const std::uint32_t negative = Line::ends == Ends::alike ? sign : 0;
        if (m < 4) return {a, b, negative};
        return {b, a, negative};
    }
};

template <class T, class Line>
struct PairMap<T, KnownSide<Line, Side::modes>> {
    static constexpr bool neighbours = false;
    const Complex<T>* alpha = nullptr;
    Complex<T> self_paired{1, 1};

    [[nodiscard]] POISSON3D_HD KnownEntry entry(int o, int m) const {
        constexpr int q = Line::butterflies;
        if (Line::ffts == 2) {
            const int a = o + q * m;
            const int b = q * (8 - m) - o;  // of the other FFT
            const int there = Line::length + (m == 0 && o == 0 ? 0 : b);
            constexpr std::uint32_t negative = Line::ends == Ends::dirichlet_neumann ? 1 : 0;
            if (m < 4) return {a, there, negative};
            return {there, a, negative};
        }
        const bool alone = o == 0 && m == self_paired_index<8>;
        const std::uint32_t negative = Line::ends == Ends::periodic && !alone ? 1 : 0;
        const int first = m < 4 ? o + q * m : q * (8 - m) - o;
        const int second = m < 4 ? q * (8 - m) - o : o + q * m;
        // Butterfly pair 0 is arranged: its elements are rows q e, and q/2 + q e.
        constexpr Order<8> order = arranged<8, Arrangement::mirror>();
        const auto row = [](int e) { return e < 8 ? q * e : q / 2 + q * (e - 8); };
        const int a = row(order.a[m]), b = row(order.b[7 - m]);
        const int zeroth_first = m < 4 ? a : b, zeroth_second = m < 4 ? b : a;
        return {o == 0 ? zeroth_first : first, o == 0 ? zeroth_second : second, negative};
    }
};

template <int r, Words known, class T, class Line, Side side, class Items, class Body>
POISSON3D_HD void with_entries(const PairMap<T, KnownSide<Line, side>>& map, const Items&, int o,
                               const Body& body) {
    body([&](int m) { return map.entry(o, m); });
}

/// The step between.
template <class Line>
struct KnownStep {
    KnownItems<Line::rows / Line::inner, Line::threads> butterflies;
    static constexpr int radix = Line::inner, stride = Line::inner_stride;
    static constexpr int first = 0, twiddles = 0, twiddle_stride = 8;
    template <class Word>
    [[nodiscard]] static POISSON3D_HD ButterflyPlace place(const Word*, int i) {
        return {i / 8 * Line::samples_stride + i % 8, i % 8};
    }
};

template <class T, class Line, Side side>
struct LineFft<T, KnownSide<Line, side>> {
    static constexpr int steps = Line::inner > 1 ? 1 : 0;
    const Complex<T>* twiddles = nullptr;
};

template <bool in_time, Inner which, class T, class Line, Side side, class V, class Barrier = NoWait>
POISSON3D_HD void inner_step(const LineFft<T, KnownSide<Line, side>>& fft, int, Complex<V>* lines, int pitch,
                             int count, const Barrier& = {}) {
    if constexpr (Line::inner > 1)
        radix_step<Line::inner, in_time>(KnownStep<Line>{}, StepTables<T, Compact>{nullptr, fft.twiddles}, lines,
                                         pitch, count, NothingBeside{}, NoWait{});
}

/// Whether a plan says the same as the constants: its maps are linear (pair_map.hpp), so that three butterfly pairs
/// speak for all.
template <class T, class Map>
bool same_entries(const PairMap<T, Compact>& map, const Map& known, int pairs) {
    for (int m = 0; m < 8; ++m)
        for (int o = 0; o < 3 && o < pairs; ++o) {
            const PairMapEntry entry{o == 0 ? map.zeroth[m]
                                            : map.origin[m] + static_cast<std::uint32_t>(o) * map.step[m]};
            const KnownEntry same = known.entry(o, m);
            if (entry.first() != same.first() || entry.second() != same.second() ||
                entry.first_sign() != same.first_sign() || entry.second_sign() != same.second_sign())
                return false;
        }
    return map.linear;
}
template <class T, class Line, Side side>
bool same_butterflies(const ButterflyPairs<T, Compact>& butterflies,
                      const ButterflyPairs<T, KnownSide<Line, side>>& known) {
    return butterflies.radix == known.radix && butterflies.items.count == known.items.count &&
           butterflies.stride == known.stride && butterflies.has_twiddles() == known.has_twiddles();
}
template <class Line, class T>
bool same_step(const LineFft<T, Compact>& fft) {
    constexpr KnownStep<Line> known;
    const RadixStep& step = fft.step[0];
    if (Line::inner == 1) return fft.steps == 0;
    return fft.steps == 1 && step.radix == known.radix && step.butterflies.count == known.butterflies.count &&
           step.stride == known.stride && step.twiddles == known.twiddles &&
           step.twiddle_stride == known.twiddle_stride;
}

}  // namespace poisson3d::lines
