// Squares whose items are rows: row (r, c) changes places with row (c, r), and no element moves within its row.
//
// A row is cut into chunks; a team of threads, from a warp to a block, exchanges a chunk of one row with that of
// its mirror image, all its loads in flight before its first store. Words are as wide as the row's length and the
// alignment of the data allow. Pairs are numbered by the triangle's order, a row a tile: those of a band are near
// each other in both halves, so that sectors which two rows share are completed in the cache.
#include <algorithm>
#include <cstdint>

#include "exchange.cuh"

namespace poisson3d::cuda {

namespace {

constexpr int row_threads = 256;
constexpr int row_loads = 4;  // of a thread and row

/// `words` of a row are `pieces` chunks of team · row_loads words, the last of them shorter.
struct RowTeams {
    int team;
    Index words, pieces;
    Index tasks;  ///< pairs of the batch times pieces
};

template <class Word>
__global__ void __launch_bounds__(row_threads)
    exchange_rows_kernel(Squares s, TriangleWindow window, RowTeams teams, Word* __restrict__ data) {
    const Index task = static_cast<Index>(blockIdx.x) * (row_threads / teams.team) + threadIdx.x / teams.team;
    if (task >= teams.tasks) return;
    const auto [pair, piece] = divide(task, teams.pieces);
    const auto [offset, at] = exchange_task(s, window, pair);
    if (at.row == at.column) return;  // stays where it is
    const Index first = piece * teams.team * row_loads + threadIdx.x % teams.team;
    // In words: what s says in elements has been divided by the elements of a word.
    Word* const square = data + offset + first;
    Word* const below = square + at.row * s.pitch + at.column * s.item;
    Word* const above = square + at.column * s.pitch + at.row * s.item;
    Word from_below[row_loads];
    Word from_above[row_loads];
#pragma unroll
    for (int i = 0; i < row_loads; ++i)
        if (first + i * teams.team < teams.words) {
            from_below[i] = below[i * teams.team];
            from_above[i] = above[i * teams.team];
        }
#pragma unroll
    for (int i = 0; i < row_loads; ++i)
        if (first + i * teams.team < teams.words) {
            above[i * teams.team] = from_below[i];
            below[i * teams.team] = from_above[i];
        }
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
    RowTeams teams{32, in_words.item, 1, 0};
    while (teams.team < row_threads && teams.team * row_loads < teams.words) teams.team *= 2;
    teams.pieces = divide_up(teams.words, teams.team * row_loads);
    with_wide_word(bytes, [&]<class Word>(Word) {
        for_each_window(in_words, s.side, walk, [&](const TriangleWindow& window) {
            teams.tasks = window.keys() * teams.pieces * batches(s);
            exchange_rows_kernel<Word>
                <<<blocks(divide_up(teams.tasks, row_threads / teams.team)), row_threads, 0, stream>>>(
                    in_words, window, teams, static_cast<Word*>(data));
            check(cudaGetLastError(), "launch of the exchange of rows");
        });
    });
}

}  // namespace poisson3d::cuda
