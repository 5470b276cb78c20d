// A tile of a matrix in shared memory, whatever its rows are aligned to: read in aligned words of 16 bytes, written
// transposed in whole lines of 128 bytes.
//
// A row's piece of the tile begins and ends anywhere. What is read of it are the aligned words of 16 bytes that it
// touches, neighbours' elements included, so that a warp's request covers as few lines as the bytes allow. In
// shared memory the piece keeps its distance from a boundary of 16 bytes (`behind`):
//
//        row r in memory      ···│··aa│aaaa│aaaa│a···│···      16-byte words
//        in shared memory         ··aa│aaaa│aaaa│a···          at offset(r), behind = 2 elements
//
// Bank conflicts. A warp reads elements of one column, of neighbouring rows. Where rows are an odd number of
// elements long, `behind` takes all values in 16 / size neighbouring rows, which so need not be shifted against
// each other: their elements differ in the bank within a word of 16 bytes. Groups of so many rows are shifted by 16
// bytes each, and no two lanes of a phase meet in a bank. Rows of an even length conflict in pairs, those of whole
// words of 16 bytes (elements of 4 bytes or less) in fours.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>
#include <type_traits>

#include "common/cuda_words.hpp"

namespace poisson3d::cuda {

/// How the pieces lie in shared memory, `Pitch` bytes from one to the next and a shift for each group.
template <class WordType, int Pitch>
struct Pieces {
    using Word = WordType;
    static constexpr int size = sizeof(Word);
    static constexpr int pitch = Pitch;
    static constexpr int group = 16 / size;                        ///< rows
    static constexpr int columns = (Pitch - 16) / size + 1;        ///< that fit wherever they begin
    static constexpr int aligned_columns = Pitch / size;           ///< that fit if all begin at 16 bytes
    static constexpr int line = 128 / size;                        ///< elements
    static constexpr int pack = size < 4 ? 4 / size : 1;           ///< rows that a thread stores as one word
    static constexpr int span = 32 * pack;                         ///< rows that a warp stores at once
    static constexpr int span_bytes = span * Pitch + span * size;  ///< from a row to the one `span` rows later
    using Packed = std::conditional_t<(size < 4), std::uint32_t, Word>;
    static_assert(Pitch % 128 == 0);

    /// Also for negative rows.
    __host__ __device__ static constexpr int offset(int row) { return row * Pitch + (row & -group) * size; }
    static constexpr int bytes(int rows) { return offset(rows - 1) + Pitch; }
};

/// What may be read: the bytes from the first element of a field to its last.
struct Readable {
    const unsigned char* begin;
    const unsigned char* end;
};

__device__ __forceinline__ int behind_boundary(const void* address, int boundary) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) & static_cast<std::uintptr_t>(boundary - 1));
}

/// Whether words of 16 bytes that hold parts of the rows [0, rows) do not reach beyond what may be read.
__device__ __forceinline__ bool lies_inside(const unsigned char* from, Index stride, int rows, int length,
                                            Readable readable) {
    const unsigned char* const last = from + (rows - 1) * stride + length;
    return from - behind_boundary(from, 16) >= readable.begin &&
           last + (16 - behind_boundary(last, 16)) % 16 <= readable.end;
}

/// Begins to read `length` bytes of each of the rows [first, rows) into shared memory: row 0 begins at `from`, the
/// next `stride` bytes behind it. All threads of the block take part. Complete after __pipeline_commit(),
/// __pipeline_wait_prior(0) and a barrier.
template <class P, int Threads>
__device__ __forceinline__ void fetch_pieces(unsigned char* shared, const unsigned char* from, Index stride,
                                             int first, int rows, int length, Readable readable) {
    constexpr int words = P::pitch / 16;   // of a row; a thread keeps its place in the rows …
    constexpr int step = Threads / words;  // … so many apart, which leaves `behind` as it is
    static_assert(Threads % words == 0 && step % P::group == 0);
    const int word = static_cast<int>(threadIdx.x) % words;
    int row = first / step * step + static_cast<int>(threadIdx.x) / words;
    const unsigned char* const piece = from + row * stride;
    const int behind = behind_boundary(piece, 16);
    if (16 * word >= behind + length) return;
    const unsigned char* source = piece - behind + 16 * word;
    unsigned char* target = shared + P::offset(row) + 16 * word;
    const Index source_step = step * stride;
    constexpr int target_step = P::offset(step);
    if (lies_inside(from, stride, rows, length, readable)) {
#pragma unroll 4
        for (; row < rows; row += step, source += source_step, target += target_step)
            __pipeline_memcpy_async(target, source, 16);
        return;
    }
    // Words at the very ends of the field may reach beyond it.
    for (; row < rows; row += step, source += source_step, target += target_step) {
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

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/// The same by one bulk copy for each row, where all lies_inside(). Complete when it returns.
template <class P, int Threads>
__device__ __forceinline__ void copy_pieces_in_bulk(unsigned char* shared, const unsigned char* from, Index stride,
                                                    int first, int rows, int length) {
    __shared__ __align__(8) std::uint64_t barrier;
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(Threads) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    const auto bytes = [&](int row) {
        return static_cast<unsigned>(behind_boundary(from + row * stride, 16) + length + 15) / 16 * 16;
    };
    const int begin = first + static_cast<int>(threadIdx.x);
    unsigned mine = 0;
    for (int row = begin; row < rows; row += Threads) mine += bytes(row);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(mine) : "memory");
    for (int row = begin; row < rows; row += Threads) {
        const unsigned char* const source = from + row * stride;
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                static_cast<unsigned>(__cvta_generic_to_shared(shared + P::offset(row)))),
            "l"(__cvta_generic_to_global(source - behind_boundary(source, 16))), "r"(bytes(row)), "r"(at)
            : "memory");
    }
    unsigned done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
}

#endif

/// Where the tile's elements of one column lie: `row` 0 of the column is `behind` bytes and `column` elements
/// behind offset(0); each next row begins `turn` bytes further behind its boundary of 16 bytes.
struct PieceColumn {
    const unsigned char* shared;
    int behind, turn;

    template <class P>
    __device__ __forceinline__ const unsigned char* at(int row) const {
        return shared + P::offset(row) + ((behind + row * turn) & 15);
    }
};

/// Stores the elements of one column of the tile, of its rows [begin, end), to a row of the output: row r goes to
/// to + r · size. A warp works on it; its stores are whole lines if to + begin · size is a line's beginning.
/// `begin` may be negative: rows below 0 are left out. `Spans` loads are on their way at a time. `Streaming` stores
/// are the first to leave the cache.
template <class P, int Spans, bool Streaming = false>
__device__ __forceinline__ void store_column(PieceColumn column, unsigned char* to, int begin, int end) {
    using Packed = typename P::Packed;
    using Word = typename P::Word;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    int row = begin + lane * P::pack;
    const unsigned char* from[P::pack];
#pragma unroll
    for (int j = 0; j < P::pack; ++j) from[j] = column.at<P>(row + j);
    unsigned char* target = to + static_cast<Index>(row) * P::size;
    for (int at = begin; at < end; at += Spans * P::span) {
        Packed held[Spans];
#pragma unroll
        for (int k = 0; k < Spans; ++k) {
            const int r = row + k * P::span;
            if (r + P::pack - 1 < 0 || r >= end) continue;
            if constexpr (P::pack == 1) {
                held[k] = *reinterpret_cast<const Word*>(from[0] + k * P::span_bytes);
            } else {
                held[k] = 0;
#pragma unroll
                for (int j = 0; j < P::pack; ++j)
                    if (r + j >= 0 && r + j < end)
                        held[k] |=
                            static_cast<std::uint32_t>(*reinterpret_cast<const Word*>(from[j] + k * P::span_bytes))
                            << (8 * P::size * j);
            }
        }
#pragma unroll
        for (int k = 0; k < Spans; ++k) {
            const int r = row + k * P::span;
            unsigned char* const place = target + k * P::span * P::size;
            if (r >= 0 && r + P::pack <= end) {
                if constexpr (Streaming)
                    __stcs(reinterpret_cast<Packed*>(place), held[k]);
                else
                    *reinterpret_cast<Packed*>(place) = held[k];
            } else if constexpr (P::pack > 1) {
#pragma unroll
                for (int j = 0; j < P::pack; ++j)
                    if (r + j >= 0 && r + j < end)
                        *reinterpret_cast<Word*>(place + j * P::size) =
                            static_cast<Word>(held[k] >> (8 * P::size * j));
            }
        }
        row += Spans * P::span;
        target += Spans * P::span * P::size;
#pragma unroll
        for (int j = 0; j < P::pack; ++j) from[j] += Spans * P::span_bytes;
    }
}

}  // namespace poisson3d::cuda
