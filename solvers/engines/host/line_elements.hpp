// What lines are made of on the host: elements, and the rows of numbers that they are read from and written to.
//
// An element is two packs of SIMD lanes, the real and the imaginary parts of as many complex lines: complex
// arithmetic needs no shuffles. The real parts are samples of V/2 lines, the imaginary parts those of the V/2 lines
// after them, so a row of V lines that are neighbours in memory is one element.
#pragma once

#include "kernels.hpp"
#include "pair_map.hpp"
#include "simd/lanes.hpp"
#include "symmetric.hpp"

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

}  // namespace poisson3d::POISSON3D_ISA
