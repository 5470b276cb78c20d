// What stands where in the memory of a matrix in tiles (line_matrix.hpp), the other way round: from the place to
// the row and the column, as it is written.
#pragma once

#include "line_matrix.hpp"

namespace poisson3d::fused {

/// The element at a place in memory: by_rows(row, column) of the matrix that the parts were made of, or 0.
template <class ByRows>
constexpr POISSON3D_HD double element_at(const LineMatrix& matrix, Index place, const ByRows& by_rows) {
    constexpr Index tile_size = tile_side * tile_side;
    const Index tile = place / tile_size, tile_row = tile / matrix.column_tiles();
    const auto within = static_cast<int>(place % tile_size), lane = within % 64 / 2;
    const bool second = tile_row >= matrix.row_tiles();
    const Index row = (second ? tile_row - matrix.row_tiles() : tile_row) * tile_side + lane / 4 + within % 2 * 8;
    const Index column = tile % matrix.column_tiles() * tile_side + within / 64 * 4 + lane % 4;
    if (row >= matrix.even || column >= matrix.columns()) return 0;
    if (!second) return row < matrix.unknowns ? by_rows(row, column) : 0;
    const Index h = matrix.even;
    switch (matrix.fold) {
        case Fold::none: return h + row < matrix.unknowns ? by_rows(h + row, column) : 0;
        case Fold::before: return matrix.paired(column) && h + row < matrix.unknowns ? by_rows(h + row, column) : 0;
        case Fold::after: return matrix.paired(row) && h + column < matrix.unknowns ? by_rows(row, h + column) : 0;
    }
    return 0;
}

}  // namespace poisson3d::fused
