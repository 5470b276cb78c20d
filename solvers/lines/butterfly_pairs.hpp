// The outer steps of an FFT, the first and the last one: they work in registers, together with what combines or
// splits pairs of a line's elements before or after the FFT.
//
// Every kind of line but type I combines (or splits) pairs of rows, mostly q and N − q, after (or before) its FFT.
// The outer butterfly of radix r that ends at rows c, c + N/r, c + 2N/r, … has all partners of its rows in the
// butterfly of N/r − c. One thread holds both, a and b, a butterfly pair; so a line goes through shared memory
// between steps only:
//
//     load:    field → r pairs → butterflies (→ twiddles) → shared memory
//     store:   shared memory (→ twiddles) → butterflies → r pairs → field
//
// Pair m of a butterfly pair is element m of one butterfly and r − 1 − m of the other, for some kinds m and m.
// Butterfly pair 0 may pair otherwise and is put in order first (arrange). Where nothing is combined, elements are
// listed as pairs all the same. Host and device share this file.
#pragma once

#include "pair_map.hpp"

namespace poisson3d::lines {

/// The kinds of lines, by what is combined or split on either side of their FFTs (line_plan.hpp).
enum class Kind : std::uint8_t {
    type1,  ///< a symmetric step on the samples' side (symmetric.hpp), nothing on the modes'
    type2,  ///< also DFT, type IV of odd length: pairs of modes
    type3,  ///< pairs of samples
    type4,  ///< of even length: pairs of both
};
enum class Side : std::uint8_t { samples, modes };

/// How the elements of butterfly pair 0 pair.
enum class Arrangement : std::uint8_t {
    none,    ///< like all others
    shift,   ///< a[m] with b[(r − m) mod r]
    mirror,  ///< a is its own partner, a[m] with a[(r − m) mod r], and so is b: b[m] with b[r − 1 − m]
};

/// One side of lines of a kind.
template <Kind kind_, Side side_>
struct Form {
    static constexpr Kind kind = kind_;
    static constexpr Side side = side_;
    static constexpr bool pairs = kind == Kind::type4 || (kind == Kind::type2 && side == Side::modes) ||
                                  (kind == Kind::type3 && side == Side::samples);
    static constexpr Arrangement zeroth = !pairs                ? Arrangement::none
                                          : kind != Kind::type4 ? Arrangement::mirror
                                          : side == Side::modes ? Arrangement::shift
                                                                : Arrangement::none;
    static constexpr bool straight = kind == Kind::type4 && side == Side::samples;  ///< pairs are a[m] and b[m]
};

/// Offsets of the elements 0 of a and b of a butterfly pair; equal: a alone.
struct ButterflyOffsets {
    int a, b;
};

/// One side of the FFTs of a line, in device memory.
template <class T, class Format = Compact>
struct ButterflyPairs {
    using Word = typename Format::Word;
    static constexpr int known_radix = 0;  ///< the radix, if it is known when code is compiled
    int radix = 1;
    typename Format::Items items;   ///< butterfly pairs of a line
    int stride = 1;                 ///< from element to element of a butterfly, with padding
    const Word* offsets = nullptr;  ///< of the elements 0 of a and b
    const Complex<T>* twiddles =
        nullptr;  ///< number i of a at 2 i · count + o, of b at (2 i + 1) · count + o; null: none

    [[nodiscard]] POISSON3D_HD ButterflyOffsets offsets_of(int o) const {
        const Word word = load_table(offsets + o);
        return {lower_half(word), upper_half(word)};
    }
    [[nodiscard]] POISSON3D_HD bool has_twiddles() const { return twiddles != nullptr; }
};

/// The elements of pair m. Where a[m] and b[r − 1 − m] are a pair, the first is the one in the first half of the
/// rows.
template <int r, bool straight, class E>
POISSON3D_HD E& pair_first(E (&a)[r], E (&b)[r], int m) {
    return m < (r + 1) / 2 ? a[m] : b[straight ? m : r - 1 - m];
}
template <int r, bool straight, class E>
POISSON3D_HD E& pair_second(E (&a)[r], E (&b)[r], int m) {
    return m < (r + 1) / 2 ? b[straight ? m : r - 1 - m] : a[m];
}

/// The pair of a mirrored butterfly pair that holds no partners but two elements that are their own partners.
template <int r>
inline constexpr int self_paired_index = r / 2;

/// Which element stands where: 0 … r − 1 are a's, r … 2r − 1 are b's.
template <int r>
struct Order {
    int a[r], b[r];
};

/// The order in which butterfly pair 0 is like all others.
template <int r, Arrangement how>
constexpr POISSON3D_HD Order<r> arranged() {
    constexpr int half = r / 2;
    Order<r> order{};
    for (int m = 0; m < r; ++m) order.a[m] = m, order.b[m] = r + m;
    if (how == Arrangement::shift)
        for (int m = 0; m < r; ++m) order.b[m] = r + (m + 1) % r;
    if (how == Arrangement::mirror) {
        // Pairs of b below half, those of a above; pair `half`: a[0] and the other element that is its own partner.
        for (int m = 0; m < half; ++m) order.a[m] = r + m, order.b[m] = m + 1;
        if (r % 2 == 0)
            order.b[half > 0 ? half - 1 : 0] = 0;
        else
            order.a[half] = 0;
    }
    return order;
}

template <int r, class Form>
POISSON3D_HD bool is_self_paired(int m, int o) {
    return Form::zeroth == Arrangement::mirror && m == self_paired_index<r> && o == 0;
}

/// Pair m of butterfly pair o, arranged.
template <int r, class Form, PairStep step, class T, class Format, class Entry, class V>
POISSON3D_HD void mapped_pair_step(const ButterflyPairs<T, Format>& butterflies, const PairMap<T, Format>& map,
                                   const Entry& word, int m, int o, Complex<V>& first, Complex<V>& second) {
    Complex<T> alpha{1, 1};
    if constexpr (step != PairStep::signs) alpha = load_table(map.alpha + m * butterflies.items.count + o);
    if (is_self_paired<r, Form>(m, o))
        scale_parts(map.self_paired, first, second);
    else
        pair_step<step>(word, alpha, first, second);
}

/// The elements of butterfly pair o, from memory or to it.
template <int r, class T, class Format, class V>
POISSON3D_HD void read_butterflies(const ButterflyPairs<T, Format>& butterflies, int o, const Complex<V>* line,
                                   Complex<V> (&a)[r], Complex<V> (&b)[r]) {
    const ButterflyOffsets offsets = butterflies.offsets_of(o);
    const Complex<V>* const at_a = line + offsets.a;
    const Complex<V>* const at_b = line + offsets.b;
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) a[m] = load(at_a + m * butterflies.stride);
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) b[m] = load(at_b + m * butterflies.stride);
}
template <int r, class T, class Format, class V>
POISSON3D_HD void write_butterflies(const ButterflyPairs<T, Format>& butterflies, int o, Complex<V>* line,
                                    const Complex<V> (&a)[r], const Complex<V> (&b)[r]) {
    const ButterflyOffsets offsets = butterflies.offsets_of(o);
    Complex<V>* const at_a = line + offsets.a;
    Complex<V>* const at_b = line + offsets.b;
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) store(at_a + m * butterflies.stride, a[m]);
    if (at_a == at_b) return;  // a alone
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) store(at_b + m * butterflies.stride, b[m]);
}

template <int r, class T, class Format, class V>
POISSON3D_HD void apply_twiddles(const ButterflyPairs<T, Format>& butterflies, int o, Complex<V> (&a)[r],
                                 Complex<V> (&b)[r]) {
    if (r == 1 || !butterflies.has_twiddles()) return;
    const int count = butterflies.items.count;
    Twiddles<r, Format::few_twiddles, T> of_a;
    of_a.read([&](int i) { return load_table(butterflies.twiddles + 2 * i * count + o); });
    of_a.apply(a);
    Twiddles<r, Format::few_twiddles, T> of_b;
    of_b.read([&](int i) { return load_table(butterflies.twiddles + (2 * i + 1) * count + o); });
    of_b.apply(b);
}

/// Butterfly pair 0 to that order, or back from it. It goes through its own elements in shared memory: in registers
/// all others would pay for it.
template <int r, Arrangement how, bool back, class T, class Format, class V>
POISSON3D_HD void arrange(const ButterflyPairs<T, Format>& butterflies, int o, Complex<V>* line, Complex<V> (&a)[r],
                          Complex<V> (&b)[r]) {
    if (how == Arrangement::none || o != 0) return;
    constexpr Order<r> order = arranged<r, how>();
    const ButterflyOffsets offsets = butterflies.offsets_of(o);
    const auto at = [&](int e) {
        return line + (e < r ? offsets.a + e * butterflies.stride : offsets.b + (e - r) * butterflies.stride);
    };
    if constexpr (!back) write_butterflies(butterflies, o, line, a, b);
    POISSON3D_UNROLL
    for (int m = 0; back && m < r; ++m) {
        if (order.a[m] < r || offsets.a != offsets.b) store(at(order.a[m]), a[m]);
        if (order.b[m] < r || offsets.a != offsets.b) store(at(order.b[m]), b[m]);
    }
#ifdef __CUDA_ARCH__
    asm volatile("" ::: "memory");
#endif
    if constexpr (back) read_butterflies(butterflies, o, line, a, b);
    POISSON3D_UNROLL
    for (int m = 0; !back && m < r; ++m) {
        a[m] = load(at(order.a[m]));
        b[m] = load(at(order.b[m]));
    }
}

/// The first step of a transform, and its last one. On the samples' side twiddles follow the butterflies when
/// decimating in frequency, and go before them when decimating in time.
template <int r, class Form, class T, class Format, class V>
POISSON3D_HD void first_step(const ButterflyPairs<T, Format>& butterflies, int o, Complex<V>* line,
                             Complex<V> (&a)[r], Complex<V> (&b)[r]) {
    arrange<r, Form::zeroth, true>(butterflies, o, line, a, b);
    dft(a);
    dft(b);
    if constexpr (Form::side == Side::samples) apply_twiddles(butterflies, o, a, b);
    write_butterflies(butterflies, o, line, a, b);
}
template <int r, class Form, class T, class Format, class V>
POISSON3D_HD void last_step(const ButterflyPairs<T, Format>& butterflies, int o, Complex<V>* line,
                            Complex<V> (&a)[r], Complex<V> (&b)[r]) {
    read_butterflies(butterflies, o, line, a, b);
    if constexpr (Form::side == Side::samples) apply_twiddles(butterflies, o, a, b);
    dft(a);
    dft(b);
    arrange<r, Form::zeroth, false>(butterflies, o, line, a, b);
}

}  // namespace poisson3d::lines
