// The plan of a rectangle in place: which sweeps over which matrices, the same for host and device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/matrices.hpp"
#include "rectangle/maps.hpp"

namespace poisson3d::rectangle {

/// Matrices of m rows × n columns, a column being `item` elements wide, as the steps see them.
struct Matrices {
    Index m = 0, n = 0, item = 1;
    BatchIndices batch{1, 1};
    BatchIndices batch_stride{0, 0};  ///< in elements

    [[nodiscard]] constexpr Index pitch() const { return n * item; }  ///< elements of a row
    [[nodiscard]] constexpr Index count() const { return batch[0] * batch[1]; }
    [[nodiscard]] constexpr Index offset(Index number) const { return batch_offset(number, batch, batch_stride); }
};

enum class Kind {
    columns,    ///< element (k, x) moves between row π(k) and row k + ⌊x/divisor⌋ mod m
    rows,       ///< item j of row i moves between j and d(i, j)
    set_aside,  ///< c2r: `rest` more columns behind the n go to scratch, rows close up; r2c: rows behind the n do
    put_back,   ///< c2r: they become the last rows; r2c: rows open up, they become the last columns
};

/// Which side of a step is read, and which is written.
enum class Direction { c2r, r2c };

/// One reading and writing of everything.
struct Sweep {
    Kind kind = Kind::rows;
    Direction direction = Direction::c2r;  ///< c2r reads the skewed and writes the shuffled side
    Matrices matrices;
    bool permuted = false;  ///< columns: π = q, else the identity
    Index divisor = 1;      ///< columns: elements of a row with the same skew
    Index rest = 0;         ///< set_aside, put_back: items of a row
};

/// What an engine holds on chip, or wants to hold in cache, in bytes.
struct Capacity {
    Index row = 0;    ///< of a row of items, or of pieces of them
    Index piece = 0;  ///< of an item: what one access should have at least
};

/// A long row of n = blocks · length + rest items, cut so that the two parts of the transpose have rows that fit.
struct Cut {
    Index blocks = 1, length = 0, rest = 0;
};
/// The cut that takes the fewest sweeps with m rows, of those the one with the smallest rest.
Cut cut_rows(Index m, Index n, Index item_bytes, Index piece_bytes);

/// The sweeps, in order.
std::vector<Sweep> plan_sweeps(const DenseMatrices& matrices, const Capacity& capacity);

/// π of a sweep of permuted columns.
std::vector<std::uint32_t> row_order(const Matrices& matrices);

/// "2 sweeps of 513 × 357700"
std::string describe(const std::vector<Sweep>& sweeps);

}  // namespace poisson3d::rectangle
