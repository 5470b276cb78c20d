// Line transforms of an element's V lines at once: a number of the templates of solvers/lines is a pack of SIMD
// lanes here, a line in each lane. Included by kernels.cpp, which is compiled once per instruction set
// (POISSON3D_ISA names the namespace).
//
//     walk_in         rows → outer step of the FFT, with the pair step before it → work
//     walk_through    the inner steps, in work
//     walk_out        work → outer step, with the pair step after it → rows
//
// An element is two packs of SIMD lanes, the real and the imaginary parts of as many complex lines: complex
// arithmetic needs no shuffles. The real parts are samples of V/2 lines, the imaginary parts those of the V/2 lines
// after them, so a row of V lines that are neighbours in memory is one element.
#pragma once

#include "chirp.hpp"
#include "kernels.hpp"
#include "pair_map.hpp"
#include "prime_step.hpp"
#include "simd/lanes.hpp"
#include "symmetric.hpp"
#include "symmetric_chirp.hpp"

namespace poisson3d {

template <class T>
struct ScalarOf<POISSON3D_ISA::Pack<T>> {
    using Type = T;
};
namespace POISSON3D_ISA {
template <class T>
struct BlockValue;
}
template <class T>
struct ScalarOf<POISSON3D_ISA::BlockValue<T>> {
    using Type = T;
};

}  // namespace poisson3d

namespace poisson3d::POISSON3D_ISA {

using namespace poisson3d::host;

template <class T>
using Element = Complex<Pack<T>>;

/// V: lines of an element.
template <class T>
inline constexpr int element_lines = 2 * Pack<T>::lanes;

/// Lines of a block: of a row of 256 bytes, but with AVX-512 of an element, whose rows have 128.
template <class T>
inline constexpr int block_lines = pack_bytes == 64 ? element_lines<T> : 256 / static_cast<int>(sizeof(T));

/// Lines line … of `lines`: how many of an element there are.
template <class T>
POISSON3D_INLINE int lines_here(Index lines, Index line) {
    return lines - line < element_lines<T> ? static_cast<int>(lines - line) : element_lines<T>;
}

/// Rows of V numbers each, one a sample or a mode, `pitch` apart.
template <class T>
struct RowsIn {
    const T* base;
    Index pitch;

    POISSON3D_INLINE Element<T> read(Index index) const {
        const T* const row = base + index * pitch;
        // The same row of the next block: processors do not foresee reads that are far apart.
        __builtin_prefetch(row + element_lines<T>, 0, 2);
        __builtin_prefetch(row + element_lines<T> + Pack<T>::lanes, 0, 2);
        return {Pack<T>::load_loose(row), Pack<T>::load_loose(row + Pack<T>::lanes)};
    }
};
template <class T>
struct RowsOut {
    T* base;
    Index pitch;

    POISSON3D_INLINE void write(Index index, Element<T> z) const {
        T* const row = base + index * pitch;
        z.re.store_loose(row);
        z.im.store_loose(row + Pack<T>::lanes);
    }
};

/// Rows in scratch memory, one after the other.
template <class T>
POISSON3D_INLINE RowsIn<T> rows_of(const Element<T>* rows) {
    return {reinterpret_cast<const T*>(rows), element_lines<T>};
}
template <class T>
POISSON3D_INLINE RowsOut<T> rows_of(Element<T>* rows) {
    return {reinterpret_cast<T*>(rows), element_lines<T>};
}

/// A number of each line of an element, where real and imaginary parts mean nothing.
template <class T>
struct BlockValue {
    Pack<T> first{}, second{};

    friend POISSON3D_INLINE BlockValue operator+(BlockValue a, BlockValue b) {
        return {a.first + b.first, a.second + b.second};
    }
    friend POISSON3D_INLINE BlockValue operator-(BlockValue a, BlockValue b) {
        return {a.first - b.first, a.second - b.second};
    }
    friend POISSON3D_INLINE BlockValue operator*(BlockValue a, BlockValue b) {
        return {a.first * b.first, a.second * b.second};
    }
    friend POISSON3D_INLINE BlockValue operator/(BlockValue a, BlockValue b) {
        return {a.first / b.first, a.second / b.second};
    }
    friend POISSON3D_INLINE BlockValue operator+(BlockValue a, T s) { return {a.first + s, a.second + s}; }
    friend POISSON3D_INLINE BlockValue operator*(T s, BlockValue a) { return {s * a.first, s * a.second}; }
    friend POISSON3D_INLINE BlockValue operator*(BlockValue a, T s) { return s * a; }
    friend POISSON3D_INLINE BlockValue operator/(T s, BlockValue a) { return {s / a.first, s / a.second}; }
    friend POISSON3D_INLINE BlockValue square_root(BlockValue a) {
        return {square_root(a.first), square_root(a.second)};
    }
};

/// A number for each line of an element.
template <class T>
POISSON3D_INLINE BlockValue<T> load_lines(const T* from, int lines) {
    T values[element_lines<T>] = {};
    for (int l = 0; l < lines; ++l) values[l] = from[l];
    return {Pack<T>::load_loose(values), Pack<T>::load_loose(values + Pack<T>::lanes)};
}
template <class T>
POISSON3D_INLINE void store_lines(const BlockValue<T>& value, int lines, T* to) {
    for (int l = 0; l < lines; ++l)
        to[l] = l < Pack<T>::lanes ? value.first.v[l] : value.second.v[l - Pack<T>::lanes];
}

using lines::Form;
using lines::Kind;
using lines::PairStep;
using lines::Side;

using PairMapEntry = lines::PairMapEntryOf<Plain::Word>;
using MemberWord = lines::MemberWordOf<Plain::Word>;
inline constexpr int no_element = lines::no_element_in<Plain::Word>;

/// The modes of a derivative, in rows of those that they come from.
template <class T>
struct DerivedRows {
    const Element<T>* rows;
    DerivativeModes<T> modes;

    POISSON3D_INLINE Element<T> read(Index slot) const { return modes.factor[slot] * rows[modes.source[slot]]; }
};

/// Modes times the rows of a symbol, a number for each line.
template <class T>
struct MultipliedRows {
    const Element<T>* rows;
    SymbolRows<T> symbol;

    POISSON3D_INLINE Element<T> read(Index slot) const {
        const T* const times = symbol.values + symbol.row[slot] * element_lines<T>;
        const Element<T> mode = rows[slot];
        return {mode.re * Pack<T>::load(times), mode.im * Pack<T>::load(times + Pack<T>::lanes)};
    }
};

/// An element that does not exist is read as 0, and not written.
template <class Rows>
POISSON3D_INLINE auto read(const Rows& rows, int index) {
    return index == no_element ? decltype(rows.read(index)){} : rows.read(index);
}
template <class T>
POISSON3D_INLINE void write(RowsOut<T> rows, int index, Element<T> z) {
    if (index != no_element) rows.write(index, z);
}

template <class T>
POISSON3D_INLINE Pack<T> with_sign(Pack<T> x, std::uint32_t sign) {
    return sign != 0 ? -x : x;
}

template <class Body>
POISSON3D_INLINE void with_kind(Kind kind, const Body& body) {
    switch (kind) {
        case Kind::type1: return body.template operator()<Kind::type1>();
        case Kind::type2: return body.template operator()<Kind::type2>();
        case Kind::type3: return body.template operator()<Kind::type3>();
        case Kind::type4: return body.template operator()<Kind::type4>();
    }
}
/// The radices of outer steps.
template <class Body>
POISSON3D_INLINE void with_radix(int radix, const Body& body) {
    lines::with_radix<lines::Outer::any>(radix, body);
}

template <class Form, int r, class T, class Rows>
void load_pairs(const lines::ButterflyPairs<T, Plain>& butterflies, const lines::PairMap<T, Plain>& map, Rows rows,
                Element<T>* work) {
    constexpr PairStep step = Form::pairs                   ? PairStep::split
                              : Form::side == Side::samples ? PairStep::signs
                                                            : PairStep::factors;
    for (int o = 0; o < butterflies.items.count; ++o) {
        Element<T> a[r], b[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const PairMapEntry entry{map.words[m * butterflies.items.count + o]};
            Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
            Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
            first = read(rows, entry.first());
            second = read(rows, entry.second());
            lines::mapped_pair_step<r, Form, step>(butterflies, map, entry, m, o, first, second);
        }
        lines::first_step<r, Form>(butterflies, o, work, a, b);
    }
}

template <class Form, int r, class T>
void store_pairs(const lines::ButterflyPairs<T, Plain>& butterflies, const lines::PairMap<T, Plain>& map,
                 Element<T>* work, RowsOut<T> rows) {
    for (int o = 0; o < butterflies.items.count; ++o) {
        Element<T> a[r], b[r];
        lines::last_step<r, Form>(butterflies, o, work, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const PairMapEntry entry{map.words[m * butterflies.items.count + o]};
            Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
            Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
            lines::mapped_pair_step<r, Form, Form::pairs ? PairStep::combine : PairStep::signs>(
                butterflies, map, entry, m, o, first, second);
            write(rows, entry.first(), first);
            write(rows, entry.second(), second);
        }
    }
}

template <int r, class T>
void load_symmetric(const lines::Symmetric<T, Plain>& side, RowsIn<T> rows, Element<T>* work) {
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const MemberWord word{side.words[m * side.items.count + j]};
            z[m] = lines::with_sign(read(rows, word.from()), word.sign());
        }
        lines::symmetric_first(side, j, work, z);
    }
}

template <int r, class T>
void store_symmetric(const lines::Symmetric<T, Plain>& side, const Element<T>* work, RowsOut<T> rows) {
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        lines::symmetric_last(side, j, work, z);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const MemberWord word{side.words[m * side.items.count + j]};
            write(rows, word.to(), lines::with_sign(z[m], word.sign()));
        }
    }
}

/// Samples or modes of type I lines by a chirp.
template <class T, class Rows>
void load_chirped(const LineTables<T>& line, const lines::PairMap<T, Plain>& map, Rows rows, Element<T>* work) {
    constexpr int r = lines::chirped_radix<Plain>;
    const lines::Symmetric<T, Plain>& side = line.symmetric;
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const PairMapEntry entry{map.words[m / 2 * side.items.count + j]};
            z[m] = read(rows, entry.first());
            z[m + 1] = read(rows, entry.second());
        }
        lines::chirped_first(side, map, j, work, z);
    }
}
template <class T>
void store_chirped(const LineTables<T>& line, const lines::PairMap<T, Plain>& map, const Element<T>* work,
                   RowsOut<T> rows) {
    constexpr int r = lines::chirped_radix<Plain>;
    const lines::Symmetric<T, Plain>& side = line.symmetric;
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        lines::chirped_last(side, map, j, work, z);
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const PairMapEntry entry{map.words[m / 2 * side.items.count + j]};
            write(rows, entry.first(), z[m]);
            write(rows, entry.second(), z[m + 1]);
        }
    }
}

/// From rows to work: samples, or modes.
template <Side side, class T, class Rows>
POISSON3D_INLINE void walk_in(const LineTables<T>& line, Rows rows, Element<T>* work) {
    if (line.symmetric_chirp())
        return load_chirped(line, side == Side::samples ? line.samples_in : line.modes_in, rows, work);
    with_kind(line.form, [&]<Kind kind>() {
        if constexpr (kind == Kind::type1 && side == Side::samples)
            lines::with_symmetric_radix<lines::Outer::any, Plain>(
                line.symmetric.radix, [&]<int r>() { load_symmetric<r>(line.symmetric, rows, work); });
        else if constexpr (side == Side::samples)
            with_radix(line.sample_butterflies.radix, [&]<int r>() {
                load_pairs<Form<kind, side>, r>(line.sample_butterflies, line.samples_in, rows, work);
            });
        else
            with_radix(line.mode_butterflies.radix, [&]<int r>() {
                load_pairs<Form<kind, side>, r>(line.mode_butterflies, line.modes_in, rows, work);
            });
    });
}

template <Side side, class T>
POISSON3D_INLINE void walk_out(const LineTables<T>& line, Element<T>* work, RowsOut<T> rows) {
    if (line.symmetric_chirp())
        return store_chirped(line, side == Side::samples ? line.samples_out : line.modes_out, work, rows);
    with_kind(line.form, [&]<Kind kind>() {
        if constexpr (kind == Kind::type1 && side == Side::samples)
            lines::with_symmetric_radix<lines::Outer::any, Plain>(
                line.symmetric.radix, [&]<int r>() { store_symmetric<r>(line.symmetric, work, rows); });
        else if constexpr (side == Side::samples)
            with_radix(line.sample_butterflies.radix, [&]<int r>() {
                store_pairs<Form<kind, side>, r>(line.sample_butterflies, line.samples_out, work, rows);
            });
        else
            with_radix(line.mode_butterflies.radix, [&]<int r>() {
                store_pairs<Form<kind, side>, r>(line.mode_butterflies, line.modes_out, work, rows);
            });
    });
}

/// The inner steps, or FFTs by a chirp.
template <bool in_time, class T>
void walk_through(const LineTables<T>& line, Element<T>* work) {
    if (line.symmetric_chirp())
        return lines::symmetric_convolution(line.fft, line.chirp, work, 0, 1, lines::NoWait{});
    if (line.chirp.length > 0) return lines::chirp_ffts(line.fft, line.chirp, work, 0, 1, lines::NoWait{});
    for (int s = 0; s < line.fft.steps; ++s)
        lines::inner_step<in_time, lines::Inner::all_and_primes>(line.fft, s, work, 0, 1);
}

}  // namespace poisson3d::POISSON3D_ISA
