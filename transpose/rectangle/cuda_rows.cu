// Rows of a rectangle: read, shuffled in shared memory, written back where they were.
//
// Global memory is met in order; d(i, j) is a position in shared memory (rectangle_maps.hpp). Short rows share a
// block. A row that does not fit one block is held by a cluster, each block a share of neighbouring items: what is
// shuffled is then written to, or read from, the shared memory of the other blocks.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "rectangle/cuda_cluster.cuh"
#include "rectangle/cuda_sweeps.hpp"

namespace poisson3d::cuda {

namespace {

using rectangle::CoprimeWalk;
using rectangle::Direction;
using rectangle::RowStride;
using rectangle::RowWalk;

constexpr int few_threads = 512;    // two blocks a multiprocessor
constexpr int many_threads = 1024;  // one
/// Words of a thread in flight.
template <class Word>
constexpr int words_at_once = sizeof(Word) >= 16  ? 4
                              : sizeof(Word) == 8 ? 8
                                                  : 16;

struct Rows {
    rectangle::RowMap map;
    RowStride stride;
    rectangle::Reciprocal by_share;
    Index pitch, item, pieces, groups;
    std::uint32_t piece, items_at_once, rows;
    int cluster;
    std::array<Index, 2> batch, batch_stride;
};

/// What a block finds out about itself.
struct Share {
    std::uint32_t first;         ///< row of its first item
    std::uint32_t begin, count;  ///< its items, from the beginning of that row
    std::uint32_t capacity;      ///< items of a block that is full
};

/// Shuffled items are written into shared memory (c2r) or read from it.
/// Walk: CoprimeWalk if a block has items of one row and the sides are coprime, else RowWalk.
template <class Word, class Walk, int Threads, bool Clustered, bool ShuffleReads>
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

    const auto shuffled = [&](const Walk& at) -> Word& {
        const std::uint32_t image = at.image();
        if constexpr (Clustered) {
            const std::uint32_t owner = p.by_share.quotient(image);
            return *shared_of(held + (image - owner * s.capacity) * width, owner);
        } else if constexpr (std::is_same_v<Walk, RowWalk>) {
            return held[((at.row - s.first) * p.map.n + image) * width];
        } else {
            return held[image * width];
        }
    };
    Walk at(p.map, s.first, s.begin + item0);
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

template <class Word, class Walk>
auto kernel_of(const RowShape& s) {
    const bool shuffle_reads = s.direction == Direction::c2r;
    if (s.cluster > 1)
        return shuffle_reads ? &rows_kernel<Word, Walk, few_threads, true, true>
                             : &rows_kernel<Word, Walk, few_threads, true, false>;
    if (s.threads == many_threads)
        return shuffle_reads ? &rows_kernel<Word, Walk, many_threads, false, true>
                             : &rows_kernel<Word, Walk, many_threads, false, false>;
    return shuffle_reads ? &rows_kernel<Word, Walk, few_threads, false, true>
                         : &rows_kernel<Word, Walk, few_threads, false, false>;
}

}  // namespace

RowShape shape_rows(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits,
                    const RectangleTuning& tuning) {
    constexpr Index short_rows = 32 * 1024;
    const Index e = element_bytes;
    const rectangle::Matrices& m = sweep.matrices;
    const Index half = limits.shared_bytes / 2 - 1024;
    RowShape s{};
    s.matrices = m;
    s.direction = sweep.direction;
    const rectangle::Maps maps(m.m, m.n);
    s.map = rectangle::RowMap(maps);
    const Index single =
        tuning.row_block_bytes > 0 ? std::min(tuning.row_block_bytes, limits.shared_bytes) : limits.shared_bytes;
    // Whole items if they fit; else pieces of a cache line, or less to avoid a cluster.
    Index piece = std::min<Index>(m.item, 512);
    if (m.n * piece * e > half)
        piece = std::min(piece, std::max<Index>(half / (m.n * e), std::max<Index>(64 / e, 1)));
    if (m.n * piece * e > single)
        piece = std::min(piece, std::max<Index>(single / (m.n * e), std::max<Index>(32 / e, 1)));
    const Index pieces = divide_up(m.item, piece);
    piece = divide_up(m.item, pieces);
    const Index row_bytes = m.n * piece * e;
    s.piece = static_cast<int>(piece);
    s.pieces = divide_up(m.item, piece);
    s.cluster = 1;
    const int max_cluster = tuning.cluster > 0 ? std::min(tuning.cluster, limits.cluster) : limits.cluster;
    const Index cluster_share = tuning.row_block_bytes > 0 ? single : half;
    while (s.cluster < max_cluster && row_bytes > single && divide_up(m.n, s.cluster) * piece * e > cluster_share)
        s.cluster *= 2;
    const Index share = divide_up(m.n, s.cluster);
    if (share * piece * e > limits.shared_bytes)
        throw Error(ErrorCode::unsupported, "rectangle in place: found rows of " + std::to_string(m.n) +
                                                " items, this device can hold " +
                                                std::to_string(max_cluster * limits.shared_bytes / e));
    s.by_share = rectangle::Reciprocal(static_cast<std::uint32_t>(share));
    s.rows = s.cluster > 1 ? 1 : static_cast<int>(std::clamp<Index>(short_rows / row_bytes, 1, m.m));
    s.groups = divide_up(m.m, s.rows);
    s.shared_bytes = static_cast<int>(share * s.rows * piece * e);
    s.threads = s.cluster == 1 && s.shared_bytes > half ? many_threads : few_threads;
    s.piece_items = s.threads / s.piece;
    s.stride = rectangle::RowStride(s.map, static_cast<std::uint32_t>(s.piece_items));
    s.blocks = s.groups * s.pieces * m.count() * s.cluster;
    return s;
}

void launch_rows(const RowShape& s, int element_bytes, void* data, cudaStream_t stream) {
    const Rows rows{s.map,
                    s.stride,
                    s.by_share,
                    s.matrices.pitch(),
                    s.matrices.item,
                    s.pieces,
                    s.groups,
                    static_cast<std::uint32_t>(s.piece),
                    static_cast<std::uint32_t>(s.piece_items),
                    static_cast<std::uint32_t>(s.rows),
                    s.cluster,
                    s.matrices.batch,
                    s.matrices.batch_stride};
    with_element(element_bytes, [&]<class Word>(Word) {
        const auto kernel = s.rows == 1 && s.map.by_b.divisor == s.map.n ? kernel_of<Word, CoprimeWalk>(s)
                                                                         : kernel_of<Word, RowWalk>(s);
        launch_cluster(kernel, s.blocks, s.threads, s.shared_bytes, s.cluster, stream,
                       "launch of the rows of a rectangle", rows, static_cast<Word*>(data));
    });
}

}  // namespace poisson3d::cuda
