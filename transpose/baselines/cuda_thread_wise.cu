// Squares in place, thread-wise: each thread exchanges one element with its mirror image.
#include "baselines/cuda_launchers.hpp"
#include "common/cuda_batch.cuh"
#include "poisson3d/block_order.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int threads = 256;

/// Thread k exchanges word e of the pair of items whose number is p, k = p · item + e.
template <class Word>
__global__ void __launch_bounds__(threads)
    thread_wise_kernel(Squares s, Index words_of_a_square, Index count, Word* __restrict__ data) {
    const Index k = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
    if (k >= count) return;
    const auto [b, inside] = divide(k, words_of_a_square);
    const auto [pair, e] = divide(inside, s.item);
    const Tile at = order::v1_tile(pair);
    Word* const square = data + offset_in_batch(b, s.batch, s.batch_stride) + e;
    Word* const below = square + at.row * s.pitch + at.column * s.item;
    Word* const above = square + at.column * s.pitch + at.row * s.item;
    const Word first = *below;
    *below = *above;
    *above = first;
}

}  // namespace

void launch_thread_wise(const Squares& s, void* data, cudaStream_t stream) {
    with_wide_word(s.element_bytes, [&]<class Word>(Word) {
        const Index words = order::triangle_keys(s.side, Diagonal::excluded) * s.item;
        const Index count = words * s.count();
        thread_wise_kernel<Word>
            <<<blocks(divide_up(count, threads)), threads, 0, stream>>>(s, words, count, static_cast<Word*>(data));
        check(cudaGetLastError(), "launch of the thread-wise exchange");
    });
}

}  // namespace poisson3d::cuda
