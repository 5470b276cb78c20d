// Block orders: exact integer maps between a linear block number (the key) and a tile, so that the order in which
// blocks take the tiles of a matrix is a parameter and the kernels do not change. Host and device share them.
//
// Triangle: the tiles below the diagonal (column < row) of m × m tiles, m(m−1)/2 keys. With the diagonal it is the
// triangle of m + 1, one row up (Diagonal::included). Applied to elements instead of tiles, v1 is the thread-wise
// order. Rectangle: all tiles of `columns` × `rows`.
//
// Exact for m < 2^30 and for products that fit 63 bits: square roots are taken in double and then corrected in
// integers, so that a key on either side of a row's start never lands in the wrong row.
#pragma once

#include <string_view>

#include "poisson3d/export.hpp"
#include "poisson3d/grid.hpp"

#ifdef __CUDACC__
#define POISSON3D_BLOCK_HD __host__ __device__
#else
#define POISSON3D_BLOCK_HD
#endif

namespace poisson3d {

enum class BlockOrder {
    automatic,
    row_major,     ///< rectangle
    column_major,  ///< rectangle: v1bf with bands of width 1
    v1bf,          ///< rectangle: vertical bands, rows inside
    v1,            ///< triangle: rows, left to right
    v1r,           ///< triangle: rows, right to left
    v2,            ///< triangle: columns, top to bottom
    v1b,           ///< triangle: vertical bands, rows inside
};
POISSON3D_API const char* name(BlockOrder order) noexcept;  ///< "row-major", "v1bf", …
/// The reverse of name(); throws Error{usage} listing the words that exist.
POISSON3D_API BlockOrder parse_block_order(std::string_view word);

constexpr POISSON3D_BLOCK_HD bool is_triangular(BlockOrder order) noexcept {
    return order >= BlockOrder::v1;
}

enum class Diagonal { excluded, included };

struct Tile {
    Index column = 0;  ///< x in the literature
    Index row = 0;     ///< y

    friend constexpr POISSON3D_BLOCK_HD bool operator==(Tile a, Tile b) {
        return a.column == b.column && a.row == b.row;
    }
};

namespace order {

// ---- Sums ----

/// 0 + 1 + … + (t − 1): the key of the first tile of row t.
constexpr POISSON3D_BLOCK_HD Index below(Index t) {
    return t * (t - 1) / 2;
}
/// 0 + 1 + … + t.
constexpr POISSON3D_BLOCK_HD Index up_to(Index t) {
    return t * (t + 1) / 2;
}
constexpr POISSON3D_BLOCK_HD Index least(Index a, Index b) {
    return a < b ? a : b;
}

/// √x to about one unit in the last place; callers correct the rest in integers.
constexpr POISSON3D_BLOCK_HD double root(double x) {
    if (__builtin_is_constant_evaluated()) {
        double r = x > 1 ? x : 1;
        double next = (r + x / r) / 2;
        while (next < r) {  // Newton from above falls until rounding stops it
            r = next;
            next = (r + x / r) / 2;
        }
        return r;
    }
#ifdef __CUDA_ARCH__
    return ::sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}

/// The row of key k in a triangle in order of rows: the t with below(t) ≤ k < below(t + 1).
constexpr POISSON3D_BLOCK_HD Index row_of(Index k) {
    Index t = static_cast<Index>((root(static_cast<double>(8 * k + 1)) + 1) / 2);
    while (below(t) > k) --t;
    while (below(t + 1) <= k) ++t;
    return t;
}

// ---- Triangle, diagonal excluded: keys of a tile with column < row, and back ----

constexpr POISSON3D_BLOCK_HD Index v1_key(Tile tile) {
    return below(tile.row) + tile.column;
}
constexpr POISSON3D_BLOCK_HD Tile v1_tile(Index k) {
    const Index row = row_of(k);
    return {k - below(row), row};
}

constexpr POISSON3D_BLOCK_HD Index v1r_key(Tile tile) {
    return up_to(tile.row) - tile.column - 1;
}
constexpr POISSON3D_BLOCK_HD Tile v1r_tile(Index k) {
    const Index row = row_of(k);
    return {up_to(row) - 1 - k, row};
}

/// The first key of column x.
constexpr POISSON3D_BLOCK_HD Index v2_start(Index m, Index x) {
    return x * (m - 1) - below(x);
}
constexpr POISSON3D_BLOCK_HD Index v2_key(Index m, Tile tile) {
    return v2_start(m, tile.column) + (tile.row - tile.column - 1);
}
constexpr POISSON3D_BLOCK_HD Tile v2_tile(Index m, Index k) {
    // Read backwards, the columns are the rows of a triangle.
    const Index column = m - 1 - row_of(below(m) - 1 - k);
    return {column, k - v2_start(m, column) + column + 1};
}

/// The first key of band i of width w: what lies left of it, of all m rows, less the triangle on top.
constexpr POISSON3D_BLOCK_HD Index v1b_start(Index m, Index w, Index i) {
    return i * w * m - up_to(i * w);
}
constexpr POISSON3D_BLOCK_HD Index v1b_key(Index m, Index w, Tile tile) {
    const Index band = tile.column / w;
    const Index column = tile.column - band * w;
    const Index row = tile.row - band * w;
    const Index inside = row <= w ? below(row) + column : up_to(w) + (row - w - 1) * w + column;
    return v1b_start(m, w, band) + inside;
}
constexpr POISSON3D_BLOCK_HD Tile v1b_tile(Index m, Index w, Index k) {
    const Index last = (m - 1 + w - 1) / w - 1;
    const double a = static_cast<double>(2 * m - 1);
    // b(t/w) = k solved for t: a triangle on top (rows ≤ w), full rows of w below it.
    const double left = a * a - 8 * static_cast<double>(k);
    Index band = static_cast<Index>((a - root(left > 0 ? left : 0)) / static_cast<double>(2 * w));
    band = least(band, last);
    while (band > 0 && v1b_start(m, w, band) > k) --band;
    while (band < last && v1b_start(m, w, band + 1) <= k) ++band;
    const Index inside = k - v1b_start(m, w, band);
    const Index top = up_to(w);
    if (inside < top) {
        const Index row = row_of(inside);
        return {inside - below(row) + band * w, row + band * w};
    }
    const Index rest = inside - top;
    return {rest % w + band * w, (band + 1) * w + rest / w + 1};
}

// ---- Full rectangle ----

constexpr POISSON3D_BLOCK_HD Index row_major_key(Index columns, Tile tile) {
    return tile.row * columns + tile.column;
}
constexpr POISSON3D_BLOCK_HD Tile row_major_tile(Index columns, Index k) {
    const Index row = k / columns;
    return {k - row * columns, row};
}

constexpr POISSON3D_BLOCK_HD Index column_major_key(Index rows, Tile tile) {
    return tile.column * rows + tile.row;
}
constexpr POISSON3D_BLOCK_HD Tile column_major_tile(Index rows, Index k) {
    const Index column = k / rows;
    return {column, k - column * rows};
}

constexpr POISSON3D_BLOCK_HD Index v1bf_key(Index columns, Index rows, Index w, Tile tile) {
    const Index first = tile.column / w * w;
    return first * rows + tile.row * least(w, columns - first) + (tile.column - first);
}
constexpr POISSON3D_BLOCK_HD Tile v1bf_tile(Index columns, Index rows, Index w, Index k) {
    const Index band = k / (w * rows);
    const Index first = band * w;
    const Index inside = k - first * rows;
    const Index width = least(w, columns - first);
    const Index row = inside / width;
    return {first + inside - row * width, row};
}

// ---- By name ----

/// Tiles of the triangle of m × m tiles.
constexpr POISSON3D_BLOCK_HD Index triangle_keys(Index m, Diagonal diagonal) {
    return diagonal == Diagonal::included ? up_to(m) : below(m);
}

/// Tile number k of the triangle of m × m tiles in one of the orders v1, v1r, v2, v1b; `w` is v1b's band.
template <BlockOrder Order>
constexpr POISSON3D_BLOCK_HD Tile triangle_tile(Index m, Index w, Diagonal diagonal, Index k) {
    static_assert(is_triangular(Order), "an order of the full rectangle");
    const Index shift = diagonal == Diagonal::included ? 1 : 0;
    Tile tile;
    if constexpr (Order == BlockOrder::v1) tile = v1_tile(k);
    if constexpr (Order == BlockOrder::v1r) tile = v1r_tile(k);
    if constexpr (Order == BlockOrder::v2) tile = v2_tile(m + shift, k);
    if constexpr (Order == BlockOrder::v1b) tile = v1b_tile(m + shift, w, k);
    tile.row -= shift;
    return tile;
}

template <BlockOrder Order>
constexpr POISSON3D_BLOCK_HD Index triangle_key(Index m, Index w, Diagonal diagonal, Tile tile) {
    static_assert(is_triangular(Order), "an order of the full rectangle");
    const Index shift = diagonal == Diagonal::included ? 1 : 0;
    tile.row += shift;
    if constexpr (Order == BlockOrder::v1) return v1_key(tile);
    if constexpr (Order == BlockOrder::v1r) return v1r_key(tile);
    if constexpr (Order == BlockOrder::v2) return v2_key(m + shift, tile);
    if constexpr (Order == BlockOrder::v1b) return v1b_key(m + shift, w, tile);
}

/// The same for an order that is known only when the program runs: a branch that all threads of a block take alike.
constexpr POISSON3D_BLOCK_HD Tile triangle_tile(BlockOrder order, Index m, Index w, Diagonal diagonal, Index k) {
    switch (order) {
        case BlockOrder::v1r: return triangle_tile<BlockOrder::v1r>(m, w, diagonal, k);
        case BlockOrder::v2: return triangle_tile<BlockOrder::v2>(m, w, diagonal, k);
        case BlockOrder::v1b: return triangle_tile<BlockOrder::v1b>(m, w, diagonal, k);
        default: return triangle_tile<BlockOrder::v1>(m, w, diagonal, k);
    }
}

/// Tile number k of columns × rows tiles. All three orders are v1bf: bands as wide as the matrix are rows, bands of
/// width 1 are columns; so the band is what a kernel is given, and this is where it comes from.
constexpr Index rectangle_band(BlockOrder order, Index columns, Index w) {
    return order == BlockOrder::row_major ? columns : order == BlockOrder::column_major ? 1 : least(w, columns);
}

}  // namespace order

}  // namespace poisson3d
