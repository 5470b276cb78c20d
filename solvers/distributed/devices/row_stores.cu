#include <algorithm>
#include <cstdint>

#include "cuda/division.cuh"
#include "cuda/launch.hpp"
#include "row_stores.hpp"
#include "row_tiles.hpp"

namespace poisson3d {

namespace {

constexpr int block_threads = 256, each = RowTiles::size / block_threads;
/// So many blocks have a megabyte on its way, more than a link holds.
constexpr Index most_blocks = 64;

struct Rows {
    Index run, runs, source_stride, target_stride;  ///< in vectors
};

/// Of a tile all vectors are read before the first is written.
template <class Vector>
__global__ void __launch_bounds__(block_threads)
    rows_kernel(Vector* __restrict__ target, const Vector* __restrict__ source, Rows rows) {
    const RowTiles tiles(rows.runs, rows.run);
    for (Index tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
        const cuda::Division where = cuda::divide(tile, tiles.across);
        const auto place = [&](int i) {
            return tiles.place(where.quotient, where.remainder, i * block_threads + static_cast<int>(threadIdx.x));
        };
        Vector vectors[each];
#pragma unroll
        for (int i = 0; i < each; ++i)
            if (const RowTiles::Place at = place(i); tiles.has(at))
                vectors[i] = source[at.row * rows.source_stride + at.at];
#pragma unroll
        for (int i = 0; i < each; ++i)
            if (const RowTiles::Place at = place(i); tiles.has(at))
                target[at.row * rows.target_stride + at.at] = vectors[i];
    }
}

template <class Vector>
void launch_rows(const Transfer& t, Stream stream) {
    constexpr auto size = static_cast<Index>(sizeof(Vector));
    const Rows rows{t.run / size, t.runs, t.source_stride / size, t.target_stride / size};
    const Index tiles = RowTiles(rows.runs, rows.run).count();
    if (tiles == 0) return;
    rows_kernel<<<cuda::blocks(std::min(tiles, most_blocks)), block_threads, 0, cuda::queue(stream)>>>(
        reinterpret_cast<Vector*>(t.target), reinterpret_cast<const Vector*>(t.source), rows);
    cuda::check(cudaGetLastError(), "stores into the memory of another device");
}

}  // namespace

void store_rows(const Transfer& t, Stream stream) {
    const auto address = [](const std::byte* place) { return reinterpret_cast<std::uintptr_t>(place); };
    const auto all = address(t.source) | address(t.target) | static_cast<std::uintptr_t>(t.run) |
                     static_cast<std::uintptr_t>(t.source_stride) | static_cast<std::uintptr_t>(t.target_stride);
    if (all % sizeof(uint4) == 0)
        launch_rows<uint4>(t, stream);
    else if (all % sizeof(uint2) == 0)
        launch_rows<uint2>(t, stream);
    else
        launch_rows<unsigned>(t, stream);
}

}  // namespace poisson3d
