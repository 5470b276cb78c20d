// Rows of a rectangle: read, shuffled in shared memory, written back where they were.
//
// Global memory is read and written in order; d(i, j) is a position in shared memory (rectangle/maps.hpp). Short
// rows share a block. A row that does not fit one block is held by a cluster, each block a share of neighbouring
// items: shuffled items are then written to, or read from, the shared memory of the other blocks.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "rectangle/cuda_cluster.cuh"
#include "rectangle/cuda_sweeps.hpp"

namespace poisson3d::cuda {

namespace {

using rectangle::CoprimeImages;
using rectangle::Direction;
using rectangle::RowImages;
using rectangle::RowStride;

constexpr int few_threads = 512;    // two blocks a multiprocessor
constexpr int many_threads = 1024;  // one
/// Words of a thread in flight.
template <class Word>
constexpr int words_at_once = sizeof(Word) >= 16  ? 4
                              : sizeof(Word) == 8 ? 8
                                                  : 16;

/// A block holds some rows, or a cluster one row, of pieces of `piece` elements of every item.
struct Rows {
    rectangle::RowMap map;
    RowStride stride;                ///< from one item of a thread to its next
    rectangle::Reciprocal by_share;  ///< items of a row that one block of a cluster holds
    Index pitch, item;
    Index pieces, groups;         ///< of an item; of rows
    std::uint32_t piece;          ///< elements
    std::uint32_t items_at_once;  ///< threads / piece
    std::uint32_t rows;           ///< in a group
    int cluster;
    BatchIndices batch, batch_stride;
};

/// The items of a block.
struct Share {
    std::uint32_t first;         ///< row of its first item
    std::uint32_t begin, count;  ///< its items, from the beginning of that row
    std::uint32_t capacity;      ///< items of a block that is full
};

/// Shuffled items are written into shared memory (c2r) or read from it.
/// Images: CoprimeImages if a block has items of one row and the sides are coprime, else RowImages.
template <class Word, class Images, int Threads, bool Clustered, bool ShuffleReads>
__global__ void __launch_bounds__(Threads, 1024 / Threads) rows_kernel(Rows p, Word* data) {
    extern __shared__ __align__(16) unsigned char shared[];
    constexpr int at_once = words_at_once<Word>;
    const unsigned rank = rank_in_cluster<Clustered>();
    const auto [rest, piece] =
        divide(Clustered ? blockIdx.x / static_cast<unsigned>(p.cluster) : blockIdx.x, p.pieces);
    const auto [b, group] = divide(rest, p.groups);
    const auto [b0, b1] = divide(b, p.batch[1]);
    Share s{};
    s.first = static_cast<std::uint32_t>(group) * p.rows;
    s.capacity = Clustered ? p.by_share.divisor : p.map.n * p.rows;
    s.begin = rank * s.capacity;
    const std::uint32_t all = Clustered ? p.map.n : p.map.n * min(p.rows, p.map.m - s.first);
    s.count = s.begin < all ? min(s.capacity, all - s.begin) : 0;

    const std::uint32_t width = p.piece;
    const std::uint32_t element = width == 1 ? 0 : threadIdx.x % width;
    const std::uint32_t item0 = width == 1 ? threadIdx.x : threadIdx.x / width;
    const std::uint32_t step = p.items_at_once;
    const Index within = piece * p.piece + element;
    const bool works = item0 < step && within < p.item;
    Word* const held = reinterpret_cast<Word*>(shared) + element;
    const Index stride = step * p.item;
    Word* const mine = data + b0 * p.batch_stride[0] + b1 * p.batch_stride[1] + s.first * p.pitch +
                       (s.begin + item0) * p.item + within;

    const auto shuffled = [&](const Images& at) -> Word& {
        const std::uint32_t image = at.image();
        if constexpr (Clustered) {
            const std::uint32_t owner = p.by_share.quotient(image);
            return *shared_of(held + (image - owner * s.capacity) * width, owner);
        } else if constexpr (std::is_same_v<Images, RowImages>) {
            return held[((at.row - s.first) * p.map.n + image) * width];
        } else {
            return held[image * width];
        }
    };
    Images at(p.map, s.first, s.begin + item0);
    if constexpr (Clustered) synchronize<Clustered>();  // all blocks of the cluster are there
    if (works) {
        const Word* from = mine;
        for (std::uint32_t item = item0; item < s.count; item += at_once * step, from += at_once * stride) {
            Word word[at_once];
#pragma unroll
            for (int u = 0; u < at_once; ++u)
                if (item + u * step < s.count) word[u] = from[u * stride];
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                if (item + u * step >= s.count) continue;
                if constexpr (ShuffleReads) {
                    shuffled(at) = word[u];
                    at.advance(p.stride);
                } else {
                    held[(item + u * step) * width] = word[u];
                }
            }
        }
    }
    synchronize<Clustered>();
    if (works) {
        Word* to = mine;
        for (std::uint32_t item = item0; item < s.count; item += at_once * step, to += at_once * stride) {
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                if (item + u * step >= s.count) continue;
                if constexpr (ShuffleReads) {
                    to[u * stride] = held[(item + u * step) * width];
                } else {
                    to[u * stride] = shuffled(at);
                    at.advance(p.stride);
                }
            }
        }
    }
    if constexpr (Clustered && !ShuffleReads) synchronize<Clustered>();  // others may still read here
}

template <class Word, class Images>
auto kernel_of(bool clustered, int threads, bool shuffle_reads) {
    if (clustered)
        return shuffle_reads ? &rows_kernel<Word, Images, few_threads, true, true>
                             : &rows_kernel<Word, Images, few_threads, true, false>;
    if (threads == many_threads)
        return shuffle_reads ? &rows_kernel<Word, Images, many_threads, false, true>
                             : &rows_kernel<Word, Images, many_threads, false, false>;
    return shuffle_reads ? &rows_kernel<Word, Images, few_threads, false, true>
                         : &rows_kernel<Word, Images, few_threads, false, false>;
}

}  // namespace

PlannedSweep plan_rows(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits) {
    constexpr Index short_rows = 32 * 1024;
    const Index e = element_bytes;
    const rectangle::Matrices& m = sweep.matrices;
    const Index all = limits.shared_bytes;
    const Index half = all / 2 - 1024;
    // Whole items if they fit; else pieces of a cache line, or less to avoid a cluster.
    Index piece = std::min<Index>(m.item, 512);
    if (m.n * piece * e > half)
        piece = std::min(piece, std::max<Index>(half / (m.n * e), std::max<Index>(64 / e, 1)));
    if (m.n * piece * e > all)
        piece = std::min(piece, std::max<Index>(all / (m.n * e), std::max<Index>(32 / e, 1)));
    piece = divide_up(m.item, divide_up(m.item, piece));
    const Index row_bytes = m.n * piece * e;
    int cluster = 1;
    while (cluster < limits.cluster && row_bytes > all && divide_up(m.n, cluster) * piece * e > half) cluster *= 2;
    const Index share = divide_up(m.n, cluster);
    if (share * piece * e > all)
        throw Error(ErrorCode::unsupported, "rectangle in place: found rows of " + std::to_string(m.n) +
                                                " items, this device can hold " +
                                                std::to_string(limits.cluster * all / e));
    const Index rows = cluster > 1 ? 1 : std::clamp<Index>(short_rows / row_bytes, 1, m.m);
    const int shared_bytes = static_cast<int>(share * rows * piece * e);
    const int threads = cluster == 1 && shared_bytes > half ? many_threads : few_threads;
    const rectangle::RowMap map(rectangle::Maps(m.m, m.n));
    const auto items_at_once = static_cast<std::uint32_t>(threads / piece);
    const Rows parameters{.map = map,
                          .stride = RowStride(map, items_at_once),
                          .by_share = rectangle::Reciprocal(static_cast<std::uint32_t>(share)),
                          .pitch = m.pitch(),
                          .item = m.item,
                          .pieces = divide_up(m.item, piece),
                          .groups = divide_up(m.m, rows),
                          .piece = static_cast<std::uint32_t>(piece),
                          .items_at_once = items_at_once,
                          .rows = static_cast<std::uint32_t>(rows),
                          .cluster = cluster,
                          .batch = m.batch,
                          .batch_stride = m.batch_stride};
    const Index blocks = parameters.groups * parameters.pieces * m.count() * cluster;
    const bool one_coprime_row = rows == 1 && map.by_b.divisor == map.n;
    const bool shuffle_reads = sweep.direction == Direction::c2r;
    return {[=](void* data, void*, cudaStream_t stream) {
        with_wide_word(element_bytes, [&]<class Word>(Word) {
            const auto kernel = one_coprime_row
                                    ? kernel_of<Word, CoprimeImages>(cluster > 1, threads, shuffle_reads)
                                    : kernel_of<Word, RowImages>(cluster > 1, threads, shuffle_reads);
            launch_cluster(kernel, blocks, threads, shared_bytes, cluster, stream,
                           "launch of the rows of a rectangle", parameters, static_cast<Word*>(data));
        });
    }};
}

}  // namespace poisson3d::cuda
