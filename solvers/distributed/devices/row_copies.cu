#include <algorithm>
#include <cstdint>

#include "cuda/division.cuh"
#include "cuda/launch.hpp"
#include "row_copies.hpp"
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

void copy(std::byte* target, Index target_stride, const std::byte* source, Index source_stride, Index run,
          Index runs, Stream stream) {
    const auto bytes = [](Index count) { return static_cast<std::size_t>(count); };
    const bool one = runs == 1 || (source_stride == run && target_stride == run);
    const cudaError_t status =
        one ? cudaMemcpyAsync(target, source, bytes(run * runs), cudaMemcpyDefault, cuda::queue(stream))
            : cudaMemcpy2DAsync(target, bytes(target_stride), source, bytes(source_stride), bytes(run), bytes(runs),
                                cudaMemcpyDefault, cuda::queue(stream));
    cuda::check(status, "copy between members");
}

}  // namespace

void copy_rows(const Transfer& t, Stream stream) {
    copy(t.target, t.target_stride, t.source, t.source_stride, t.run, t.runs, stream);
}
void pack_rows(const Transfer& t, std::byte* packed, Stream stream) {
    copy(packed, t.run, t.source, t.source_stride, t.run, t.runs, stream);
}
void unpack_rows(const Transfer& t, const std::byte* packed, Stream stream) {
    copy(t.target, t.target_stride, packed, t.run, t.run, t.runs, stream);
}

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
