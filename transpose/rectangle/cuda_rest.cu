// Rows of n + rest items close up, and open again, in place; the rest waits in scratch.
//
// Element x of the closed rows, in row i = ⌊x/n⌋, stands at x + i·rest in the open ones. A block closes a range of
// x in ascending order, or opens it in descending order, so that within it nothing is written before it was read.
// The first elements of every range, as many as rows can shift, are in the way of the range before it: they are
// copied first.
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
    std::array<Index, 2> batch, batch_stride;

    [[nodiscard]] __device__ Index rest_elements() const { return rest * rows; }
};

template <class Word>
__device__ Word* matrix_of(const Rest& p, Word* data, Index b) {
    return data + b / p.batch[1] * p.batch_stride[0] + b % p.batch[1] * p.batch_stride[1];
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
    // What was copied: elements behind this range, or its own first ones.
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

Rest of(const RestShape& s) {
    return {s.matrices.pitch(), s.rest, s.matrices.m,     s.range,
            s.ranges,           s.head, s.matrices.batch, s.matrices.batch_stride};
}

}  // namespace

RestShape shape_rest(const rectangle::Sweep& sweep, int element_bytes) {
    constexpr Index max_ranges = 1056;
    RestShape s{};
    s.matrices = sweep.matrices;
    s.direction = sweep.direction;
    s.aside = sweep.kind == rectangle::Kind::set_aside;
    s.rest = sweep.rest * sweep.matrices.item;
    s.head = (s.matrices.m - 1) * s.rest;
    const Index all = s.matrices.m * s.matrices.pitch();
    // No more than a hundredth in heads.
    const Index wanted = std::clamp<Index>(all / 100 / std::max<Index>(s.head, 1), 1, max_ranges);
    s.range = divide_up(all, wanted);
    s.ranges = divide_up(all, s.range);
    s.rest_elements = s.matrices.m * s.rest * s.matrices.count();
    s.scratch_bytes =
        static_cast<std::size_t>((s.rest_elements + s.head * s.ranges * s.matrices.count()) * element_bytes);
    return s;
}

void launch_rest(const RestShape& s, int element_bytes, void* data, void* scratch, cudaStream_t stream) {
    const Rest p = of(s);
    const Index count = s.matrices.count();
    const bool c2r = s.direction == Direction::c2r;
    const auto grid = [](Index elements) { return blocks(std::min<Index>(divide_up(elements, threads), 1024)); };
    with_element(element_bytes, [&]<class Word>(Word) {
        auto* const matrices = static_cast<Word*>(data);
        auto* const rest = static_cast<Word*>(scratch);
        Word* const heads = rest + s.rest_elements;
        const auto move_rest = [&] {
            rest_kernel<Word><<<grid(s.rest_elements), threads, 0, stream>>>(p, s.matrices.item, c2r == s.aside,
                                                                             s.aside, matrices, rest);
            check(cudaGetLastError(), "launch of the rest of a rectangle");
        };
        const auto shift = [&](auto kernel) {
            heads_kernel<Word><<<grid(s.head * s.ranges * count), threads, 0, stream>>>(p, matrices, heads);
            check(cudaGetLastError(), "launch of the rest of a rectangle");
            kernel<<<blocks(s.ranges * count), threads, 0, stream>>>(p, matrices, heads);
            check(cudaGetLastError(), "launch of the rest of a rectangle");
        };
        if (!c2r && !s.aside) shift(&shift_kernel<Word, false>);
        move_rest();
        if (c2r && s.aside) shift(&shift_kernel<Word, true>);
    });
}

}  // namespace poisson3d::cuda
