// The production transpose: strips of columns, from top to bottom, stores cut at 128-byte boundaries.
//
// A block takes a strip of `columns` input columns and goes down it, `step` rows at a time. The rows are kept in
// shared memory as a ring per column, so that what reaches beyond the last whole 128-byte line of an output row
// waits for the next step instead of being written in two parts:
//
//        input rows r … r + step            output row of column c
//        ┌──────────────┐                   ······│███████│███████│▒▒▒
//      r │ . . c . . .  │   ring of c  →          ↑ r − d_c               ▒ waits in the ring
//        │ . . c . . .  │                         a 128-byte boundary: d_c = address of (c, r) mod 128 bytes
//        └──────────────┘
//
// So odd sizes write whole lines too. A block takes a few steps (a segment); another block continues, and reads the
// rows that its first lines begin with, up to 127 bytes of them, once more. Segments of one strip run at the same
// time, which lets the second-level cache complete what is still cut, and keeps writes close together. Rows are
// fetched into registers while the previous step is being written.
//
// Bank conflicts: none. Rings have an odd pitch, so a warp writing one row into 32 rings, and a warp reading 32
// neighbours of one ring, uses every bank once.
#pragma once

#include <algorithm>

#include "common/cuda_batch.cuh"
#include "out_of_place/cuda_launchers.hpp"
#include "poisson3d/block_order.hpp"

namespace poisson3d::cuda {

/// `Trimmed`: segments are a line shorter than so many steps, and the rows behind them that complete their last
/// lines fill the last step instead of beginning one more.
template <class WordType, int Columns, int Step, int Threads, int BlocksPerProcessor, int SegmentRows,
          bool Trimmed = false>
struct StripShape {
    using Word = WordType;
    static constexpr int columns = Columns;
    static constexpr int step = Step;
    static constexpr int threads = Threads;
    static constexpr int blocks_per_processor = BlocksPerProcessor;
    static constexpr int segment_rows = SegmentRows;
    static constexpr bool trimmed = Trimmed;
    static constexpr int line = 128 / static_cast<int>(sizeof(Word));  ///< elements of a 128-byte line
    static constexpr int ring = 2 * step;                              ///< rows a column's ring holds
    static constexpr int ring_pitch = ring + 1;
    static constexpr int per_thread = columns * step / threads;
    static_assert(step % line == 0 && ring >= step + line - 1, "the ring must hold a step and what waits");
    static_assert((ring & (ring - 1)) == 0, "ring positions are masked");
    static_assert(threads % step == 0 && threads % columns == 0, "a thread keeps its column and its row");
};

/// What the store of one column needs, in one 16-byte broadcast.
template <class Word>
struct alignas(16) ColumnWindow {
    Word* to;     ///< where relative row d of the segment would go
    int end;      ///< relative rows below it are written …
    int begin_d;  ///< … from begin_d / 256 on; d = begin_d % 256 is the distance to the line's boundary
};

template <class Shape>
constexpr int strip_shared_bytes() {
    using Word = typename Shape::Word;
    return Shape::columns * static_cast<int>(sizeof(ColumnWindow<Word>)) +
           Shape::columns * Shape::ring_pitch * static_cast<int>(sizeof(Word));
}

/// How a matrix is cut, and the order blocks take the pieces in: bands of `band` strips, taken from top to bottom
/// segment by segment (block_order.hpp, V1BF), so that what runs at one time is wide enough to read and tall enough
/// to write long runs.
struct StripGrid {
    Index strips, segments, segment_rows, band;
    bool whole;  ///< every segment of every output row begins a line: nothing is to be completed
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks_per_processor)
    strip_kernel(MatrixBatch m, StripGrid grid, const typename Shape::Word* __restrict__ in,
                 typename Shape::Word* __restrict__ out) {
    using Word = typename Shape::Word;
    constexpr int load_rows = Shape::threads / Shape::columns;
    constexpr int store_columns = Shape::threads / Shape::step;
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const windows = reinterpret_cast<ColumnWindow<Word>*>(shared);
    auto* const rings = reinterpret_cast<Word*>(windows + Shape::columns);

    const auto [b, key] = divide(blockIdx.x, grid.strips * grid.segments);
    const Tile piece = order::v1bf_tile(grid.strips, grid.segments, grid.band, key);
    const Index strip = piece.column;
    const Index segment = piece.row;
    const Offsets at = offsets(m, b);
    const Index row0 = segment * grid.segment_rows;
    if (row0 >= m.rows) return;
    const bool at_end = row0 + grid.segment_rows >= m.rows;
    const bool last_segment = at_end || grid.whole;
    const int own = at_end ? static_cast<int>(m.rows - row0) : static_cast<int>(grid.segment_rows);
    // The last lines of a segment that begin in it are completed from the rows behind it.
    const int rows =
        static_cast<int>(min(m.rows - row0, static_cast<Index>(last_segment ? own : own + Shape::line - 1)));
    // Behind all that is written, where a column's row r counts as r + d.
    const int reach = grid.whole ? own : at_end ? own + Shape::line - 1 : own + Shape::line;
    const Index first = strip * Shape::columns;
    const int valid = static_cast<int>(min(static_cast<Index>(Shape::columns), m.columns - first));
    const int t = threadIdx.x;

    const int x = t % Shape::columns;
    const int y = t / Shape::columns;
    const bool reads = x < valid;
    const Word* from = in + at.in + (row0 + y) * m.in_pitch + first + x;
    const Index stride = static_cast<Index>(load_rows) * m.in_pitch;
    Word held[Shape::per_thread];
    const auto fetch = [&](int r) {
#pragma unroll
        for (int i = 0; i < Shape::per_thread; ++i) {
            if (reads && r + y + i * load_rows < rows) held[i] = *from;
            from += stride;
        }
    };
    fetch(0);

    if (t < Shape::columns) {
        Word* const to = out + at.out + (first + t) * m.out_pitch + row0;
        const int d = static_cast<int>(reinterpret_cast<unsigned long long>(to) / sizeof(Word) % Shape::line);
        const int begin = row0 == 0 || d == 0 ? d : Shape::line;  // lines that began earlier are not ours
        int end = own + d;
        if (!last_segment) end = min(rows + d, (end + Shape::line - 1) / Shape::line * Shape::line);
        windows[t] = {to - d, t < valid ? end : 0, begin * 256 + d};
    }

    for (int r = 0;; r += Shape::step) {
        if (r < rows) {
#pragma unroll
            for (int i = 0; i < Shape::per_thread; ++i)
                rings[x * Shape::ring_pitch + ((r + y + i * load_rows) & (Shape::ring - 1))] = held[i];
        }
        __syncthreads();
        if (r + Shape::step < rows) fetch(r + Shape::step);
        const int at_row = r + t % Shape::step;  // d rows behind what was just read
#pragma unroll
        for (int i = 0; i < Shape::per_thread; ++i) {
            const int column = t / Shape::step + i * store_columns;
            const ColumnWindow<Word> w = windows[column];
            const int d = w.begin_d & 255;
            if (at_row < w.end && at_row >= (w.begin_d >> 8))
                w.to[at_row] = rings[column * Shape::ring_pitch + ((at_row - d) & (Shape::ring - 1))];
        }
        if (r + Shape::step >= reach) break;
        __syncthreads();
    }
}

/// Whether all rows of the output begin at lines.
template <class Shape>
bool begin_lines(const MatrixBatch& m, const void* out) {
    constexpr Index size = sizeof(typename Shape::Word);
    auto bits = reinterpret_cast<std::uintptr_t>(out) | static_cast<std::uintptr_t>(m.out_pitch * size);
    for (int d = 0; d < 2; ++d)
        if (m.batch[d] > 1) bits |= static_cast<std::uintptr_t>(m.out_batch[d] * size);
    return bits % 128 == 0;
}

/// Segments of near-equal length, a multiple of the step: near Shape::segment_rows, shorter while the matrix is too
/// small to fill a large GPU.
template <class Shape>
StripGrid make_strip_grid(const MatrixBatch& m, Index band, const void* out) {
    const Index strips = divide_up(m.columns, Shape::columns);
    constexpr Index enough_blocks = 1024;
    Index segment = Shape::segment_rows;
    while (segment > Shape::step && strips * m.count() * divide_up(m.rows, segment) < enough_blocks)
        segment -= Shape::step;
    const Index segments = divide_up(m.rows, segment);
    segment = divide_up(m.rows, segments);
    const bool whole = begin_lines<Shape>(m, out);
    const int trim = Shape::trimmed && !whole && segments > 1 ? Shape::line : 0;
    segment = divide_up(segment + trim, Shape::step) * Shape::step - trim;
    // Short rows are best read whole; in long ones a narrow band keeps the writes together.
    if (band == 0) band = strips <= 64 ? 32 : 2;
    return {strips, divide_up(m.rows, segment), segment, std::clamp<Index>(band, 1, strips), whole};
}

/// out = transpose of in, for every matrix of the batch. `band` 0: chosen.
template <class Shape>
void launch_strip_kernel(const MatrixBatch& m, Index band, const void* in, void* out, cudaStream_t stream) {
    using Word = typename Shape::Word;
    constexpr int bytes = strip_shared_bytes<Shape>();
    const StripGrid grid = make_strip_grid<Shape>(m, band, out);
    allow_shared(strip_kernel<Shape>, bytes);
    strip_kernel<Shape><<<blocks(grid.strips * grid.segments * m.count()), Shape::threads, bytes, stream>>>(
        m, grid, static_cast<const Word*>(in), static_cast<Word*>(out));
    check(cudaGetLastError(), "launch of the strip transpose");
}

}  // namespace poisson3d::cuda
