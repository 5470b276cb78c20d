// Squares whose items are rows: row (r, c) changes places with row (c, r), and no element moves within its row.
//
// A row is cut into chunks; a team of threads, from a warp to a block, exchanges a chunk of one row with that of
// its mirror image, all its loads in flight before its first store. Words are as wide as the row's length and the
// alignment of the data allow. Where that leaves rows of different alignment, each is stored in pieces that end at
// 128-byte boundaries of its own: a sector written in two parts costs more than one loaded twice. Pairs are
// numbered by the triangle's order, a row a tile: those of a band are near each other in both halves, so that
// sectors which two rows share are completed in the cache.
#include <algorithm>
#include <cstdint>

#include "exchange.cuh"

namespace poisson3d::cuda {

namespace {

constexpr int row_threads = 256;

/// Loads of a thread and row.
template <class Word>
constexpr int row_loads = sizeof(Word) == 8 ? 8 : 4;

/// A row is `pieces` chunks of team · row_loads words, the last of them shorter.
struct RowTeams {
    int team;
    Index chunk, pieces;
    Index tasks;  ///< pairs of the batch times pieces
};

/// How many words `p` lies behind a boundary of 128 bytes; 0 for words of 4, where counting costs more than it
/// saves.
template <class Word>
__device__ __forceinline__ int behind_line(const Word* p) {
    if constexpr (sizeof(Word) == 4) return 0;
    return static_cast<int>(reinterpret_cast<unsigned long long>(p) / sizeof(Word) % (128 / sizeof(Word)));
}

template <class Word>
__global__ void __launch_bounds__(row_threads)
    exchange_rows_kernel(Squares s, TriangleWindow window, RowTeams teams, Word* __restrict__ data) {
    const Index task = static_cast<Index>(blockIdx.x) * (row_threads / teams.team) + threadIdx.x / teams.team;
    const auto [pair, piece] = divide(task, teams.pieces);
    const auto [offset, at] = exchange_task(s, window, pair);
    // In words: what s says in elements has been divided by the elements of a word.
    const Index begin = piece * teams.chunk;
    const bool moves = task < teams.tasks && at.row != at.column;
    const int count = moves ? static_cast<int>(min(teams.chunk, s.item - begin)) : 0;
    Word* const below = data + offset + at.row * s.pitch + at.column * s.item + begin;
    Word* const above = data + offset + at.column * s.pitch + at.row * s.item + begin;
    const int lane = static_cast<int>(threadIdx.x) % teams.team;
    const int to_above = lane - behind_line(above);
    const int to_below = lane - behind_line(below);
    Word from_below[row_loads<Word> + 1];
    Word from_above[row_loads<Word> + 1];
    const auto each = [&](int first, auto move) {
#pragma unroll
        for (int i = 0; i <= row_loads<Word>; ++i)
            if (const int e = first + i * teams.team; e >= 0 && e < count) move(i, e);
    };
    each(to_above, [&](int i, int e) { from_below[i] = below[e]; });
    each(to_below, [&](int i, int e) { from_above[i] = above[e]; });
    __syncthreads();  // what one thread stores another has to load
    each(to_above, [&](int i, int e) { above[e] = from_below[i]; });
    each(to_below, [&](int i, int e) { below[e] = from_above[i]; });
}

/// The widest word in which everything is counted evenly.
int word_bytes(const Squares& s, const void* data) {
    const auto address = static_cast<Index>(reinterpret_cast<std::uintptr_t>(data));
    int bytes = 16;
    const auto divides = [&](Index elements) { return elements * s.element_bytes % bytes == 0; };
    while (bytes > s.element_bytes && (address % bytes != 0 || !divides(s.item) || !divides(s.pitch) ||
                                       !divides(s.batch_stride[0]) || !divides(s.batch_stride[1])))
        bytes /= 2;
    return bytes;
}

}  // namespace

bool exchanges_rows(const Squares& s) noexcept {
    return s.item > 1 && s.item * s.element_bytes >= longest_item;
}

void launch_exchange_rows(const Squares& s, const TriangleWalk& walk, void* data, cudaStream_t stream) {
    const int bytes = word_bytes(s, data);
    const int ratio = bytes / s.element_bytes;
    const Squares in_words{s.side, s.pitch / ratio, s.item / ratio,
                           bytes,  s.batch,         {s.batch_stride[0] / ratio, s.batch_stride[1] / ratio}};
    with_wide_word(bytes, [&]<class Word>(Word) {
        RowTeams teams{32, 32 * row_loads<Word>, 1, 0};
        while (teams.team < row_threads && teams.chunk < in_words.item) teams.team *= 2, teams.chunk *= 2;
        teams.pieces = divide_up(in_words.item, teams.chunk);
        for_each_window(s.side, walk, [&](const TriangleWindow& window) {
            teams.tasks = window.keys() * teams.pieces * batches(s);
            exchange_rows_kernel<Word>
                <<<blocks(divide_up(teams.tasks, row_threads / teams.team)), row_threads, 0, stream>>>(
                    in_words, window, teams, static_cast<Word*>(data));
            check(cudaGetLastError(), "launch of the exchange of rows");
        });
    });
}

}  // namespace poisson3d::cuda
