// Rows that are moved as a whole: yxz, and pitched copies. No transpose, no shared memory.
//
// A row is copied in words as wide as every row's alignment allows, by as many threads as it has words, up to a
// block; short rows share a block.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int threads = 256;
/// 64 bytes in flight a thread, at most 8 words.
template <class Word>
constexpr int words_per_thread = sizeof(Word) >= 16 ? 4 : 8;

/// Lengths and strides in words; rows are counted with the last extent fastest.
template <class Word>
__global__ void __launch_bounds__(threads) row_kernel(RowCopy copy, Index rows, int threads_per_row, Index pieces,
                                                      const Word* __restrict__ in, Word* __restrict__ out) {
    const int lane = threadIdx.x % threads_per_row;
    const auto [group, piece] = divide(blockIdx.x, pieces);
    const Index row = group * (threads / threads_per_row) + threadIdx.x / threads_per_row;
    if (row >= rows) return;
    const auto [i01, i2] = divide(row, copy.extents[2]);
    const auto [i0, i1] = divide(i01, copy.extents[1]);
    const Word* from = in + i0 * copy.in[0] + i1 * copy.in[1] + i2 * copy.in[2];
    Word* to = out + i0 * copy.out[0] + i1 * copy.out[1] + i2 * copy.out[2];
    const Index first = piece * words_per_thread<Word> * threads_per_row + lane;
    Word held[words_per_thread<Word>];
#pragma unroll
    for (int k = 0; k < words_per_thread<Word>; ++k)
        if (first + k * threads_per_row < copy.length) held[k] = from[first + k * threads_per_row];
#pragma unroll
    for (int k = 0; k < words_per_thread<Word>; ++k)
        if (first + k * threads_per_row < copy.length) to[first + k * threads_per_row] = held[k];
}

template <class Word>
void launch(RowCopy copy, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    // From elements to words.
    const auto in_words = [&](Index elements) {
        return elements * element_bytes / static_cast<Index>(sizeof(Word));
    };
    for (int d = 0; d < 3; ++d) copy.in[d] = in_words(copy.in[d]), copy.out[d] = in_words(copy.out[d]);
    copy.length = in_words(copy.length);
    const Index rows = copy.extents[0] * copy.extents[1] * copy.extents[2];
    int per_row = 1;
    while (per_row < threads && per_row * words_per_thread<Word> < copy.length) per_row *= 2;
    const Index pieces = divide_up(copy.length, static_cast<Index>(per_row) * words_per_thread<Word>);
    const Index groups = divide_up(rows, threads / per_row);
    row_kernel<Word><<<blocks(groups * pieces), threads, 0, stream>>>(
        copy, rows, per_row, pieces, static_cast<const Word*>(in), static_cast<Word*>(out));
    check(cudaGetLastError(), "launch of the row copy");
}

/// The widest word that divides every address a row of this copy can start or end at.
int common_alignment(const RowCopy& copy, int element_bytes, const void* in, const void* out) {
    auto bits = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out) |
                static_cast<std::uintptr_t>(copy.length * element_bytes) | 16u;
    for (int d = 0; d < 3; ++d)
        if (copy.extents[d] > 1)
            bits |= static_cast<std::uintptr_t>(copy.in[d] * element_bytes) |
                    static_cast<std::uintptr_t>(copy.out[d] * element_bytes);
    return static_cast<int>(bits & -bits);
}

}  // namespace

void launch_row_copy(const RowCopy& copy, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    with_word(common_alignment(copy, element_bytes, in, out),
              [&]<class Word>(Word) { launch<Word>(copy, element_bytes, in, out, stream); });
}

}  // namespace poisson3d::cuda
