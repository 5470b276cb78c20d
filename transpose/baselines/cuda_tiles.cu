// One thread an element, and the tile in shared memory with its options: padding, order of tiles, regions.
//
// The tile is 32 × 32 elements moved by 32 × 8 threads: a warp reads 32 neighbours of a row and, after the barrier,
// writes 32 neighbours of a column. Unpadded, the 32 words of a tile's column lie in one bank; one more column
// spreads them over all 32 banks. block_order.hpp says which tile a block takes.
#include <algorithm>

#include "baselines/cuda_launchers.hpp"
#include "common/cuda_batch.cuh"
#include "poisson3d/block_order.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int naive_threads = 256;
constexpr int tile_side = 32;
constexpr int tile_rows = 8;

template <class Word>
__global__ void __launch_bounds__(naive_threads)
    naive_kernel(MatrixBatch m, Index blocks_per_row, const Word* __restrict__ in, Word* __restrict__ out) {
    const auto [line, block] = divide(blockIdx.x, blocks_per_row);
    const auto [b, row] = divide(line, m.rows);
    const Index column = block * naive_threads + threadIdx.x;
    if (column >= m.columns) return;
    const Offsets at = offsets(m, b);
    out[at.out + column * m.out_pitch + row] = in[at.in + row * m.in_pitch + column];
}

/// A window of tiles of one matrix, in bands of `band` columns of tiles.
struct TileWindow {
    Index columns, rows;  ///< tiles of the window
    Index first_column = 0, first_row = 0;
    Index band = 1;
};

template <class Word, int Padding>
__global__ void __launch_bounds__(tile_side* tile_rows)
    tile_kernel(MatrixBatch m, TileWindow window, const Word* __restrict__ in, Word* __restrict__ out) {
    __shared__ Word tile[tile_side][tile_side + Padding];
    const auto [b, key] = divide(blockIdx.x, window.columns * window.rows);
    const Tile at_tile = order::v1bf_tile(window.columns, window.rows, window.band, key);
    const Index column0 = (window.first_column + at_tile.column) * tile_side;
    const Index row0 = (window.first_row + at_tile.row) * tile_side;
    const Offsets at = offsets(m, b);
    const int x = threadIdx.x;
    const int y = threadIdx.y;

    const Word* from = in + at.in + (row0 + y) * m.in_pitch + column0 + x;
#pragma unroll
    for (int k = 0; k < tile_side; k += tile_rows)
        if (row0 + y + k < m.rows && column0 + x < m.columns) tile[y + k][x] = from[k * m.in_pitch];
    __syncthreads();
    Word* to = out + at.out + (column0 + y) * m.out_pitch + row0 + x;
#pragma unroll
    for (int k = 0; k < tile_side; k += tile_rows)
        if (column0 + y + k < m.columns && row0 + x < m.rows) to[k * m.out_pitch] = tile[x][y + k];
}

template <class Word, int Padding>
void launch_window(const MatrixBatch& m, const TileWindow& window, const Word* in, Word* out, cudaStream_t stream) {
    tile_kernel<Word, Padding>
        <<<blocks(window.columns * window.rows * m.count()), dim3(tile_side, tile_rows), 0, stream>>>(m, window, in,
                                                                                                      out);
    check(cudaGetLastError(), "launch of the tile transpose");
}

template <class Word>
void launch_tiles(const MatrixBatch& m, const TileOptions& options, const Word* in, Word* out,
                  cudaStream_t stream) {
    const Index columns = divide_up(m.columns, tile_side);
    const Index rows = divide_up(m.rows, tile_side);
    const auto launch = options.padded ? &launch_window<Word, 1> : &launch_window<Word, 0>;
    if (options.region == 0) {
        const Index band = options.band == 0 ? columns : options.band;
        return launch(m, {columns, rows, 0, 0, band}, in, out, stream);
    }
    for (Index row = 0; row < rows; row += options.region)
        for (Index column = 0; column < columns; column += options.region) {
            const Index width = std::min(options.region, columns - column);
            const Index height = std::min(options.region, rows - row);
            launch(m, {width, height, column, row, width}, in, out, stream);
        }
}

}  // namespace

void launch_naive(const MatrixBatch& m, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    with_word(element_bytes, [&]<class Word>(Word) {
        const Index per_row = divide_up(m.columns, naive_threads);
        naive_kernel<Word><<<blocks(per_row * m.rows * m.count()), naive_threads, 0, stream>>>(
            m, per_row, static_cast<const Word*>(in), static_cast<Word*>(out));
        check(cudaGetLastError(), "launch of the naive transpose");
    });
}

void launch_tile(const MatrixBatch& m, const TileOptions& options, int element_bytes, const void* in, void* out,
                 cudaStream_t stream) {
    with_word(element_bytes, [&]<class Word>(Word) {
        launch_tiles<Word>(m, options, static_cast<const Word*>(in), static_cast<Word*>(out), stream);
    });
}

}  // namespace poisson3d::cuda
