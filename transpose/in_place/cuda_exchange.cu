// Squares in place: the exchange of tiles (exchange.cuh), and the thread-wise baseline.
#include <algorithm>

#include "in_place/cuda_exchange.cuh"

namespace poisson3d::cuda {

namespace {

/// The shape measured best for a word size (docs/notes.md).
template <int Bytes>
struct BestExchange;
template <>
struct BestExchange<4> {
    using Shape = ExchangeShape<WordOf<4>::Type, 64, 256, 5, true>;
};
template <>
struct BestExchange<8> {
    using Shape = ExchangeShape<WordOf<8>::Type, 32, 256, 8, true>;
};
template <>
struct BestExchange<16> {
    using Shape = ExchangeShape<WordOf<16>::Type, 32, 256, 4, false>;
};

/// For squares that such a tile holds whole.
template <class Word>
using SmallExchange = ExchangeShape<Word, 32, 256, 4, true>;

/// Words of 8 bytes, rows that begin and end inside lines of 128: longer runs of whole lines, where there are
/// blocks enough.
using WideExchange = ExchangeShape<WordOf<8>::Type, 64, 1024, 2, true>;

bool wide_pays(const Squares& s) {
    constexpr Index line = 128 / 8;
    const Index tiles = divide_up(s.side, WideExchange::side);
    return s.side >= 400 && (s.pitch % line != 0 || s.side % line != 0) &&
           order::triangle_keys(tiles, Diagonal::included) * batches(s) >= 1024;
}

/// Calls body.template operator()<Shape>() with the shape for squares of items that are words.
template <class Word, class Body>
void with_shape(const Squares& s, const Body& body) {
    if (s.side <= SmallExchange<Word>::side) return body.template operator()<SmallExchange<Word>>();
    if constexpr (sizeof(Word) == 8)
        if (wide_pays(s)) return body.template operator()<WideExchange>();
    body.template operator()<typename BestExchange<sizeof(Word)>::Shape>();
}

constexpr int thread_wise_threads = 256;

/// Thread k exchanges word e of the pair of items whose number is p, k = p · item + e.
template <class Word>
__global__ void __launch_bounds__(thread_wise_threads)
    thread_wise_kernel(Squares s, Index words_of_a_square, Index count, Word* __restrict__ data) {
    const Index k = static_cast<Index>(blockIdx.x) * thread_wise_threads + threadIdx.x;
    if (k >= count) return;
    const auto [b, inside] = divide(k, words_of_a_square);
    const auto [pair, e] = divide(inside, s.item);
    const Tile at = order::v1_tile(pair);
    const auto [b0, b1] = divide(b, s.batch[1]);
    Word* const square = data + b0 * s.batch_stride[0] + b1 * s.batch_stride[1] + e;
    Word* const below = square + at.row * s.pitch + at.column * s.item;
    Word* const above = square + at.column * s.pitch + at.row * s.item;
    const Word first = *below;
    *below = *above;
    *above = first;
}

template <class Word>
void launch_items(const Squares& s, const TriangleWalk& walk, Word* data, cudaStream_t stream) {
    const int bytes = 2 * items_side * items_pitch(static_cast<int>(s.item)) * static_cast<int>(sizeof(Word));
    if (bytes > 48 * 1024) allow_shared(exchange_items_kernel<Word>, bytes);
    for_each_window(divide_up(s.side, items_side), walk, [&](const TriangleWindow& window) {
        exchange_items_kernel<Word>
            <<<blocks(window.keys() * batches(s)), items_threads, bytes, stream>>>(s, window, data);
        check(cudaGetLastError(), "launch of the exchange of items");
    });
}

}  // namespace

int exchange_tile_side(const Squares& s) {
    int side = items_side;
    if (s.item == 1)
        with_wide_word(s.element_bytes,
                       [&]<class Word>(Word) { with_shape<Word>(s, [&]<class Shape>() { side = Shape::side; }); });
    return side;
}

void launch_exchange(const Squares& s, const TriangleWalk& walk, void* data, cudaStream_t stream) {
    with_wide_word(s.element_bytes, [&]<class Word>(Word) {
        if (s.item > 1) return launch_items<Word>(s, walk, static_cast<Word*>(data), stream);
        with_shape<Word>(s, [&]<class Shape>() { launch_exchange_shape<Shape>(s, walk, data, stream); });
    });
}

void launch_thread_wise(const Squares& s, void* data, cudaStream_t stream) {
    with_wide_word(s.element_bytes, [&]<class Word>(Word) {
        const Index words = order::triangle_keys(s.side, Diagonal::excluded) * s.item;
        const Index count = words * batches(s);
        thread_wise_kernel<Word><<<blocks(divide_up(count, thread_wise_threads)), thread_wise_threads, 0, stream>>>(
            s, words, count, static_cast<Word*>(data));
        check(cudaGetLastError(), "launch of the thread-wise exchange");
    });
}

}  // namespace poisson3d::cuda
