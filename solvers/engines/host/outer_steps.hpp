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
        const Element<T>* const at = work + offset;
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = at[k * pairs.stride];
    }
    POISSON3D_INLINE void write(Element<T>* work, const Element<T> (&z)[r]) const {
        Element<T>* const at = work + offset;
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) at[k * pairs.stride] = z[k];
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

template <SampleSigns known, int r, class T>
POISSON3D_INLINE Element<T> with_known_sign(Element<T> z, int k) {
    return known == SampleSigns::upper_negative && 2 * k >= r ? Element<T>{-z.re, -z.im} : z;
}

/// A butterfly of lines whose pairs are not combined.
template <class Form, SampleSigns known, bool second, int r, class T, class Rows>
POISSON3D_INLINE void load_butterfly(const Butterfly<second, r, T>& butterfly, const lines::PairMap<T, Plain>& map,
                                     const Rows& rows, Element<T>* work) {
    Element<T> z[r];
    POISSON3D_UNROLL
    for (int k = 0; k < r; ++k) {
        const int entry = butterfly.entry(k);
        const EntryPart part = part_of(PairMapEntry{map.words[entry]}, butterfly.is_first(k));
        if constexpr (known != SampleSigns::listed)
            z[k] = with_known_sign<known, r>(rows.read(part.index), k);
        else if constexpr (Form::side == Side::samples)
            z[k] = lines::with_sign(read(rows, part.index), part.sign);
        else
            z[k] = (butterfly.is_first(k) ? map.alpha[entry].re : map.alpha[entry].im) * read(rows, part.index);
    }
    butterfly.template into_work<Form::side>(z, work);
}
template <class Form, SampleSigns known, bool second, int r, class T>
POISSON3D_INLINE void store_butterfly(const Butterfly<second, r, T>& butterfly, const lines::PairMap<T, Plain>& map,
                                      const Element<T>* work, RowsOut<T> rows) {
    Element<T> z[r];
    butterfly.template out_of_work<Form::side>(work, z);
    POISSON3D_UNROLL
    for (int k = 0; k < r; ++k) {
        const EntryPart part = part_of(PairMapEntry{map.words[butterfly.entry(k)]}, butterfly.is_first(k));
        if constexpr (known != SampleSigns::listed)
            rows.write(part.index, with_known_sign<known, r>(z[k], k));
        else
            write(rows, part.index, lines::with_sign(z[k], part.sign));
    }
}

template <class Form, int r, SampleSigns known = SampleSigns::listed, class T, class Rows>
void load_pairs(const lines::ButterflyPairs<T, Plain>& pairs, const lines::PairMap<T, Plain>& map, Rows rows,
                Element<T>* work) {
    for (int o = 0; o < pairs.items.count; ++o) {
        if constexpr (Form::pairs) {
            Element<T> a[r], b[r];
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                const PairMapEntry entry{map.words[m * pairs.items.count + o]};
                Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
                Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
                first = read(rows, entry.first());
                second = read(rows, entry.second());
                lines::mapped_pair_step<r, Form, PairStep::split>(pairs, map, entry, m, o, first, second);
            }
            butterflies_into_work<r, Form>(pairs, o, work, a, b);
        } else {
            const lines::ButterflyOffsets at = pairs.offsets_of(o);
            load_butterfly<Form, known>(Butterfly<false, r, T>{pairs, o, at.a}, map, rows, work);
            if (at.b != at.a) load_butterfly<Form, known>(Butterfly<true, r, T>{pairs, o, at.b}, map, rows, work);
        }
    }
}

template <class Form, int r, SampleSigns known = SampleSigns::listed, class T>
void store_pairs(const lines::ButterflyPairs<T, Plain>& pairs, const lines::PairMap<T, Plain>& map,
                 Element<T>* work, RowsOut<T> rows) {
    for (int o = 0; o < pairs.items.count; ++o) {
        if constexpr (Form::pairs) {
            Element<T> a[r], b[r];
            butterflies_out_of_work<r, Form>(pairs, o, work, a, b);
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                const PairMapEntry entry{map.words[m * pairs.items.count + o]};
                Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
                Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
                lines::mapped_pair_step<r, Form, PairStep::combine>(pairs, map, entry, m, o, first, second);
                write(rows, entry.first(), first);
                write(rows, entry.second(), second);
            }
        } else {
            const lines::ButterflyOffsets at = pairs.offsets_of(o);
            store_butterfly<Form, known>(Butterfly<false, r, T>{pairs, o, at.a}, map, work, rows);
            if (at.b != at.a) store_butterfly<Form, known>(Butterfly<true, r, T>{pairs, o, at.b}, map, work, rows);
        }
    }
}

}  // namespace poisson3d::POISSON3D_ISA
