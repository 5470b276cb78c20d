// A matrix that lines are multiplied with (line_product.hpp), as the kernel reads it: in tiles of 16 × 16, each in
// the order in which the threads of a warp hold it for one instruction of the tensor cores (PTX ISA, "Matrix
// fragments for mma.m16n8k16 with floating point type").
//
// There are two parts, which have the same rows and columns of tiles: E and O, or the upper and the lower rows of a
// matrix without symmetry. What a part lacks is filled up with zeros.
#pragma once

#include <vector>

#include "host_device.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::fused {

/// Which half of the work symmetry saves: none; pairs of samples are added and subtracted before the products, or
/// pairs of results after them.
enum class Fold : std::uint8_t { none, before, after };

inline constexpr int tile_side = 16;

constexpr POISSON3D_HD int tiles(Index number) {
    return static_cast<int>((number + tile_side - 1) / tile_side);
}

struct LineMatrix {
    const double* data = nullptr;  ///< see tile_element()
    Index unknowns = 0;            ///< n
    Index even = 0;                ///< h: of them, and of columns; without symmetry: rows of the first part
    Fold fold = Fold::none;
    bool periodic = false;

    [[nodiscard]] constexpr POISSON3D_HD Index columns() const { return fold == Fold::none ? unknowns : even; }
    [[nodiscard]] constexpr POISSON3D_HD int row_tiles() const { return tiles(even); }
    [[nodiscard]] constexpr POISSON3D_HD int column_tiles() const { return tiles(columns()); }
    [[nodiscard]] constexpr POISSON3D_HD Index size() const {
        return Index{2} * row_tiles() * column_tiles() * tile_side * tile_side;
    }
    /// r(k) = center() − k
    [[nodiscard]] constexpr POISSON3D_HD Index center() const { return periodic ? unknowns : unknowns - 1; }
    /// Which k < h have a partner that is another one: all from this one on, as many as there are odd modes.
    [[nodiscard]] constexpr POISSON3D_HD Index first_pair() const { return periodic ? 1 : 0; }
    [[nodiscard]] constexpr POISSON3D_HD bool paired(Index k) const {
        return k >= first_pair() && k - first_pair() < unknowns - even;
    }
};

/// Where element (row, column) of a part is in memory.
constexpr POISSON3D_HD Index tile_element(const LineMatrix& matrix, int part, Index row, Index column) {
    const Index tile = (part * matrix.row_tiles() + row / tile_side) * matrix.column_tiles() + column / tile_side;
    const auto i = static_cast<int>(row % tile_side), k = static_cast<int>(column % tile_side);
    const int lane = 4 * (i % 8) + k % 4;
    return tile * (tile_side * tile_side) + k / 4 * 64 + 2 * lane + i / 8;
}

/// What lines along an axis are multiplied with on the way to their modes, or back (lines::LineModes), without the
/// elements.
LineMatrix line_matrix(const Axis& axis, bool forward);

/// Its elements, from a matrix by rows. `team`: who sorts them, null for the caller alone.
std::vector<double> tiled(const LineMatrix& matrix, const std::vector<double>& by_rows, ThreadTeam* team = nullptr);

}  // namespace poisson3d::fused
