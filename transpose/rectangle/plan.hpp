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
    save_rest,  ///< c2r: the `rest` last columns go to scratch, and the rows close up; r2c: the `rest` last rows do
    restore_rest,  ///< c2r: they become the last rows; r2c: the rows open up, and they become the last columns
};

/// c2r reads the skewed or shuffled side of a step and writes the straight one, r2c the reverse.
enum class Direction { c2r, r2c };

/// Reads and writes all elements once.
struct Sweep {
    Kind kind = Kind::rows;
    Direction direction = Direction::c2r;
    Matrices matrices;
    bool permuted = false;  ///< columns: π = q, else the identity
    Index divisor = 1;      ///< columns: elements of a row with the same skew
    Index rest = 0;         ///< save_rest, restore_rest: items of a row
};

/// What a device holds on chip, or a host thread in its cache, in bytes.
struct Capacity {
    Index row = 0;    ///< of a row of items, or of pieces of them
    Index piece = 0;  ///< of an item: the least that one access should have
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
