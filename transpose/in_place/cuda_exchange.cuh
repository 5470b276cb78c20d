// Squares in place: which tile of which square a block exchanges with its mirror image, for all kernels that do.
#pragma once

#include <algorithm>

#include "common/cuda_batch.cuh"
#include "in_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

/// A window of tiles: of the triangle of `side` tiles if columns = 0, else side × columns tiles, all below the
/// diagonal; its first tile is (first_column, first_row).
struct TriangleWindow {
    Index side, columns = 0;
    Index first_column = 0, first_row = 0;
    BlockOrder order = BlockOrder::v1b;
    Index band = 16;

    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index keys() const {
        return columns > 0 ? side * columns : order::triangle_keys(side, Diagonal::included);
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Tile tile(Index key) const {
        const Tile inside = columns > 0 ? order::row_major_tile(columns, key)
                                        : order::triangle_tile(order, side, band, Diagonal::included, key);
        return {first_column + inside.column, first_row + inside.row};
    }
};

/// Which tile of which square a block has.
struct ExchangeTask {
    Index offset;  ///< of the square, in elements
    Tile tile;
};

/// Task number k of all tiles of the window in all squares, square by square.
__device__ __forceinline__ ExchangeTask exchange_task(const Squares& s, const TriangleWindow& window, Index k) {
    if (s.count() == 1) return {0, window.tile(k)};
    const auto [b, key] = divide(k, window.keys());
    return {offset_in_batch(b, s.batch, s.batch_stride), window.tile(key)};
}

/// Calls launch(window) for the whole triangle of tiles, or for each region of it.
template <class Launch>
void for_each_window(Index tiles, const TriangleOrder& order, const Launch& launch) {
    TriangleWindow window{tiles, 0, 0, 0, order.order, order.band};
    if (order.region == 0) return launch(window);
    for (Index row = 0; row < tiles; row += order.region)
        for (Index column = 0; column <= row; column += order.region) {
            window.side = std::min(order.region, tiles - row);
            window.columns = column < row ? order.region : 0;
            window.first_row = row;
            window.first_column = column;
            launch(window);
        }
}

}  // namespace poisson3d::cuda
