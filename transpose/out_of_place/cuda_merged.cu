// xyz → zyx where x or z is short: its axis and y together are one long side of a matrix.
//
// Where y is the axis next to z in the input and next to x in the output, (y, z) are neighbours along an input row
// and (y, x) along an output row. For each y by itself the matrix x × z has a short side, and tiles are mostly
// empty. But
//
//   x short    rows (y, x) × columns z:  an output row holds all (y, x) one behind the other; input row (y, x)
//   begins
//              at y·n3 + x·n2·n3
//   z short    rows x × columns (y, z):  an input row holds all (y, z); output row (y, z) begins at y·n1 + z·n2·n1
//
// is one matrix with two long sides, of which one side's rows are found by splitting their number in two. The tiles
// are those of cuda_wide_loads.cuh. Where x is short a row's distance from a boundary of 16 bytes follows no rule
// that a lane could know; the rows' places in shared memory are kept in a table there.
#include "out_of_place/cuda_launchers.hpp"
#include "out_of_place/cuda_wide_loads.cuh"

namespace poisson3d::cuda {

namespace {

/// Number i of a long side is number i % inner of the short axis and i / inner of y.
struct SplitSide {
    Index inner, inner_stride, outer_stride;  ///< elements

    __device__ __forceinline__ Index offset(Index i) const {
        const auto [outer, rest] = divide(i, inner);
        return outer * outer_stride + rest * inner_stride;
    }
};

/// The matrix is rows × columns; `rows_split`: its rows are (y, x), else its columns are (y, z).
struct MergedMatrix {
    Index rows, columns, batch, in_batch, out_batch;
    SplitSide split;
    Index pitch;  ///< of the side that is not split: of output rows, or of input rows
    bool rows_split;
};

/// Begins to read as fetch_pieces() does, row r of the tile from `start(r)`, and notes where it comes to lie.
template <class P, int Threads, class Start>
__device__ __forceinline__ void fetch_split_rows(unsigned char* shared, int* places, Start start, int rows,
                                                 int length, Readable readable) {
    constexpr int words = P::pitch / 16;
    const int word = static_cast<int>(threadIdx.x) % words;
    for (int row = static_cast<int>(threadIdx.x) / words; row < rows; row += Threads / words) {
        const unsigned char* const piece = start(row);
        const int behind = behind_boundary(piece, 16);
        if (word == 0) places[row] = P::offset(row) + behind;
        if (16 * word >= behind + length) continue;
        const unsigned char* const source = piece - behind + 16 * word;
        unsigned char* const target = shared + P::offset(row) + 16 * word;
        if (source >= readable.begin && source + 16 <= readable.end) {
            __pipeline_memcpy_async(target, source, 16);
            continue;
        }
        for (int b = 0; b < 16; b += P::size)
            if (source + b >= readable.begin && source + b < readable.end)
                *reinterpret_cast<typename P::Word*>(target + b) =
                    *reinterpret_cast<const typename P::Word*>(source + b);
    }
}

template <class Shape, bool RowsSplit>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    merged_kernel(MergedMatrix m, WideLoadGrid grid, Readable readable, const unsigned char* __restrict__ in,
                  unsigned char* __restrict__ out) {
    using P = typename Shape::P;
    using Word = typename P::Word;
    extern __shared__ __align__(16) unsigned char shared[];
    int* const places = reinterpret_cast<int*>(shared + Shape::shared_bytes);
    const auto [b, key] = divide(blockIdx.x, grid.strips * grid.segments);
    const Tile tile = order::v1bf_tile(grid.strips, grid.segments, grid.band, key);
    const Index row0 = tile.row * grid.rows;
    const Index column0 = tile.column * grid.columns;
    const int columns = static_cast<int>(min(static_cast<Index>(grid.columns), m.columns - column0));
    const int rows = static_cast<int>(min(static_cast<Index>(grid.rows + P::line - 1), m.rows - row0));
    const unsigned char* const source = in + (b * m.in_batch + column0) * P::size;
    unsigned char* const target = out + (b * m.out_batch + row0) * P::size;

    const unsigned char* const from = source + row0 * m.pitch * P::size;  // unless the rows are split
    const Index stride = m.pitch * P::size;
    if constexpr (RowsSplit)
        fetch_split_rows<P, Shape::threads>(
            shared, places, [&](int r) { return source + m.split.offset(row0 + r) * P::size; }, rows,
            columns * P::size, readable);
    else
        fetch_pieces<P, Shape::threads>(shared, from, stride, 0, rows, columns * P::size, readable);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int c = static_cast<int>(threadIdx.x) / 32; c < columns; c += Shape::threads / 32) {
        const Index column = column0 + c;
        unsigned char* const to = target + (RowsSplit ? column * m.pitch : m.split.offset(column)) * P::size;
        const int start = (128 - behind_boundary(to, 128)) % 128 / P::size;
        const int begin = row0 == 0 && start > 0 ? start - P::line : start;
        const int end = min(start + grid.rows, rows);
        if constexpr (RowsSplit) {
            const unsigned char* const held = shared + c * P::size;
#pragma unroll 4
            for (int r = begin + lane; r < end; r += 32)
                if (r >= 0)
                    *reinterpret_cast<Word*>(to + r * P::size) = *reinterpret_cast<const Word*>(held + places[r]);
        } else {
            store_column<P, Shape::spans>(
                PieceColumn{shared + c * P::size, behind_boundary(from, 16), static_cast<int>(stride & 15)}, to,
                begin, end);
        }
    }
}

bool plan_merged(const Movement& movement, Index size, MergedMatrix& m) {
    if (movement.is_copy || size < 4) return false;
    const MatrixBatch& q = movement.matrix;
    if (q.batch[1] < 2 || q.in_batch[1] != q.columns || q.out_batch[1] != q.rows) return false;
    m.batch = q.batch[0];
    m.in_batch = q.in_batch[0];
    m.out_batch = q.out_batch[0];
    m.rows_split = q.rows < q.columns;
    if (m.rows_split) {
        m.rows = q.batch[1] * q.rows;
        m.columns = q.columns;
        m.split = {q.rows, q.in_pitch, q.in_batch[1]};
        m.pitch = q.out_pitch;
    } else {
        m.rows = q.rows;
        m.columns = q.batch[1] * q.columns;
        m.split = {q.columns, q.out_pitch, q.out_batch[1]};
        m.pitch = q.in_pitch;
    }
    return true;
}

template <class Shape, bool RowsSplit>
void launch(const MergedMatrix& m, Index last, const void* in, void* out, cudaStream_t stream) {
    using P = typename Shape::P;
    const WideLoadGrid grid = cut_into_tiles<Shape>(m.rows, m.columns, m.batch, P::columns, 1, 0);
    constexpr int bytes = Shape::shared_bytes + (Shape::segment + P::line) * static_cast<int>(sizeof(int));
    const auto* const begin = static_cast<const unsigned char*>(in);
    allow_shared(merged_kernel<Shape, RowsSplit>, bytes);
    merged_kernel<Shape, RowsSplit>
        <<<blocks(grid.strips * grid.segments * m.batch), Shape::threads, bytes, stream>>>(
            m, grid, {begin, begin + last * P::size}, begin, static_cast<unsigned char*>(out));
    check(cudaGetLastError(), "launch of the transpose of merged axes");
}

template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(WideLoadShape<Word4, 256, 160, 256, 4>{});
        case 8: return body(WideLoadShape<Word8, 256, 160, 256, 4>{});
        default: return body(WideLoadShape<Word16, 512, 96, 256, 3>{});
    }
}

}  // namespace

bool merged_applies(const Movement& movement, int element_bytes) {
    MergedMatrix m{};
    return plan_merged(movement, element_bytes, m);
}

void launch_merged(const Movement& movement, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    MergedMatrix m{};
    plan_merged(movement, element_bytes, m);
    const MatrixBatch& q = movement.matrix;
    const Index last =
        (q.rows - 1) * q.in_pitch + (q.batch[1] - 1) * q.in_batch[1] + q.columns + (q.batch[0] - 1) * q.in_batch[0];
    with_shape(element_bytes, [&]<class Shape>(Shape) {
        m.rows_split ? launch<Shape, true>(m, last, in, out, stream)
                     : launch<Shape, false>(m, last, in, out, stream);
    });
}

}  // namespace poisson3d::cuda
