// Squares of elements transposed in registers: `side` loads, some shuffles, `side` stores.
//
// Elements of 4, 8 and 16 bytes use the widest registers (lanes.hpp; 16 bytes are a pair of lanes). Elements of 1
// and 2 bytes use registers of 16 bytes, which every instruction set can interleave: log2(side) times, rows i and
// i + side/2 become rows 2i and 2i + 1.
//
// Compiled once per instruction set like lanes.hpp, and like it free of the standard library.
#pragma once

#include "poisson3d/grid.hpp"
#include "simd/lanes.hpp"

namespace poisson3d::POISSON3D_ISA {

template <class T, int Group>
struct WideSquare {
    static constexpr int side = Pack<T>::lanes / Group;
    Pack<T> row[side];

    POISSON3D_INLINE void load(int l, const char* p) {
        row[l].v = *reinterpret_cast<const typename Pack<T>::Loose*>(p);
    }
    POISSON3D_INLINE void store(int l, char* p) const { *reinterpret_cast<typename Pack<T>::Loose*>(p) = row[l].v; }
    POISSON3D_INLINE void transpose() { transpose_square<T, 1, Group>(row); }
};

template <class T>
struct SmallSquare {
    static constexpr int side = 16 / static_cast<int>(sizeof(T));
    typedef T Register __attribute__((vector_size(16)));
    typedef T Loose __attribute__((vector_size(16), aligned(1), may_alias));
    Register row[side];

    POISSON3D_INLINE void load(int l, const char* p) { row[l] = *reinterpret_cast<const Loose*>(p); }
    POISSON3D_INLINE void store(int l, char* p) const { *reinterpret_cast<Loose*>(p) = row[l]; }
    POISSON3D_INLINE void transpose() {
        Register low;
        Register high;
        for (int l = 0; l < side; ++l) {
            low[l] = static_cast<T>(l / 2 + l % 2 * side);
            high[l] = static_cast<T>(side / 2 + l / 2 + l % 2 * side);
        }
        for (int round = 1; round < side; round *= 2) {
            Register next[side];
            for (int i = 0; i < side / 2; ++i) {
                next[2 * i] = __builtin_shuffle(row[i], row[i + side / 2], low);
                next[2 * i + 1] = __builtin_shuffle(row[i], row[i + side / 2], high);
            }
            for (int i = 0; i < side; ++i) row[i] = next[i];
        }
    }
};

template <int Bytes>
struct SquareOf;
template <>
struct SquareOf<1> {
    typedef SmallSquare<signed char> Type;
};
template <>
struct SquareOf<2> {
    typedef SmallSquare<short> Type;
};
template <>
struct SquareOf<4> {
    typedef WideSquare<float, 1> Type;
};
template <>
struct SquareOf<8> {
    typedef WideSquare<double, 1> Type;
};
template <>
struct SquareOf<16> {
    typedef WideSquare<double, 2> Type;
};
/// A square of elements of 1, 2, 4, 8 or 16 bytes.
template <int Bytes>
using Square = typename SquareOf<Bytes>::Type;

template <int Bytes>
POISSON3D_INLINE void copy_element(char* to, const char* from) {
    __builtin_memcpy(to, from, Bytes);
}

/// out[c·out_pitch + r·Bytes] = row(r)[c·Bytes] for r < rows, c < columns; ahead(r) is what to fetch at the same
/// time, or null. Exact: nothing outside the matrix is read or written — unless Spill: a matrix of fewer rows than
/// a square may then write up to one square's side of elements behind each output row, before the row behind it is
/// written.
template <int Bytes, bool Spill, class Row, class Ahead>
POISSON3D_INLINE void transpose_block(Row row, Index rows, Index columns, char* out, Index out_pitch, Ahead ahead) {
    constexpr int side = Square<Bytes>::side;
    constexpr int squares_per_line = side * Bytes < 64 ? 64 / (side * Bytes) : 1;
    if (columns < side || (!Spill && rows < side)) {
        for (Index r = 0; r < rows; ++r) {
            const char* const from = row(r);
            for (Index c = 0; c < columns; ++c)
                copy_element<Bytes>(out + c * out_pitch + r * Bytes, from + c * Bytes);
        }
        return;
    }
    // The last squares of a ragged side start early: what they share with their neighbours is written twice.
    for (Index r = 0; r < rows; r += side) {
        const Index top = r + side <= rows ? r : rows < side ? 0 : rows - side;
        const char* from[side];
        const char* next[side];
        for (int l = 0; l < side; ++l) {
            const Index here = top + l < rows ? top + l : rows - 1;
            from[l] = row(here);
            next[l] = ahead(here);
        }
        for (Index c = 0; c < columns; c += side) {
            const Index left = c + side <= columns ? c : columns - side;
            Square<Bytes> square;
            for (int l = 0; l < side; ++l) square.load(l, from[l] + left * Bytes);
            if (next[0] != nullptr && (c / side) % squares_per_line == 0)
                for (int l = 0; l < side; ++l) __builtin_prefetch(next[l] + left * Bytes);
            square.transpose();
            char* const to = out + left * out_pitch + top * Bytes;
            for (int l = 0; l < side; ++l) square.store(l, to + l * out_pitch);
        }
    }
}

inline constexpr struct {
    POISSON3D_INLINE const char* operator()(Index) const { return nullptr; }
} nothing_ahead{};

}  // namespace poisson3d::POISSON3D_ISA
