// Lines whose numbers are known when code is compiled: what plans and tables say of a line with at most two steps
// between its outer ones, as constants, so that kernels compute neither counts nor strides, offsets nor indices. A
// view of a plan like the one that all lines have (butterfly_pairs.hpp, pair_map.hpp, line_fft.hpp): the same steps
// take either. Twiddles, α and some signs stay tables and numbers of the plan.
//
// known_plan.hpp compares such a view with a plan.
//
// Host and device share this file.
#pragma once

#include "butterfly_pairs.hpp"
#include "outer_radices.hpp"
#include "padded_strides.hpp"

namespace poisson3d::lines {

/// The ends of a line of cells: periodic, of the same kind, or a Neumann wall and a Dirichlet wall in either order.
enum class Ends : std::uint8_t { periodic, alike, mixed };

/// FFTs of a line.
constexpr int known_ffts(Ends ends, int rows) {
    return ends == Ends::mixed && rows % 2 == 0 ? 2 : 1;
}
/// Whether such lines can be known.
constexpr bool is_known(Ends ends, int rows) {
    return rows <= 4096 && few_radices(rows / known_ffts(ends, rows)).steps >= 0;
}

/// The padded strides of their FFTs.
template <class T>
constexpr PaddedStrides padded_strides(const FewRadices& few, int ffts) {
    const int radices[] = {few.samples, few.inner[0], few.inner[1], few.modes};
    return {radices, 4, ffts, element_banks<T>};
}

/// `threads`: of a block on a device, 0 where nobody asks.
template <Ends ends_, int rows_, class T, int threads_ = 0>
struct KnownLine {
    static_assert(is_known(ends_, rows_));
    static constexpr Ends ends = ends_;
    static constexpr int rows = rows_, threads = threads_;
    static constexpr int ffts = known_ffts(ends, rows);
    static constexpr Kind kind = ffts == 1 ? Kind::type2 : Kind::type4;
    static constexpr int length = rows / ffts;
    static constexpr FewRadices radices = few_radices(length);
    static constexpr int steps = radices.steps;  ///< between outer ones
    /// Butterflies of an outer step of one FFT, and butterfly pairs of a line.
    static constexpr int butterflies(Side side) {
        return length / (side == Side::samples ? radices.samples : radices.modes);
    }
    static constexpr int pairs(Side side) { return ffts == 2 ? butterflies(side) : (butterflies(side) + 1) / 2; }
    static constexpr int most_pairs = pairs(radices.samples < radices.modes ? Side::samples : Side::modes);
    // Positions have four digits, those of samples, of the steps between (of radix 1 if there are none), of modes;
    // those of modes stand side by side.
    static constexpr int first = radices.inner[0], second = radices.inner[1];
    static constexpr PaddedStrides strides = padded_strides<T>(radices, ffts);
    static constexpr int samples_stride = strides[0], first_stride = strides[1];
    static constexpr int second_stride = second == 1 ? 0 : strides[2];
    static constexpr int padded_length = strides.padded_length();
    static constexpr int pitch =
        (ffts * padded_length - 2 + element_banks<T> - 1) / element_banks<T> * element_banks<T> + 2;

    /// Of the first elements of the butterflies of outer steps: of position c, and of mode c, whose digits come in
    /// the opposite order.
    static constexpr POISSON3D_HD int sample_offset(int c) {
        constexpr int m = radices.modes;
        if constexpr (second == 1) return c + c / m * (first_stride - m);
        return in_second(c % (m * second)) + c / (m * second) * first_stride;
    }
    /// Of position p.
    static constexpr POISSON3D_HD int position_offset(int p) {
        constexpr int q = length / radices.samples;
        return sample_offset(p % q) + p / q * samples_stride;
    }
    static constexpr POISSON3D_HD int mode_offset(int c) {
        constexpr int s = radices.samples;
        if constexpr (second == 1) return c % s * samples_stride + c / s * first_stride;
        return c % s * samples_stride + c / s % first * first_stride + c / (s * first) * second_stride;
    }
    /// Of position j below second · modes.
    static constexpr POISSON3D_HD int in_second(int j) {
        constexpr int m = radices.modes;
        if constexpr (second == 1) return j;
        return j + j / m * (second_stride - m);
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
    std::uint32_t sign, sign_of_one = 0;
    [[nodiscard]] POISSON3D_HD int first() const { return one; }
    [[nodiscard]] POISSON3D_HD int second() const { return other; }
    [[nodiscard]] POISSON3D_HD std::uint32_t first_sign() const { return sign_of_one; }
    [[nodiscard]] POISSON3D_HD std::uint32_t second_sign() const { return sign; }
};

template <class T, class Line>
struct ButterflyPairs<T, KnownSide<Line, Side::samples>> {
    static constexpr int radix = Line::radices.samples, known_radix = radix, stride = Line::samples_stride;
    KnownItems<Line::pairs(Side::samples), Line::threads> items;
    const Complex<T>* twiddles = nullptr;

    [[nodiscard]] static POISSON3D_HD ButterflyOffsets offsets_of(int o) {
        if (Line::ffts == 2) return {Line::sample_offset(o), Line::padded_length + Line::sample_offset(o)};
        return {Line::sample_offset(o), Line::sample_offset(Line::butterflies(Side::samples) - 1 - o)};
    }
    [[nodiscard]] static POISSON3D_HD bool has_twiddles() { return true; }
};

template <class T, class Line>
struct ButterflyPairs<T, KnownSide<Line, Side::modes>> {
    static constexpr int radix = Line::radices.modes, known_radix = radix, stride = 1;
    KnownItems<Line::pairs(Side::modes), Line::threads> items;
    static constexpr const Complex<T>* twiddles = nullptr;

    [[nodiscard]] static POISSON3D_HD ButterflyOffsets offsets_of(int o) {
        constexpr int q = Line::butterflies(Side::modes);
        if (Line::ffts == 2) return {Line::mode_offset(o), Line::padded_length + Line::mode_offset((q - o) % q)};
        constexpr int beside_zeroth = q % 2 == 0 ? q / 2 : 0;  // 0: none, and butterfly 0 is alone
        return {Line::mode_offset(o), Line::mode_offset(o == 0 ? beside_zeroth : q - o)};
    }
    [[nodiscard]] static POISSON3D_HD bool has_twiddles() { return false; }
};

/// Where the number of butterflies is odd, the one in the middle is both of its pair, and done twice: then all
/// elements of all pairs are there, and neighbours are neighbours.
template <class T, class Line>
struct PairMap<T, KnownSide<Line, Side::samples>> {
    static constexpr bool neighbours = Line::ends == Ends::alike && Line::rows % 2 == 0, complete = true;
    const Complex<T>* alpha = nullptr;
    Complex<T> self_paired{1, 1};
    /// Of the second of a pair, where both ends are alike; of mixed ends, whether the first wall is Dirichlet.
    std::uint32_t sign = 0;

    [[nodiscard]] POISSON3D_HD KnownEntry entry(int o, int m) const {
        constexpr int r = Line::radices.samples, q = Line::butterflies(Side::samples);
        const bool lower = m < (r + 1) / 2;  // a is the first
        const int position = o + q * m;
        if (Line::ffts == 2) {
            const int even = 2 * position, odd = Line::rows - 1 - even;
            const bool evens_first = lower == (sign == 0);
            return {evens_first ? even : odd, evens_first ? odd : even, 0};
        }
        const int p = lower ? position : Line::rows - 1 - position;
        if (Line::ends == Ends::periodic) return {p, Line::rows - 1 - p, 0};
        if (Line::ends == Ends::mixed) {
            const Sample one = every_fourth(p), other = every_fourth(Line::rows - 1 - p);
            return {one.index, other.index, other.sign, one.sign};
        }
        const bool middle = Line::rows % 2 != 0 && m == r / 2 && 2 * p == Line::rows - 1;  // its own partner
        return {2 * p, middle ? 2 * p : 2 * p + 1, middle ? 0 : sign};
    }

    /// Where sample i of an odd line between mixed ends stands in shared memory. Of the four samples of the
    /// extension that are it, but for a sign, one is (n − 1)/2 + 4p.
    [[nodiscard]] POISSON3D_HD int place(int i) const {
        constexpr int n = Line::rows, first = (n - 1) / 2;
        const int j = sign == 0 ? i : n - 1 - i;
        int at = (j - first) % 2 == 0 ? j : 2 * n - 1 - j;
        if ((at - first) % 4 != 0) at += 2 * n;
        if (at < first) at += 4 * n;
        return Line::position_offset((at - first) / 4);
    }

    /// The same of samples 2i and 2i + 1 of an even one, in its two FFTs.
    [[nodiscard]] POISSON3D_HD ButterflyOffsets places(int i) const {
        const int of_even = sign == 0 ? 0 : Line::padded_length;
        return {of_even + Line::position_offset(i),
                Line::padded_length - of_even + Line::position_offset(Line::length - 1 - i)};
    }

private:
    struct Sample {
        int index;
        std::uint32_t sign;
    };
    /// Position p of an odd line between mixed ends: sample (n − 1)/2 + 4p of its extension, whose quarters are the
    /// line, minus the line mirrored, minus the line, and the line mirrored (line_plan.hpp).
    [[nodiscard]] POISSON3D_HD Sample every_fourth(int p) const {
        constexpr int n = Line::rows;
        int at = (n - 1) / 2 + 4 * p;
        if (at >= 4 * n) at -= 4 * n;
        const bool late = at >= 2 * n;
        if (late) at -= 2 * n;
        const bool mirrored = at >= n;
        if (mirrored) at = 2 * n - 1 - at;
        return {sign == 0 ? at : n - 1 - at, mirrored != late ? 1U : 0U};
    }
};

template <class T, class Line>
struct PairMap<T, KnownSide<Line, Side::modes>> {
    static constexpr bool neighbours = false;
    static constexpr bool complete = Line::ffts == 2 || Line::butterflies(Side::modes) % 2 == 0;
    const Complex<T>* alpha = nullptr;
    Complex<T> self_paired{1, 1};
    std::uint32_t sign = 0;  ///< of the second of a pair, where ends are mixed

    [[nodiscard]] POISSON3D_HD Complex<T> factors(int entry, int /*m*/, int /*o*/) const {
        return load_table(alpha + entry);
    }
    [[nodiscard]] POISSON3D_HD KnownEntry entry(int o, int m) const {
        constexpr int r = Line::radices.modes, q = Line::butterflies(Side::modes);
        const bool lower = m < (r + 1) / 2;
        if (Line::ffts == 2) {
            const int a = o + q * m;
            const int b = q * (r - m) - o;  // of the other FFT
            const int there = Line::length + (m == 0 && o == 0 ? 0 : b);
            return {lower ? a : there, lower ? there : a, sign_of_second()};
        }
        // Butterfly pair 0 is arranged: its elements are rows q e, and q/2 + q e, if q is even.
        constexpr Order<r> order = arranged<r, Arrangement::mirror>();
        const auto row = [](int e) {
            if (e < r) return q * e;
            return complete ? q / 2 + q * (e - r) : no_element;
        };
        if (o == 0) {
            const int a = row(order.a[m]), b = row(order.b[r - 1 - m]);
            const bool none = a == no_element && b == no_element, alone = m == self_paired_index<r>;
            return {lower ? a : b, lower ? b : a, none ? 1U : alone ? 0U : sign_of_second()};
        }
        const int a = o + q * m, b = q * (r - m) - o;
        return {lower ? a : b, lower ? b : a, sign_of_second()};
    }

private:
    [[nodiscard]] POISSON3D_HD std::uint32_t sign_of_second() const {
        return Line::ends == Ends::periodic ? 1 : Line::ends == Ends::alike ? 0 : sign;
    }
};

template <int r, Words known, class T, class Line, Side side, class Items, class Body>
POISSON3D_HD void with_entries(const PairMap<T, KnownSide<Line, side>>& map, const Items&, int o,
                               const Body& body) {
    body([&](int m) { return map.entry(o, m); });
}

/// A step between, number s.
template <class Line, int s>
struct KnownStep {
    static constexpr int radix = Line::radices.inner[s];
    static constexpr int stride = s == 0 ? Line::first_stride : Line::second_stride;
    static constexpr int twiddle_stride = s == 0 ? Line::second * Line::radices.modes : Line::radices.modes;
    static constexpr int first = s * (Line::rows / Line::first);
    static constexpr int twiddles =
        s * twiddles_of(Line::first, Compact::few_twiddles) * (Line::second * Line::radices.modes);
    KnownItems<Line::rows / radix, Line::threads> butterflies;
    template <class Word>
    [[nodiscard]] static POISSON3D_HD ButterflyPlace place(const Word*, int i) {
        constexpr int q = twiddle_stride;
        const int j = i % q, above = i / q;
        if constexpr (s == 0) return {above * Line::samples_stride + Line::in_second(j), j};
        return {above / Line::first * Line::samples_stride + above % Line::first * Line::first_stride + j, j};
    }
};

template <class T, class Line, Side side>
struct LineFft<T, KnownSide<Line, side>> {
    static constexpr int steps = Line::steps;
    const Complex<T>* twiddles = nullptr;
};

template <bool in_time, Inner which, class T, class Line, Side side, class V, class Barrier = NoWait>
POISSON3D_HD void inner_step(const LineFft<T, KnownSide<Line, side>>& fft, int s, Complex<V>* lines, int pitch,
                             int count, const Barrier& = {}) {
    const auto step = [&]<int number>() {
        using Step = KnownStep<Line, number>;
        radix_step<Step::radix, in_time>(Step{}, StepTables<T, Compact>{nullptr, fft.twiddles}, lines, pitch, count,
                                         NothingBeside{}, NoWait{});
    };
    if constexpr (Line::steps == 1) {
        step.template operator()<0>();
    } else if constexpr (Line::steps == 2) {
        if ((s == 0) != in_time)
            step.template operator()<0>();
        else
            step.template operator()<1>();
    }
}

}  // namespace poisson3d::lines
