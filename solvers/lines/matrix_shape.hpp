// How warps share the matrices of units of q elements (matrix_units.hpp), and the order of these in tables. Host
// and device share this file.
#pragma once

#include "host_device.hpp"

namespace poisson3d::lines {

/// Tiles of results that a warp has at most, of real DFTs and of complex ones.
inline constexpr int most_real_tiles = 4, most_complex_tiles = 2;

/// How the results of a unit of q elements are shared out: `tiles` of 8, at most `most`, to each of `warps`.
/// Elements go in by four, `depth` times.
struct MatrixShape {
    int tiles = 0, warps = 0, depth = 0;
    int numbers = 0;  ///< of both matrices
    MatrixShape() = default;
    MatrixShape(int q, int most) {
        const int half = q / 2 + 1;
        const int all = (half + 7) / 8;
        warps = all <= most ? 1 : all <= 2 * most ? 2 : 4;
        tiles = (all + warps - 1) / warps;
        depth = (half + 3) / 4;
        numbers = depth * tiles * warps * 32;
    }
    /// Whether blocks have the matrices in shared memory, 36 KiB at most: of up to 95 elements, complex ones 71.
    [[nodiscard]] POISSON3D_HD bool in_shared() const { return numbers <= 2304; }
};

/// The matrices of both steps of a line, as places in a table.
struct MatrixPlaces {
    int first, second;
};

/// Element (j, k) of the matrices in the table: cosine and sine are one entry.
inline int matrix_entry(const MatrixShape& shape, int j, int k) {
    const int all = shape.tiles * shape.warps;
    const int column = k % 4 * 2 + k % 8 / 4;  // k = t and t + 4 in the columns of thread t
    return ((j / 4 * all + k / 8) * 8 + column) * 4 + j % 4;
}

}  // namespace poisson3d::lines
