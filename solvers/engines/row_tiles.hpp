// Rows of a rectangle in tiles, one of which is moved by a block of threads at a time: neighbouring threads have
// neighbours of a row, and short rows stand side by side in a tile.
#pragma once

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

struct RowTiles {
    static constexpr int size = 1024;
    Index rows, run;
    int width = 0;  ///< a tile has 2^width places of a row, so that a row of up to `size` fits in one
    Index across;   ///< tiles of a row

    POISSON3D_HD RowTiles(Index rows_, Index run_) : rows(rows_), run(run_) {
        while ((1 << width) < size && (Index{1} << width) < run) ++width;
        across = (run + (Index{1} << width) - 1) >> width;
    }
    [[nodiscard]] POISSON3D_HD Index count() const {
        const Index high = size >> width;
        return (rows + high - 1) / high * across;
    }

    struct Place {
        Index row, at;  ///< outside where row >= rows or at >= run
    };
    /// Number n of a tile that is `down` tiles below the first and `right` ones beside it.
    [[nodiscard]] POISSON3D_HD Place place(Index down, Index right, int n) const {
        return {down * (size >> width) + (n >> width), (right << width) + (n & ((1 << width) - 1))};
    }
    [[nodiscard]] POISSON3D_HD bool has(const Place& place) const { return place.row < rows && place.at < run; }
};

}  // namespace poisson3d
