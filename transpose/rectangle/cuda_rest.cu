// Rows of n + rest items close up, and open again, in place; the rest is kept in scratch memory.
//
// Element x of the closed rows, in row i = ⌊x/n⌋, is element x + i·rest of the open ones. A block closes a range of
// x in ascending order, or opens it in descending order, so that within it nothing is written before it was read.
// The block of the range before overwrites the first elements of a range, as many as rows can shift: these are
// copied to scratch first.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "rectangle/cuda_sweeps.hpp"

namespace poisson3d::cuda {

namespace {

using rectangle::Direction;

constexpr int threads = 512;
constexpr int at_once = 8;

struct Rest {
    Index closed, rest, rows;  ///< elements of a row, closed; of its rest
    Index range, ranges, head;
    BatchIndices batch, batch_stride;

    [[nodiscard]] __device__ Index rest_elements() const { return rest * rows; }
};

template <class Word>
__device__ Word* matrix_of(const Rest& p, Word* data, Index b) {
    return data + batch_offset(b, p.batch, p.batch_stride);
}

/// The rest between scratch, where item j of row i is the (j·rows + i)-th, and the matrix: behind the rows or, if
/// these are closed, behind the last.
template <class Word>
__global__ void __launch_bounds__(threads)
    rest_kernel(Rest p, Index item, bool rows_are_open, bool to_scratch, Word* data, Word* scratch) {
    const Index count = p.rest_elements();
    const Index all = count * p.batch[0] * p.batch[1];
    for (Index e = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; e < all;
         e += static_cast<Index>(gridDim.x) * threads) {
        const Index b = e / count;
        const Index within = e - b * count;
        const Index row = within / item % p.rows;
        const Index column = within / item / p.rows;
        Word* const at = matrix_of(p, data, b) +
                         (rows_are_open ? row * (p.closed + p.rest) + p.closed + column * item + within % item
                                        : p.rows * p.closed + within);
        if (to_scratch)
            scratch[e] = *at;
        else
            *at = scratch[e];
    }
}

template <class Word>
__global__ void __launch_bounds__(threads) heads_kernel(Rest p, Word* data, Word* heads) {
    const Index all = p.head * p.ranges * p.batch[0] * p.batch[1];
    const Index end = p.rows * p.closed + p.rest_elements();
    for (Index e = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; e < all;
         e += static_cast<Index>(gridDim.x) * threads) {
        const Index range = e / p.head;
        const Index at = range % p.ranges * p.range + e % p.head;
        if (at < end) heads[e] = matrix_of(p, data, range / p.ranges)[at];
    }
}

template <class Word, bool Close>
__global__ void __launch_bounds__(threads) shift_kernel(Rest p, Word* data, const Word* all_heads) {
    constexpr Index tile = threads * at_once;
    const Index range = blockIdx.x % p.ranges;
    Word* const matrix = matrix_of(p, data, blockIdx.x / p.ranges);
    const Index begin = range * p.range;
    const Index end = min(begin + p.range, p.rows * p.closed);
    // What was copied: the elements after this range, or its own first ones.
    const Word* const heads = all_heads + (blockIdx.x + (Close ? 1 : 0)) * p.head;
    const Index copied = Close ? end : begin;
    const Index copied_end = Close && end == p.rows * p.closed ? copied : copied + p.head;
    const Index tiles = (end - begin + tile - 1) / tile;
    for (Index t = 0; t < tiles; ++t) {
        const Index first = begin + (Close ? t : tiles - 1 - t) * tile + threadIdx.x;
        Index row = divide(first, p.closed).quotient;
        Word word[at_once];
        Index open[at_once];
#pragma unroll
        for (int u = 0; u < at_once; ++u) {
            const Index x = first + u * threads;
            if (x >= end) continue;
            while (x >= (row + 1) * p.closed) ++row;
            open[u] = x + row * p.rest;
            const Index from = Close ? open[u] : x;
            word[u] = from >= copied && from < copied_end ? heads[from - copied] : matrix[from];
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < at_once; ++u)
            if (const Index x = first + u * threads; x < end) matrix[Close ? x : open[u]] = word[u];
        __syncthreads();
    }
}

}  // namespace

PlannedSweep plan_rest(const rectangle::Sweep& sweep, int element_bytes) {
    constexpr Index max_ranges = 1056;
    const rectangle::Matrices& m = sweep.matrices;
    const Index count = m.count();
    Rest p{.closed = m.pitch(),
           .rest = sweep.rest * m.item,
           .rows = m.m,
           .range = 0,
           .ranges = 0,
           .head = (m.m - 1) * sweep.rest * m.item,
           .batch = m.batch,
           .batch_stride = m.batch_stride};
    // No more than a hundredth in heads.
    const Index elements = p.rows * p.closed;
    p.range = divide_up(elements, std::clamp<Index>(elements / 100 / std::max<Index>(p.head, 1), 1, max_ranges));
    p.ranges = divide_up(elements, p.range);
    const Index rest_elements = p.rows * p.rest * count;
    const Index head_elements = p.head * p.ranges * count;
    const bool save = sweep.kind == rectangle::Kind::save_rest;
    const bool c2r = sweep.direction == Direction::c2r;
    const Index item = m.item;
    const auto launch = [=](void* data, void* scratch, cudaStream_t stream) {
        const auto grid = [](Index number) { return blocks(std::min<Index>(divide_up(number, threads), 1024)); };
        with_wide_word(element_bytes, [&]<class Word>(Word) {
            auto* const matrices = static_cast<Word*>(data);
            auto* const rest = static_cast<Word*>(scratch);
            Word* const heads = rest + rest_elements;
            const auto shift = [&](auto kernel) {
                heads_kernel<Word><<<grid(head_elements), threads, 0, stream>>>(p, matrices, heads);
                check(cudaGetLastError(), "launch of the rest of a rectangle");
                kernel<<<blocks(p.ranges * count), threads, 0, stream>>>(p, matrices, heads);
                check(cudaGetLastError(), "launch of the rest of a rectangle");
            };
            if (!c2r && !save) shift(&shift_kernel<Word, false>);
            rest_kernel<Word>
                <<<grid(rest_elements), threads, 0, stream>>>(p, item, c2r == save, save, matrices, rest);
            check(cudaGetLastError(), "launch of the rest of a rectangle");
            if (c2r && save) shift(&shift_kernel<Word, true>);
        });
    };
    return {launch, static_cast<std::size_t>((rest_elements + head_elements) * element_bytes)};
}

}  // namespace poisson3d::cuda
