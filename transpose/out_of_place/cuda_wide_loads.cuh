// Tiles that are cut at boundaries on both sides: loads in aligned words of 16 bytes, stores in whole lines.
//
// A block takes a piece of a strip of columns: `segment` rows, and up to 127 bytes of further rows that its last
// output lines need. Output row c of the tile begins at the first line that begins in it, so every row of the
// output is cut elsewhere, and all lines are written whole by one block:
//
//        input rows r … r + segment + 31      output row of column c
//        ┌──────────────┐                     ····│███████│███████│····
//        │ . . c . . .  │    shared memory →      ↑ r + start_c, a boundary of 128 bytes
//        └──────────────┘
//
// The whole tile is fetched at once, past the registers (common/cuda_pieces.cuh); several blocks on a processor
// overlap one's loads with another's stores. Against the strips (cuda_strips.cu), which read elements one by one:
// a warp's load of 32 misaligned elements of 4 bytes asks for two lines and five sectors, a piece of 61 elements in
// aligned words for three lines and eight or nine sectors, and costs a tenth of the instructions.
#pragma once

#include <algorithm>

#include "common/cuda_batch.cuh"
#include "common/cuda_pieces.cuh"
#include "poisson3d/block_order.hpp"

namespace poisson3d::cuda {

/// Pitch of a piece of a row in shared memory in bytes, output rows that a block writes at most, threads, blocks;
/// `Bulk`: rows are fetched by bulk copies where the device has them (compute capability 9.0).
template <class Word, int Pitch, int Segment, int Threads, int BlocksPerProcessor, bool Bulk = false,
          bool Streaming = false>
struct WideLoadShape {
    using P = Pieces<Word, Pitch>;
    static constexpr int segment = Segment;
    static constexpr int threads = Threads;
    static constexpr int blocks = BlocksPerProcessor;
    static constexpr bool bulk = Bulk;
    static constexpr bool streaming = Streaming;
    static constexpr int spans = Segment / P::span > 6 ? (Segment / P::span + 1) / 2 : Segment / P::span;
    static constexpr int shared_bytes = P::bytes(Segment + P::line - 1);
    static_assert(Segment % P::span == 0 && Segment % P::line == 0 && Threads % 32 == 0);
};

/// How a matrix is cut, and the order blocks take the pieces in, as for strips.
struct WideLoadGrid {
    Index strips, segments, band;
    int columns, rows;  ///< of a tile: columns read, rows written
    bool uniform;       ///< all output rows begin equally far behind a line's beginning
};

/// Returns when the rows [first, rows) are in shared memory and all threads may read them.
template <class Shape>
__device__ __forceinline__ void fetch_tile(unsigned char* shared, const unsigned char* from, Index stride,
                                           int first, int rows, int length, Readable readable) {
    using P = typename Shape::P;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if constexpr (Shape::bulk)
        if (lies_inside(from, stride, rows, length, readable))
            return copy_pieces_in_bulk<P, Shape::threads>(shared, from, stride, first, rows, length);
#endif
    fetch_pieces<P, Shape::threads>(shared, from, stride, first, rows, length, readable);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    wide_load_kernel(MatrixBatch m, WideLoadGrid grid, Readable readable, const unsigned char* __restrict__ in,
                     unsigned char* __restrict__ out) {
    using P = typename Shape::P;
    extern __shared__ __align__(16) unsigned char shared[];
    const auto [b, key] = divide(blockIdx.x, grid.strips * grid.segments);
    const Tile tile = order::v1bf_tile(grid.strips, grid.segments, grid.band, key);
    const Offsets at = offsets(m, b);
    const Index row0 = tile.row * grid.rows;
    const Index column0 = tile.column * grid.columns;
    const int columns = static_cast<int>(min(static_cast<Index>(grid.columns), m.columns - column0));
    const Index left = m.rows - row0;
    const unsigned char* const from = in + (at.in + row0 * m.in_pitch + column0) * P::size;
    unsigned char* const to = out + (at.out + column0 * m.out_pitch + row0) * P::size;
    const Index in_stride = m.in_pitch * P::size;
    const Index out_stride = m.out_pitch * P::size;

    // The first row of a column that begins a line of its output row.
    const auto start = [&](const unsigned char* row) { return (128 - behind_boundary(row, 128)) % 128 / P::size; };
    const int all_start = start(to);
    const int needed = grid.rows + (grid.uniform ? all_start : P::line - 1);
    const int rows = static_cast<int>(min(static_cast<Index>(needed), left));
    const int first = grid.uniform && row0 > 0 ? min(all_start, rows) : 0;
    fetch_tile<Shape>(shared, from, in_stride, first, rows, columns * P::size, readable);

    PieceColumn column{shared, behind_boundary(from, 16), static_cast<int>(in_stride & 15)};
    const int warp = static_cast<int>(threadIdx.x) / 32;
    for (int c = warp; c < columns; c += Shape::threads / 32) {
        unsigned char* const row = to + c * out_stride;
        const int begin = start(row);
        column.shared = shared + c * P::size;
        // The first piece of an output row has what lies before its first whole line as well.
        store_column<P, Shape::spans, Shape::streaming>(
            column, row, row0 == 0 && begin > 0 ? begin - P::line : begin, min(begin + grid.rows, rows));
    }
}

/// `count` matrices of rows × columns in tiles of near-equal size, at most `most` columns, a multiple of `unit`,
/// and shorter while the matrix is too small to fill a large GPU. `band` 0: chosen.
template <class Shape>
WideLoadGrid cut_into_tiles(Index rows, Index columns, Index count, Index most, Index unit, Index band) {
    using P = typename Shape::P;
    WideLoadGrid grid{};
    const Index width = divide_up(divide_up(columns, divide_up(columns, most)), unit) * unit;
    grid.columns = static_cast<int>(width);
    grid.strips = divide_up(columns, width);
    constexpr Index enough_blocks = 1024;
    Index segment = Shape::segment;
    while (segment > P::span && grid.strips * count * divide_up(rows, segment) < enough_blocks) segment -= P::span;
    grid.rows = static_cast<int>(divide_up(divide_up(rows, divide_up(rows, segment)), P::line) * P::line);
    grid.segments = divide_up(rows, grid.rows);
    // Short rows are best read whole; in long ones a narrow band keeps the writes together.
    if (band == 0) band = grid.strips <= 64 ? 32 : 2;
    grid.band = std::clamp<Index>(band, 1, grid.strips);
    return grid;
}

template <class Shape>
WideLoadGrid make_wide_load_grid(const MatrixBatch& m, Index band, const void* in) {
    using P = typename Shape::P;
    const auto multiple = [&](const void* pointer, Index pitch, const BatchIndices& batch, Index of) {
        auto bits = reinterpret_cast<std::uintptr_t>(pointer) | static_cast<std::uintptr_t>(pitch * P::size);
        for (int d = 0; d < 2; ++d)
            if (m.batch[d] > 1) bits |= static_cast<std::uintptr_t>(batch[d] * P::size);
        return bits % static_cast<std::uintptr_t>(of) == 0;
    };
    const bool aligned = multiple(in, m.in_pitch, m.in_batch, 16);
    WideLoadGrid grid = cut_into_tiles<Shape>(
        m.rows, m.columns, m.count(), aligned ? P::aligned_columns : P::columns, aligned ? P::group : 1, band);
    grid.uniform = m.out_pitch * P::size % 128 == 0;
    return grid;
}

template <class Shape>
void launch_wide_load_shape(const MatrixBatch& m, Index band, const void* in, void* out, cudaStream_t stream) {
    using P = typename Shape::P;
    const WideLoadGrid grid = make_wide_load_grid<Shape>(m, band, in);
    const auto* const from = static_cast<const unsigned char*>(in);
    const Index last =
        (m.rows - 1) * m.in_pitch + m.columns + (m.batch[0] - 1) * m.in_batch[0] + (m.batch[1] - 1) * m.in_batch[1];
    const int bytes = P::bytes(grid.rows + P::line - 1);
    allow_shared(wide_load_kernel<Shape>, Shape::shared_bytes);
    wide_load_kernel<Shape><<<blocks(grid.strips * grid.segments * m.count()), Shape::threads, bytes, stream>>>(
        m, grid, {from, from + last * P::size}, from, static_cast<unsigned char*>(out));
    check(cudaGetLastError(), "launch of the transpose by wide loads");
}

}  // namespace poisson3d::cuda
