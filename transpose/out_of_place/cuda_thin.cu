// A matrix with a short side, e.g. 7 × 3001·5003, or an array of structures against a structure of arrays.
//
// Few rows: a block reads a piece of every row, and what it writes — whole short output lines, one behind the other
// — is one contiguous piece. Few columns: the reverse, with the long output rows cut at 128-byte boundaries: a
// block reads the few rows before its own that its first lines begin with.
//
// In shared memory the piece of one long line has pitch K + p. A warp on the short side's way touches 32 elements
// whose long index changes every `side` elements, so p = ⌈32/side⌉ (in words of 4 bytes) keeps them in different
// banks.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int target_bytes = 34 * 1024;  // of shared memory a block: six blocks on one processor

/// Words of one phase of a shared-memory access: 128 bytes.
template <class Word>
constexpr int phase = sizeof(Word) >= 4 ? 128 / static_cast<int>(sizeof(Word)) : 32;

struct ThinShape {
    int side;          ///< the short one
    int piece;         ///< K, elements of the long side per block: a power of two times 32
    int pitch;         ///< of one long line in shared memory
    unsigned inverse;  ///< ⌈2^32 / side⌉: o / side = high word of o · inverse for o·side < 2^32
    Index pieces;      ///< blocks per matrix
};

/// o / side; an inverse of 0 is that of side 1, which does not fit.
__device__ __forceinline__ int quotient(int o, unsigned inverse) {
    return inverse == 0 ? o : static_cast<int>(__umulhi(static_cast<unsigned>(o), inverse));
}

/// Elements of a piece of every long line that fit the target.
template <class Word>
ThinShape make_shape(Index side, Index length, bool cut) {
    constexpr int line = 128 / static_cast<int>(sizeof(Word));
    const int extra = cut ? line : 0;
    ThinShape shape{};
    shape.side = static_cast<int>(side);
    const int p = static_cast<int>(side) < phase<Word> ? static_cast<int>(divide_up(phase<Word>, side)) : 1;
    shape.piece = std::max(32, line);
    while (shape.piece < 1024 &&
           side * (2 * shape.piece + extra + p) * static_cast<Index>(sizeof(Word)) <= target_bytes)
        shape.piece *= 2;
    shape.pitch = shape.piece + extra + p;
    shape.inverse = static_cast<unsigned>(((1ull << 32) + side - 1) / side);
    shape.pieces = divide_up(length + (cut ? line - 1 : 0), shape.piece);
    return shape;
}

template <class Word>
int shared_bytes(const ThinShape& shape) {
    return shape.side * shape.pitch * static_cast<int>(sizeof(Word));
}

/// Few rows: rows = side, the columns are the long side.
template <class Word>
__global__ void __launch_bounds__(threads)
    few_rows_kernel(MatrixBatch m, ThinShape s, const Word* __restrict__ in, Word* __restrict__ out) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const lines = reinterpret_cast<Word*>(shared);
    const auto [b, piece] = divide(blockIdx.x, s.pieces);
    const Offsets at = offsets(m, b);
    const Index column0 = piece * s.piece;
    const int columns = static_cast<int>(min(static_cast<Index>(s.piece), m.columns - column0));
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;

    // A warp takes 128 columns of one row at a time.
    const int quarters = max(s.piece / 128, 1);
    for (int task = warp; task < s.side * quarters; task += warps) {
        const int row = task / quarters;
        const int c0 = (task - row * quarters) * 128 + lane;
        const Word* const from = in + at.in + row * m.in_pitch + column0;
        Word* const to = lines + row * s.pitch;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (c0 + 32 * i < columns) to[c0 + 32 * i] = from[c0 + 32 * i];
    }
    __syncthreads();
    Word* const to = out + at.out + column0 * m.out_pitch;
#pragma unroll 4
    for (int o = threadIdx.x; o < columns * s.side; o += threads) {
        const int column = quotient(o, s.inverse);
        const int row = o - column * s.side;
        to[column * m.out_pitch + row] = lines[row * s.pitch + column];
    }
}

/// Few columns: columns = side, the rows are the long side.
template <class Word>
__global__ void __launch_bounds__(threads)
    few_columns_kernel(MatrixBatch m, ThinShape s, const Word* __restrict__ in, Word* __restrict__ out) {
    constexpr int line = 128 / static_cast<int>(sizeof(Word));
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const lines = reinterpret_cast<Word*>(shared);
    const auto [b, piece] = divide(blockIdx.x, s.pieces);
    const Offsets at = offsets(m, b);
    // Rows of this block before the cut: [row0 − line, row0 + piece), as far as they exist.
    const Index row0 = piece * s.piece - line;
    const int first = row0 < 0 ? line : 0;
    const int rows = static_cast<int>(min(static_cast<Index>(s.piece + line), m.rows - row0));

    const Word* const from = in + at.in + row0 * m.in_pitch;
#pragma unroll 4
    for (int o = first * s.side + threadIdx.x; o < rows * s.side; o += threads) {
        const int row = quotient(o, s.inverse);
        const int column = o - row * s.side;
        lines[column * s.pitch + row] = from[row * m.in_pitch + column];
    }
    __syncthreads();

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int quarters = max(s.piece / 128, 1);
    for (int task = warp; task < s.side * quarters; task += warps) {
        const int column = task / quarters;
        Word* const to = out + at.out + column * m.out_pitch + row0;
        // Rows [line − d, piece + line − d) begin and end at 128-byte boundaries of this output row.
        const int d = static_cast<int>(reinterpret_cast<unsigned long long>(to) / sizeof(Word) % line);
        const int r0 = line - d + (task - column * quarters) * 128 + lane;
        const int end = min(rows, s.piece + line - d);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int row = r0 + 32 * i;
            if (row >= first && row < end && 32 * i < s.piece) to[row] = lines[column * s.pitch + row];
        }
    }
}

template <class Word>
bool fits(Index side) {
    constexpr Index line = 128 / sizeof(Word);
    return side * static_cast<Index>(sizeof(Word)) * (std::max<Index>(32, line) + line + 32) <=
           default_shared_bytes;
}

template <class Word>
void launch(const MatrixBatch& m, const Word* in, Word* out, cudaStream_t stream) {
    const bool few_rows = m.rows <= m.columns;
    const ThinShape shape =
        few_rows ? make_shape<Word>(m.rows, m.columns, false) : make_shape<Word>(m.columns, m.rows, true);
    const auto kernel = few_rows ? &few_rows_kernel<Word> : &few_columns_kernel<Word>;
    kernel<<<blocks(shape.pieces * m.count()), threads, shared_bytes<Word>(shape), stream>>>(m, shape, in, out);
    check(cudaGetLastError(), "launch of the thin transpose");
}

}  // namespace

bool thin_applies(const MatrixBatch& m, int element_bytes) {
    bool result = false;
    with_word(element_bytes, [&]<class Word>(Word) { result = fits<Word>(std::min(m.rows, m.columns)); });
    return result;
}

bool thin_is_faster(const MatrixBatch& m, int element_bytes) noexcept {
    const bool few_rows = m.rows <= m.columns;
    const Index side = few_rows ? m.rows : m.columns;
    if (few_rows) return side < (element_bytes >= 16 ? 19 : element_bytes == 8 ? 64 : element_bytes == 4 ? 60 : 56);
    // Up to 32 columns are one narrow strip, up to 64 another, which pays when it is not half empty.
    if (side <= 32) return side < (element_bytes >= 4 ? 22 : 24);
    return element_bytes < 16 && side < (element_bytes == 8 ? 38 : element_bytes == 4 ? 36 : 56);
}

void launch_thin(const MatrixBatch& m, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    with_word(element_bytes, [&]<class Word>(Word) {
        launch<Word>(m, static_cast<const Word*>(in), static_cast<Word*>(out), stream);
    });
}

}  // namespace poisson3d::cuda
