// The sides of lines whose numbers are known when code is compiled (known_line.hpp): where the butterflies next to
// samples and to modes stand in shared memory, and which samples and modes their elements are. Views like those of
// butterfly_pairs.hpp and pair_map.hpp. Host and device share this file.
#pragma once

#include "known_line.hpp"

namespace poisson3d::lines {

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

}  // namespace poisson3d::lines
