// How kernels that work line by line are cut into blocks.
#pragma once

#include "cuda/division.cuh"
#include "cuda/launch.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::device {

using cuda::blocks;
using cuda::check;
using cuda::divide_up;
using cuda::queue;

inline constexpr int max_threads = 256;

/// A block is `along` threads along a line and `across` lines wide; a thread takes `each` lines.
struct LineGrid {
    int along, across, each;
    Index chunks, groups;

    [[nodiscard]] unsigned blocks() const { return cuda::blocks(chunks * groups); }
    [[nodiscard]] int threads() const { return along * across; }
};

/// Short lines share a block, long ones are cut evenly: nearly all threads of nearly all warps work.
inline LineGrid line_grid(Index length, Index lines, int each, int threads = max_threads) {
    const Index chunks = divide_up(length, threads);
    const auto along = static_cast<int>(divide_up(length, chunks));
    const int across = threads / along;
    return {along, across, each, chunks, divide_up(lines, static_cast<Index>(across) * each)};
}

/// The position along its lines and the first line of this thread; the others follow at distance `across`.
struct Mine {
    int position;
    Index line;
};
__device__ __forceinline__ Mine mine(const LineGrid& grid) {
    const auto [group, chunk] = cuda::divide(blockIdx.x, grid.chunks);
    const int y = static_cast<int>(threadIdx.x) / grid.along;
    const int x = static_cast<int>(threadIdx.x) - y * grid.along;
    return {static_cast<int>(chunk) * grid.along + x, group * grid.across * grid.each + y};
}

inline constexpr int each_rows = 4;  ///< rows of a thread, in sweeps over fields

/// Calls body(i, j, k) for this thread's elements of a field: lines are its rows.
template <class Body>
__device__ __forceinline__ void for_each_element(const Extents& extents, const LineGrid& grid, const Body& body) {
    const auto [k, first] = mine(grid);
    if (k >= extents[2]) return;
#pragma unroll
    for (int r = 0; r < each_rows; ++r) {
        const Index row = first + r * grid.across;
        if (row >= extents[0] * extents[1]) return;
        const auto [i, j] = cuda::divide(row, extents[1]);
        body(i, j, k);
    }
}

inline LineGrid field_grid(const Extents& extents) {
    return line_grid(extents[2], extents[0] * extents[1], each_rows);
}

}  // namespace poisson3d::device
