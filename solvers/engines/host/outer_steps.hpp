// The outer steps of an element's FFTs (lines/butterfly_pairs.hpp) as processors like them: one butterfly of a pair
// after the other. A butterfly of radix 8 is 16 packs of lanes, which is all the registers that AVX2 has, so both
// at once would be written to memory and read again; only where elements of the two are combined do both have to be
// there. Included by line_walk.hpp.
#pragma once

#include "butterfly_pairs.hpp"
#include "line_elements.hpp"

namespace poisson3d::POISSON3D_ISA {

/// The first or the second butterfly of pair o.
template <bool second, int r, class T>
struct Butterfly {
    const lines::ButterflyPairs<T, Plain>& pairs;
    int o, offset;

    POISSON3D_INLINE void read(const Element<T>* work, Element<T> (&z)[r]) const {
        const Element<T>* at = work + offset;
        const Index stride = pairs.stride;
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k, at += stride) z[k] = *at;
    }
    POISSON3D_INLINE void write(Element<T>* work, const Element<T> (&z)[r]) const {
        Element<T>* at = work + offset;
        const Index stride = pairs.stride;
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k, at += stride) *at = z[k];
    }
    POISSON3D_INLINE void twiddle(Element<T> (&z)[r]) const {
        if (r == 1 || !pairs.has_twiddles()) return;
        const int next = 2 * pairs.items.count;
        const Complex<T>* const of_this = pairs.twiddles + (second ? pairs.items.count : 0) + o;
        lines::Twiddles<r, Plain::few_twiddles, T> twiddles;
        twiddles.read([&](int i) { return of_this[i * next]; });
        twiddles.apply(z);
    }
    /// What stands beside the butterflies in the first step and in the last.
    template <Side side>
    POISSON3D_INLINE void into_work(Element<T> (&z)[r], Element<T>* work) const {
        lines::dft(z);
        if constexpr (side == Side::samples) twiddle(z);
        write(work, z);
    }
    template <Side side>
    POISSON3D_INLINE void out_of_work(const Element<T>* work, Element<T> (&z)[r]) const {
        read(work, z);
        if constexpr (side == Side::samples) twiddle(z);
        lines::dft(z);
    }

    /// The pair that element k belongs to, and whether it is the first of it, where nothing is combined.
    [[nodiscard]] static constexpr int pair(int k) { return second ? r - 1 - k : k; }
    [[nodiscard]] static constexpr bool is_first(int k) { return (pair(k) < (r + 1) / 2) != second; }
    [[nodiscard]] POISSON3D_INLINE int entry(int k) const { return pair(k) * pairs.items.count + o; }
    /// Where its row is among the numbers of a butterfly pair.
    [[nodiscard]] static constexpr int number(int k) { return second ? r + k : k; }
};

/// lines::first_step() and lines::last_step(), in that order.
template <int r, class Form, class T>
POISSON3D_INLINE void butterflies_into_work(const lines::ButterflyPairs<T, Plain>& pairs, int o, Element<T>* work,
                                            Element<T> (&a)[r], Element<T> (&b)[r]) {
    lines::arrange<r, Form::zeroth, true>(pairs, o, work, a, b);
    const lines::ButterflyOffsets at = pairs.offsets_of(o);
    Butterfly<false, r, T>{pairs, o, at.a}.template into_work<Form::side>(a, work);
    if (at.b != at.a) Butterfly<true, r, T>{pairs, o, at.b}.template into_work<Form::side>(b, work);
}
template <int r, class Form, class T>
POISSON3D_INLINE void butterflies_out_of_work(const lines::ButterflyPairs<T, Plain>& pairs, int o, Element<T>* work,
                                              Element<T> (&a)[r], Element<T> (&b)[r]) {
    const lines::ButterflyOffsets at = pairs.offsets_of(o);
    Butterfly<false, r, T>{pairs, o, at.a}.template out_of_work<Form::side>(work, a);
    Butterfly<true, r, T>{pairs, o, at.b}.template out_of_work<Form::side>(work, b);
    lines::arrange<r, Form::zeroth, false>(pairs, o, work, a, b);
}

/// The index and the sign of an element of a pair.
struct EntryPart {
    int index;
    std::uint32_t sign;
};
POISSON3D_INLINE EntryPart part_of(PairMapEntry entry, bool first) {
    return first ? EntryPart{entry.first(), entry.first_sign()} : EntryPart{entry.second(), entry.second_sign()};
}

template <Signs signs, int r, class T>
POISSON3D_INLINE Element<T> with_known_sign(Element<T> z, int k) {
    return signs == Signs::half && 2 * k >= r ? Element<T>{-z.re, -z.im} : z;
}
/// What is known of the signs of a pair, as an entry.
template <Signs signs>
inline constexpr PairMapEntry known_entry{signs == Signs::half ? Plain::Word{1} << 63 : 0};

/// A butterfly of lines whose pairs are not combined.
template <class Form, Signs signs, bool second, int r, class T, class Rows>
POISSON3D_INLINE void load_butterfly(const Butterfly<second, r, T>& butterfly, const lines::PairMap<T, Plain>& map,
                                     const std::int32_t* numbers, const Rows& rows, Element<T>* work) {
    Element<T> z[r];
    POISSON3D_UNROLL
    for (int k = 0; k < r; ++k) {
        if constexpr (signs != Signs::listed) {
            z[k] = with_known_sign<signs, r>(rows.read(numbers[butterfly.number(k)]), k);
            continue;
        }
        const int entry = butterfly.entry(k);
        const EntryPart part = part_of(PairMapEntry{map.words[entry]}, butterfly.is_first(k));
        if constexpr (Form::side == Side::samples)
            z[k] = lines::with_sign(read(rows, part.index), part.sign);
        else
            z[k] = (butterfly.is_first(k) ? map.alpha[entry].re : map.alpha[entry].im) * read(rows, part.index);
    }
    butterfly.template into_work<Form::side>(z, work);
}
template <class Form, Signs signs, bool second, int r, class T>
POISSON3D_INLINE void store_butterfly(const Butterfly<second, r, T>& butterfly, const lines::PairMap<T, Plain>& map,
                                      const std::int32_t* numbers, const Element<T>* work, RowsOut<T> rows) {
    Element<T> z[r];
    butterfly.template out_of_work<Form::side>(work, z);
    POISSON3D_UNROLL
    for (int k = 0; k < r; ++k) {
        if constexpr (signs != Signs::listed) {
            rows.write(numbers[butterfly.number(k)], with_known_sign<signs, r>(z[k], k));
            continue;
        }
        const EntryPart part = part_of(PairMapEntry{map.words[butterfly.entry(k)]}, butterfly.is_first(k));
        write(rows, part.index, lines::with_sign(z[k], part.sign));
    }
}

/// Where the two of pair m are among the numbers of a butterfly pair.
template <int r, class Form>
constexpr int number_of_first(int m) {
    return m < (r + 1) / 2 ? m : Form::straight ? r + m : 2 * r - 1 - m;
}
template <int r, class Form>
constexpr int number_of_second(int m) {
    return m >= (r + 1) / 2 ? m : Form::straight ? r + m : 2 * r - 1 - m;
}

template <class Form, int r, Signs signs = Signs::listed, class T, class Rows>
void load_pairs(const lines::ButterflyPairs<T, Plain>& butterflies, const lines::PairMap<T, Plain>& pair_map,
                const std::int32_t* numbers, Rows rows, Element<T>* work) {
    const lines::ButterflyPairs<T, Plain> pairs = butterflies;  // by reference, read again after every store
    const lines::PairMap<T, Plain> map = pair_map;
    for (int o = 0; o < pairs.items.count; ++o, numbers += signs == Signs::listed ? 0 : 2 * r) {
        if constexpr (Form::pairs) {
            Element<T> a[r], b[r];
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
                Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
                PairMapEntry entry = known_entry<signs>;
                if constexpr (signs != Signs::listed) {
                    first = rows.read(numbers[number_of_first<r, Form>(m)]);
                    second = rows.read(numbers[number_of_second<r, Form>(m)]);
                } else {
                    entry = PairMapEntry{map.words[m * pairs.items.count + o]};
                    first = read(rows, entry.first());
                    second = read(rows, entry.second());
                }
                lines::mapped_pair_step<r, Form, PairStep::split>(pairs, map, entry, m, o, first, second);
            }
            butterflies_into_work<r, Form>(pairs, o, work, a, b);
        } else {
            const lines::ButterflyOffsets at = pairs.offsets_of(o);
            load_butterfly<Form, signs>(Butterfly<false, r, T>{pairs, o, at.a}, map, numbers, rows, work);
            if (at.b != at.a)
                load_butterfly<Form, signs>(Butterfly<true, r, T>{pairs, o, at.b}, map, numbers, rows, work);
        }
    }
}

template <class Form, int r, Signs signs = Signs::listed, class T>
void store_pairs(const lines::ButterflyPairs<T, Plain>& butterflies, const lines::PairMap<T, Plain>& pair_map,
                 const std::int32_t* numbers, Element<T>* work, RowsOut<T> rows) {
    const lines::ButterflyPairs<T, Plain> pairs = butterflies;
    const lines::PairMap<T, Plain> map = pair_map;
    for (int o = 0; o < pairs.items.count; ++o, numbers += signs == Signs::listed ? 0 : 2 * r) {
        if constexpr (Form::pairs) {
            Element<T> a[r], b[r];
            butterflies_out_of_work<r, Form>(pairs, o, work, a, b);
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
                Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
                PairMapEntry entry = known_entry<signs>;
                if constexpr (signs == Signs::listed) entry = PairMapEntry{map.words[m * pairs.items.count + o]};
                lines::mapped_pair_step<r, Form, PairStep::combine>(pairs, map, entry, m, o, first, second);
                if constexpr (signs != Signs::listed) {
                    rows.write(numbers[number_of_first<r, Form>(m)], first);
                    rows.write(numbers[number_of_second<r, Form>(m)], second);
                } else {
                    write(rows, entry.first(), first);
                    write(rows, entry.second(), second);
                }
            }
        } else {
            const lines::ButterflyOffsets at = pairs.offsets_of(o);
            store_butterfly<Form, signs>(Butterfly<false, r, T>{pairs, o, at.a}, map, numbers, work, rows);
            if (at.b != at.a)
                store_butterfly<Form, signs>(Butterfly<true, r, T>{pairs, o, at.b}, map, numbers, work, rows);
        }
    }
}

}  // namespace poisson3d::POISSON3D_ISA
