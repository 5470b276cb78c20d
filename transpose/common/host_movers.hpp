// The inner loops of the host transposes and their parameters: plain data in bytes, so that the loops can be
// compiled once per instruction set and chosen at run time.
#pragma once

#include "poisson3d/grid.hpp"
#include "simd/instruction_set.hpp"

namespace poisson3d::host_transpose {

inline constexpr Index line_bytes = 64;

/// Scratch of one thread, 64-byte aligned: what stays in the second-level cache, and a margin that loops may spill
/// to.
inline constexpr Index scratch_bytes = Index{144} << 10;

inline constexpr Index widest_strip = 512;              // columns
inline constexpr Index thin_scratch = Index{24} << 10;  // bytes that a thin matrix is gathered in

/// Elements that fill a line together, or more than that.
constexpr Index line_elements(Index element) {
    return (line_bytes + element - 1) / element;
}
/// Room in front of a panel's row for a line, and for whole elements.
constexpr Index strip_front(Index element) {
    return (line_elements(element) * element + line_bytes - 1) / line_bytes * line_bytes;
}
/// Bytes of scratch that a strip of `columns` columns and panels of `panel_bytes` bytes takes. Narrow strips of
/// small elements are moved by squares that are wider.
constexpr Index strip_scratch(Index columns, Index panel_bytes, Index element) {
    return (columns < 16 && element <= 16 ? 16 : columns) * (panel_bytes + strip_front(element));
}

/// The offsets of `count` indices: i ↦ i/inner · outer + i%inner · pitch. So two dimensions of which only one of
/// the two fields has a common stride can still be one side of a matrix.
struct Side {
    Index count = 0;
    Index pitch = 0;
    Index inner = count;
    Index outer = 0;

    // Always inline: else the linker might give one instruction set's copy to all.
    [[nodiscard]] __attribute__((always_inline)) constexpr Index at(Index i) const {
        return i < inner ? i * pitch : i / inner * outer + i % inner * pitch;
    }
};

/// A Side read from one index to the next: no division but where it begins.
struct SideCursor {
    Side side;
    const char* base;
    Index index = -2, inner = 0;
    const char* now = nullptr;

    [[nodiscard]] __attribute__((always_inline)) constexpr const char* at(Index i) {
        if (i == index) return now;
        if (i == index + 1) {
            now += side.pitch;
            if (++inner == side.inner) inner = 0, now += side.outer - side.inner * side.pitch;
        } else {
            inner = i % side.inner;
            now = base + i / side.inner * side.outer + inner * side.pitch;
        }
        index = i;
        return now;
    }
};

/// Element (r, c) is at in + rows.at(r) + c · element, and goes to out + columns.at(c) + r · element. In bytes.
struct Matrix {
    const char* in = nullptr;
    char* out = nullptr;
    Side rows, columns;
    Index element = 0;
};

/// Row r of `bytes` bytes goes from `from + in.at(r)` to `to + out.at(r)`; both sides have the same `inner`.
struct Rows {
    const char* from = nullptr;
    char* to = nullptr;
    Side in, out;
    Index bytes = 0;
};

/// The indices first … last − 1.
struct Range {
    Index first = 0, last = 0;
};

/// `count` matrices, and the strides from one to the next in bytes.
struct Batch {
    Index count = 1, in = 0, out = 0;
};

// Before other threads read what a mover has stored past the caches, Movers::finish() is called.

struct ElementMovers {
    /// Rows × columns of a strip, from top to bottom in panels of `panel` rows (whole cache lines of output). Row
    /// ranges begin at multiples of `panel` and end at one or at the end of the matrix. Every output row is cut at
    /// cache lines: a line that two ranges of rows share belongs to the later one. Scratch: strip_scratch(), at
    /// most widest_strip columns.
    void (*strip)(const Matrix&, Range rows, Range columns, Index panel, char* scratch, bool stream);
    /// Output rows that lie densely behind each other (columns.pitch = rows · element), written as one run of
    /// bytes, which goes on from matrix to matrix of the batch as long as those are dense as well. Plain sides
    /// only.
    void (*thin)(const Matrix&, const Batch&, char* scratch, bool stream);
    /// A part of the matrix, square by square, with ordinary stores: a tile that fits the cache. Plain sides only.
    void (*tile)(const Matrix&, Range rows, Range columns);
};

/// Some fields of structures that become tiles, or the reverse (structures/tiles.hpp): words of `word` bytes, tiles
/// of `tile` bytes, a power of two of words. Field f's tiles begin h(f) words behind the beginning of a block.
struct TileStrip {
    Index fields = 0;
    Index word = 0, tile = 0;
    Index first_head = 0, shear = 0, mask = 0;  ///< h(f) = (first_head + f · shear) & mask

    /// h(f) in bytes.
    [[nodiscard]] __attribute__((always_inline)) constexpr Index head(Index f) const {
        return ((first_head + f * shear) & mask) * word;
    }
};

inline constexpr Index tile_strip_bytes = Index{32} << 10;  // of tiles in a strip
inline constexpr Index most_strip_fields = 128;

/// Fields of the widest strip.
constexpr Index tile_strip_fields(Index tile) {
    const Index fields = tile_strip_bytes / tile;
    return fields < 32 ? 32 : fields > most_strip_fields ? most_strip_fields : fields;
}
/// Room for a tile that is kept, and the line behind it.
constexpr Index kept_tile(Index tile) {
    return tile + line_bytes;
}
/// Scratch of a strip: a tile of each field, a copy of a block of structures with few fields, a margin.
constexpr Index tile_strip_scratch(Index tile) {
    return tile_strip_fields(tile) * kept_tile(tile) + 16 * tile + 2 * line_bytes;
}

struct TileMovers {
    /// Reads the strip's fields of the `count` structures of a block, which are `pitch` bytes apart. With those of
    /// the block before, which `kept` holds, they complete the tiles of that block, which go to `tiles`, if that is
    /// not null. Then `kept` holds those of this block, one kept_tile() a field, from the line of h(f) on, or all
    /// of them if `tiles` is null. A strip of fewer fields than a square's side must be whole structures.
    void (*to_tiles)(const TileStrip&, const char* structures, Index pitch, Index count, char* kept, char* tiles,
                     char* scratch, bool stream);
    /// With the tiles of the block before, which `kept` holds, `tiles` of a block complete its first `count`
    /// structures, which go to `structures`; then `kept` holds `tiles`. Either of the two may be null. Where there
    /// are fewer fields than a square's side, a line behind each structure is written as well, before the
    /// structures behind it are.
    void (*to_structures)(const TileStrip&, const char* tiles, char* kept, char* structures, Index pitch,
                          Index count);
    /// The transpose of rows × columns words that lie densely, dense as well, and perhaps a line behind it.
    void (*turn)(const char* in, Index rows, Index columns, Index word, char* out);
};

struct Movers {
    const char* name;
    ElementMovers element[6];  ///< of 1, 2, 4, 8, 16 bytes, and of any other number
    TileMovers tiles[4];       ///< words of 4, 8, 16 bytes, and of any other multiple of 4
    void (*rows)(const Rows&, Range rows, char* scratch, bool stream);
    void (*finish)();  ///< what was stored past the caches is seen by all that comes later
};

inline const ElementMovers& element_movers(const Movers& all, Index element) noexcept {
    for (int log = 0; log < 5; ++log)
        if (element == Index{1} << log) return all.element[log];
    return all.element[5];
}
inline const TileMovers& tile_movers(const Movers& all, Index word) noexcept {
    return all.tiles[word == 4 ? 0 : word == 8 ? 1 : word == 16 ? 2 : 3];
}

/// Of an instruction set that this build contains and this processor has.
const Movers& movers(Instructions set) noexcept;

}  // namespace poisson3d::host_transpose
