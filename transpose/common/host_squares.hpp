// Squares of elements transposed in registers: `side` loads, some shuffles, `side` stores.
//
// Elements of 4, 8 and 16 bytes use the widest registers (lanes.hpp; 16 bytes are a pair of lanes). Elements of 1
// and 2 bytes are interleaved within 16 bytes, which every instruction set can: log2(side) times, rows i and
// i + side/2 become rows 2i and 2i + 1. A wide register holds several such squares side by side.
//
// Compiled once per instruction set like lanes.hpp, and like it free of the standard library.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "poisson3d/grid.hpp"
#include "simd/lanes.hpp"

namespace poisson3d::POISSON3D_ISA {

template <class T, int Group>
struct WideSquare {
    static constexpr int side = Pack<T>::lanes / Group;
    static constexpr int width = side;
    // Rows of smaller elements are moved as elements, too: these may begin anywhere.
    typedef T Loose __attribute__((vector_size(pack_bytes), aligned(1), may_alias));
    Pack<T> row[side];

    POISSON3D_INLINE void load(int l, const char* p) { row[l].v = *reinterpret_cast<const Loose*>(p); }
    POISSON3D_INLINE void store(char* to, Index pitch) const {
        for (int l = 0; l < side; ++l) *reinterpret_cast<Loose*>(to + l * pitch) = row[l].v;
    }
    POISSON3D_INLINE void transpose() { transpose_square<T, 1, Group>(row); }
};

/// `Squares` squares of elements of 1 or 2 bytes, side by side.
template <class T, int Squares>
struct SmallSquares {
    static constexpr int side = 16 / static_cast<int>(sizeof(T));
    static constexpr int width = side * Squares;
    typedef T Register __attribute__((vector_size(16 * Squares)));
    typedef T Loose __attribute__((vector_size(16 * Squares), aligned(1), may_alias));
    Register row[side];

    POISSON3D_INLINE void load(int l, const char* p) { row[l] = *reinterpret_cast<const Loose*>(p); }
    /// Row by row: what a row spills, the next one overwrites.
    POISSON3D_INLINE void store(char* to, Index pitch) const {
        store_squares<0>(to, pitch);
        if constexpr (Squares > 1) store_squares<1>(to, pitch);
        if constexpr (Squares > 2) store_squares<2>(to, pitch), store_squares<3>(to, pitch);
    }
    POISSON3D_INLINE void transpose() {
        Register low;
        Register high;
        for (int l = 0; l < width; ++l) {
            const int first = l / side * side;  // of this square
            const int from = l % side / 2 + l % 2 * width;
            low[l] = static_cast<T>(first + from);
            high[l] = static_cast<T>(first + side / 2 + from);
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

private:
    typedef T Part __attribute__((vector_size(16)));
    typedef T LoosePart __attribute__((vector_size(16), aligned(1), may_alias));

    /// 16 bytes of a register.
    template <int Number>
    static POISSON3D_INLINE Part part(const Register& v) {
        if constexpr (Squares == 1) return v;
#ifdef __AVX512F__
        if constexpr (Squares == 4)
            return reinterpret_cast<Part>(
                _mm512_maskz_extracti32x4_epi32(0xff, reinterpret_cast<__m512i>(v), Number));
#endif
#ifdef __AVX2__
        if constexpr (Squares == 2)
            return reinterpret_cast<Part>(_mm256_extracti128_si256(reinterpret_cast<__m256i>(v), Number));
#endif
    }
    template <int Number>
    POISSON3D_INLINE void store_squares(char* to, Index pitch) const {
        for (int l = 0; l < side; ++l)
            *reinterpret_cast<LoosePart*>(to + (Number * side + l) * pitch) = part<Number>(row[l]);
    }
};

/// What moves elements of some bytes: the narrowest squares, and the widest.
template <int Bytes>
struct SquareOf;
template <>
struct SquareOf<1> {
    typedef SmallSquares<signed char, 1> Narrow;
    typedef SmallSquares<signed char, pack_bytes / 16> Wide;
};
template <>
struct SquareOf<2> {
    typedef SmallSquares<short, 1> Narrow;
    typedef SmallSquares<short, pack_bytes / 16> Wide;
};
template <>
struct SquareOf<4> {
    typedef WideSquare<float, 1> Narrow, Wide;
};
template <>
struct SquareOf<8> {
    typedef WideSquare<double, 1> Narrow, Wide;
};
template <>
struct SquareOf<16> {
    typedef WideSquare<double, 2> Narrow, Wide;
};
template <int Bytes>
using Square = typename SquareOf<Bytes>::Narrow;

template <int N>
POISSON3D_INLINE void copy_fixed(char* to, const char* from) {
    __builtin_memcpy(to, from, N);
}

/// n bytes, n being the same for many: pieces of N bytes, the last of which may overlap the one before it.
template <int N>
POISSON3D_INLINE void copy_pieces(char* to, const char* from, Index n) {
    for (Index k = 0; k + N < n; k += N) copy_fixed<N>(to + k, from + k);
    copy_fixed<N>(to + n - N, from + n - N);
}
/// An element of any size.
POISSON3D_INLINE void copy_item(char* to, const char* from, Index n) {
    if (n >= 64) return copy_pieces<64>(to, from, n);
    if (n >= 16) return copy_pieces<16>(to, from, n);
    if (n >= 8) return copy_pieces<8>(to, from, n);
    if (n >= 4) return copy_pieces<4>(to, from, n);
    if (n >= 2) return copy_pieces<2>(to, from, n);
    *to = *from;
}
/// Of Bytes bytes, or of n if that is 0.
template <int Bytes>
POISSON3D_INLINE void copy_element(char* to, const char* from, Index n) {
    if constexpr (Bytes == 0)
        copy_item(to, from, n);
    else
        copy_fixed<Bytes>(to, from);
}

/// rows × columns elements, as many as a narrow square or more. The last squares of a ragged side start early: what
/// they share with their neighbours is written twice.
template <int Bytes, class Row, class Ahead>
POISSON3D_INLINE void transpose_by_squares(Row row, Index rows, Index columns, char* out, Index out_pitch,
                                           Ahead ahead) {
    typedef typename SquareOf<Bytes>::Narrow Narrow;
    typedef typename SquareOf<Bytes>::Wide Wide;
    constexpr int side = Narrow::side;
    for (Index r = 0; r < rows; r += side) {
        const Index top = r + side <= rows ? r : rows < side ? 0 : rows - side;
        const char* from[side];
        const char* next[side];
        for (int l = 0; l < side; ++l) {
            const Index here = top + l < rows ? top + l : rows - 1;
            from[l] = row(here);
            next[l] = ahead(here);
        }
        const auto move = [&](auto squares, Index left) {
            for (int l = 0; l < side; ++l) squares.load(l, from[l] + left * Bytes);
            if (next[0] != nullptr && left * Bytes % 64 < squares.width * Bytes)  // once a line
                for (int l = 0; l < side; ++l) __builtin_prefetch(next[l] + left * Bytes);
            squares.transpose();
            squares.store(out + left * out_pitch + top * Bytes, out_pitch);
        };
        Index c = 0;
        for (; c + Wide::width <= columns; c += Wide::width) move(Wide(), c);
        for (; c < columns; c += side) move(Narrow(), c + side <= columns ? c : columns - side);
    }
}

/// out[c·out_pitch + r·Bytes] = row(r)[c·Bytes] for r < rows, c < columns; ahead(r) is what to fetch at the same
/// time, or null. Bytes = 0: elements of `element` bytes, one at a time. Exact: nothing outside the matrix is read
/// or written — unless Spill: a matrix of fewer rows than a square may then write up to one square's side of
/// elements behind each output row, before the row behind it is written.
template <int Bytes, bool Spill, class Row, class Ahead>
POISSON3D_INLINE void transpose_block(Row row, Index rows, Index columns, char* out, Index out_pitch, Ahead ahead,
                                      Index element = Bytes) {
    if constexpr (Bytes != 0) {
        constexpr Index side = Square<Bytes>::side;
        if (columns >= side && (Spill || rows >= side))
            return transpose_by_squares<Bytes>(row, rows, columns, out, out_pitch, ahead);
    }
    for (Index r = 0; r < rows; ++r) {
        const char* const from = row(r);
        if (const char* const next = ahead(r); next != nullptr)
            for (Index k = 0; k < columns * element; k += 64) __builtin_prefetch(next + k);
        for (Index c = 0; c < columns; ++c)
            copy_element<Bytes>(out + c * out_pitch + r * element, from + c * element, element);
    }
}

inline constexpr struct {
    POISSON3D_INLINE const char* operator()(Index) const { return nullptr; }
} nothing_ahead{};

}  // namespace poisson3d::POISSON3D_ISA
