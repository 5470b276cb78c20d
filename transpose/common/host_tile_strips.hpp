// Blocks of structures into tiles and back (structures/tiles.hpp), a strip of some fields at a time: transposed by
// squares, and cut where each field's tiles begin.
//
// A block holds B structures. Tile j of field f begins h(f) structures behind the beginning of block j, so it is
// what block j has from there on, and the first h(f) of block j + 1. What one block leaves over waits in `kept`, as
// whole tiles, for the next:
//
//     scratch, field f      │ block j       ·····│ block j + 1  ·····│        kept: block j's, of all fields
//                           │    h(f) ├──── tile j ────┤             │
//
// Compiled once per instruction set like lanes.hpp, and like it free of the standard library.
#pragma once

#include "common/host_movers.hpp"
#include "common/host_squares.hpp"
#include "common/host_stores.hpp"

namespace poisson3d::POISSON3D_ISA {

using host_transpose::TileStrip;

POISSON3D_INLINE void copy_bytes(char* to, const char* from, Index n) {
    Index k = 0;
    for (; k + line_bytes <= n; k += line_bytes) copy_line(to + k, from + k);
    copy_part(to + k, from + k, n - k);
}

/// Whole lines, if n and `to` are multiples of a line.
template <bool Stream>
POISSON3D_INLINE void store_bytes(char* to, const char* from, Index n) {
    if (!Stream || (n | static_cast<Index>(reinterpret_cast<std::uintptr_t>(to))) % line_bytes != 0)
        return copy_bytes(to, from, n);
    for (Index k = 0; k < n; k += line_bytes) store_line<true>(to + k, from + k);
}

/// A word of 4 bytes or more of any length.
POISSON3D_INLINE void copy_word(char* to, const char* from, Index n) {
    if (n < 8) return copy_fixed<4>(to, from), copy_fixed<4>(to + n - 4, from + n - 4);
    if (n < 16) return copy_fixed<8>(to, from), copy_fixed<8>(to + n - 8, from + n - 8);
    for (Index k = 0; k + 16 <= n; k += 16) copy_fixed<16>(to + k, from + k);
    copy_fixed<16>(to + n - 16, from + n - 16);
}

/// The squares of words of 4, 8 and 16 bytes; of others, which have none (Bytes = 0), one word at a time.
template <int Bytes>
struct Words {
    static constexpr Index side = Square<Bytes>::side;

    template <bool Spill, class Row, class Ahead>
    static POISSON3D_INLINE void turn(Index, Row row, Index rows, Index columns, char* out, Index out_pitch,
                                      Ahead ahead) {
        transpose_block<Bytes, Spill>(row, rows, columns, out, out_pitch, ahead);
    }
};
template <>
struct Words<0> {
    static constexpr Index side = 1;

    template <bool, class Row, class Ahead>
    static POISSON3D_INLINE void turn(Index word, Row row, Index rows, Index columns, char* out, Index out_pitch,
                                      Ahead) {
        for (Index r = 0; r < rows; ++r) {
            const char* const from = row(r);
            for (Index c = 0; c < columns; ++c) copy_word(out + c * out_pitch + r * word, from + c * word, word);
        }
    }
};

/// See TileMovers::turn.
template <int Bytes>
void turn_dense(const char* in, Index rows, Index columns, Index word, char* out) {
    const auto row_at = [&](Index r) { return in + r * columns * word; };
    Words<Bytes>::template turn<true>(word, row_at, rows, columns, out, rows * word, nothing_ahead);
}

/// See TileMovers::to_tiles.
template <int Bytes, bool Stream>
void strip_to_tiles(const TileStrip& s, const char* structures, Index pitch, Index count, char* kept, char* tiles,
                    char* scratch) {
    constexpr Index side = Words<Bytes>::side;
    const Index room = 2 * s.tile;
    const char* from = structures;
    if (s.fields < side && count > 0) {  // squares read beyond a structure's end, so not where it is
        char* const copy = scratch + side * room;
        copy_bytes(copy, structures, (count - 1) * pitch + s.fields * s.word);
        from = copy;
    }
    const auto row_at = [&](Index r) { return from + r * pitch; };
    const Index strip = s.fields * s.word;
    const auto ahead = [&](Index r) {
        if (s.fields < side) return static_cast<const char*>(nullptr);
        return r + side < count ? row_at(r + side) : row_at(r + side - count) + strip;
    };
    Words<Bytes>::template turn<false>(s.word, row_at, count, s.fields < side ? side : s.fields, scratch + s.tile,
                                       room, ahead);
    if (tiles != nullptr) {
        for (Index f = 0; f < s.fields; ++f) copy_bytes(scratch + f * room, kept + f * s.tile, s.tile);
        for (Index f = 0; f < s.fields; ++f)
            store_bytes<Stream>(tiles + f * s.tile, scratch + f * room + s.head(f), s.tile);
        finish_stores<Stream>();
    }
    for (Index f = 0; f < s.fields; ++f) copy_bytes(kept + f * s.tile, scratch + f * room + s.tile, s.tile);
}

/// See TileMovers::to_structures.
template <int Bytes>
void strip_to_structures(const TileStrip& s, const char* tiles, char* kept, char* structures, Index pitch,
                         Index count, char* scratch) {
    const Index room = 2 * s.tile;
    for (Index f = 0; f < s.fields; ++f) {
        char* const both = scratch + f * room;
        copy_bytes(both, kept + f * s.tile, s.tile);
        if (tiles == nullptr) continue;
        copy_bytes(both + s.tile, tiles + f * s.tile, s.tile);
        copy_bytes(kept + f * s.tile, both + s.tile, s.tile);
    }
    if (structures == nullptr) return;
    const auto row_at = [&](Index f) { return scratch + f * room + s.tile - s.head(f); };
    if (s.fields < Words<Bytes>::side)
        Words<Bytes>::template turn<true>(s.word, row_at, s.fields, count, structures, pitch, nothing_ahead);
    else
        Words<Bytes>::template turn<false>(s.word, row_at, s.fields, count, structures, pitch, nothing_ahead);
}

}  // namespace poisson3d::POISSON3D_ISA
