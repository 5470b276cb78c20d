// Blocks of structures into tiles and back (structures/tiles.hpp): transposed by squares, and cut where each
// field's tiles begin.
//
// A block holds B structures. Tile j of field f begins h(f) structures behind the beginning of block j, so it is
// what block j has from there on, and the first h(f) of block j + 1. What one block leaves over is kept for the
// next. Behind what is kept of a field there is room for a line: there go the first bytes of what continues it, so
// that any line of the two can be read as one.
//
//     to tiles          kept of field f  │····├──── block j ────┤line│     ├── block j + 1, transposed ──┤
//                                        h(f)  a tile begins                 and ends with its first h(f)
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
    if (k < n) copy_part(to + k, from + k, n - k);
}

/// The squares of words of 4, 8 and 16 bytes; others (Bytes = 0) have none and are moved one at a time.
template <int Bytes>
inline constexpr Index side_of = Square<Bytes>::side;
template <>
inline constexpr Index side_of<0> = Index{1} << 62;

/// So few fields that squares would be mostly empty.
template <int Bytes>
constexpr bool very_few(Index fields) {
    return Bytes == 0 || fields * 4 <= side_of<Bytes>;
}

/// See TileMovers::turn.
template <int Bytes>
void turn_dense(const char* in, Index rows, Index columns, Index word, char* out) {
    const auto row_at = [&](Index r) { return in + r * columns * word; };
    transpose_block<Bytes, true>(row_at, rows, columns, out, rows * word, nothing_ahead, word);
}

/// A tile whose first `left` bytes are at `kept`, followed by a line of those at `next`. `to` may be stored past
/// the caches if it is the beginning of a line.
template <bool Stream>
POISSON3D_INLINE void store_tile(char* to, const char* kept, const char* next, Index left, Index tile) {
    Index k = 0;
    for (; k + line_bytes <= tile; k += line_bytes)
        store_line<Stream>(to + k, k < left ? kept + k : next + (k - left));
    if (k < tile) copy_part(to + k, k < left ? kept + k : next + (k - left), tile - k);
}

/// See TileMovers::to_tiles.
template <int Bytes>
void strip_to_tiles(const TileStrip& s, const char* structures, Index pitch, Index count, char* kept, char* tiles,
                    char* scratch, bool stream) {
    constexpr Index side = Bytes == 0 ? 1 : side_of<Bytes>;
    const Index room = s.tile + line_bytes;
    const char* from = structures;
    const bool few = very_few<Bytes>(s.fields);
    if (!few && s.fields < side && count > 0) {  // squares read beyond a structure's end, so not where it is
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
    if (few)
        for (Index f = 0; f < s.fields; ++f)
            for (Index i = 0; i < count; ++i)
                copy_element<Bytes>(scratch + f * room + i * s.word, structures + i * pitch + f * s.word, s.word);
    else if constexpr (Bytes != 0)
        transpose_block<Bytes, false>(row_at, count, s.fields < side ? side : s.fields, scratch, room, ahead);
    const Index line = s.tile < line_bytes ? s.tile : line_bytes;
    if (tiles != nullptr) {
        for (Index f = 0; f < s.fields; ++f) copy_bytes(kept + f * room + s.tile, scratch + f * room, line);
        stream &= (reinterpret_cast<std::uintptr_t>(tiles) | static_cast<std::uintptr_t>(s.tile)) % line_bytes == 0;
        for (Index f = 0; f < s.fields; ++f) {
            const Index head = s.head(f);
            char* const field = kept + f * room;
            if (stream)
                store_tile<true>(tiles + f * s.tile, field + head, scratch + f * room, s.tile - head, s.tile);
            else
                store_tile<false>(tiles + f * s.tile, field + head, scratch + f * room, s.tile - head, s.tile);
        }
    }
    for (Index f = 0; f < s.fields; ++f) {
        const Index k = tiles == nullptr ? 0 : s.head(f) / line_bytes * line_bytes;
        copy_bytes(kept + f * room + k, scratch + f * room + k, s.tile - k);
    }
}

/// Where byte x of the part of a field that is to be written begins: the last h(f) of what is kept, then the tile.
struct Window {
    const char *kept, *tile;
    Index head;
    const char* fetched;  ///< what is fetched at the same time

    // Not a branch, which would be predicted wrongly once for each field.
    POISSON3D_INLINE const char* at(Index x) const {
        return tile + ((kept - tile) & -static_cast<Index>(x < head)) + x;
    }
};

/// Structures first … first + side − 1 of a group of fields.
template <int Bytes>
POISSON3D_INLINE void store_square(const Window* field, Index first, char* to, Index pitch) {
    constexpr int side = Square<Bytes>::side;
    Square<Bytes> square;
    for (int l = 0; l < side; ++l) square.load(l, field[l].at(first * Bytes));
    if (side * Bytes == line_bytes || first * Bytes % line_bytes == 0)
        for (int l = 0; l < side; ++l) __builtin_prefetch(field[l].fetched + first * Bytes);
    square.transpose();
    square.store(to, pitch);
}

/// See TileMovers::to_structures.
template <int Bytes>
void strip_to_structures(const TileStrip& s, const char* tiles, char* kept, char* structures, Index pitch,
                         Index count) {
    constexpr Index side = side_of<Bytes>;
    const Index room = s.tile + line_bytes;
    const Index line = s.tile < line_bytes ? s.tile : line_bytes;
    constexpr Index fields_ahead = 32;
    const auto window = [&](Index f) {
        const char* const field = kept + f * room;
        return Window{field + s.tile - s.head(f), tiles == nullptr ? field : tiles + f * s.tile - s.head(f),
                      s.head(f), tiles + (f + fields_ahead) * s.tile};
    };
    constexpr Index group = 16;  // fields, and less than a square's side more in the last
    for (Index g = 0, end = 0; end < s.fields; g = end) {
        end = s.fields - g - group >= side ? g + group : s.fields;
        if (tiles != nullptr)
            for (Index f = g; f < end; ++f) copy_bytes(kept + f * room + s.tile, tiles + f * s.tile, line);
        if (structures != nullptr && count < side)
            for (Index f = g; f < end; ++f) {
                const Window field = window(f);
                char* const to = structures + f * s.word;
                const Index begun = field.head / s.word < count ? field.head / s.word : count;
                for (Index i = 0; i < begun; ++i)
                    copy_element<Bytes>(to + i * pitch, field.kept + i * s.word, s.word);
                for (Index i = begun; i < count; ++i)
                    copy_element<Bytes>(to + i * pitch, field.tile + i * s.word, s.word);
            }
        else if (structures != nullptr) {
            if constexpr (Bytes != 0)
                for (Index f = g; f < end; f += side) {
                    const Index top = f + side <= s.fields ? f : s.fields < side ? 0 : s.fields - side;
                    Window field[side];
                    for (Index l = 0; l < side; ++l) field[l] = window(top + l < s.fields ? top + l : s.fields - 1);
                    for (Index i = 0; i < count; i += side) {
                        const Index first = i + side <= count ? i : count - side;
                        store_square<Bytes>(field, first, structures + first * pitch + top * Bytes, pitch);
                    }
                }
        }
        if (tiles != nullptr)
            for (Index f = g; f < end; ++f) {
                const Index k = (s.tile - s.head(f)) / line_bytes * line_bytes;
                copy_bytes(kept + f * room + k, tiles + f * s.tile + k, s.tile - k);
            }
    }
}

}  // namespace poisson3d::POISSON3D_ISA
