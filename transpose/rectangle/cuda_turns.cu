// Structures ↔ tiles with a lag: the sweep of a rectangle in place that turns blocks of rows
// (rectangle/lagged_tiles.hpp).
//
// A piece is a strip of neighbouring fields of one group of G blocks: G tiles of each field. Blocks of threads take
// pieces in the order of tickets, a group's strips one after the other, so that runs of neighbouring strips lie
// behind each other in time as in memory.
//
//     to tiles        rows gR … gR + R + B of the strip are read, since tile (j, f) begins at structure h(f) + jB;
//                     every tile is stored as one run
//     to structures   the groups in reverse order; the tiles of a field are read as runs, the one before the group
//                     included, and rows are stored
//
// What a piece overwrites was read by pieces of the two groups that lie the lag before it (to structures: behind
// it). They had their tickets earlier, and a piece that has a ticket reads without waiting: so waiting ends.
#include "common/cuda_pieces.cuh"
#include "cuda/division.cuh"
#include "rectangle/cuda_turns.hpp"

namespace poisson3d::cuda {

namespace {

using rectangle::LaggedCuts;

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int read_pitch = 256;  // bytes of a row's piece in shared memory

struct Turn {
    LaggedCuts cuts;
    Index lag, groups, strips;
    int width;  ///< fields of a strip
};

struct Piece {
    Index group;
    int first, fields;  ///< of its strip
    Index row0;
    bool last;  ///< of the last group
};

/// Of the next ticket.
__device__ __forceinline__ Piece next_piece(const Turn& p, unsigned* counters, bool backwards) {
    __shared__ unsigned shared_ticket;
    if (threadIdx.x == 0) shared_ticket = atomicAdd(counters, 1U);
    __syncthreads();
    const auto [turn, strip] = divide(shared_ticket, p.strips);
    const Index group = backwards ? p.groups - 1 - turn : turn;
    const int first = static_cast<int>(strip) * p.width;
    return {group, first, min(p.width, p.cuts.tiles.fields() - first), group * p.cuts.group_rows(),
            group + 1 == p.groups};
}

/// After a barrier behind all reading.
__device__ __forceinline__ void say_read(unsigned* counters, Index group) {
    if (threadIdx.x != 0) return;
    __threadfence();
    atomicAdd(counters + 1 + group, 1U);
}

/// Returns when all strips of the group have been read. Groups that do not exist have.
__device__ __forceinline__ void wait_for(const unsigned* counters, Index group, const Turn& p) {
    if (group < 0 || group >= p.groups) return;
    const volatile unsigned* const counter = counters + 1 + group;
    while (*counter != static_cast<unsigned>(p.strips)) __nanosleep(100);
}

/// Where tile `slot` of the tiles by block is.
template <class Word>
__device__ __forceinline__ Word* tile_at(const Turn& p, Index slot, Word* data, Word* lagging) {
    return slot >= p.lag ? data + ((slot - p.lag) << p.cuts.tiles.log()) : lagging + (slot << p.cuts.tiles.log());
}

template <class Word>
__global__ void __launch_bounds__(threads, 4)
    to_tiles_kernel(Turn p, unsigned* counters, Word* data, Word* lagging, Word* edges) {
    using P = Pieces<Word, read_pitch>;
    extern __shared__ __align__(16) unsigned char shared[];
    const StructureTiles& t = p.cuts.tiles;
    const Piece piece = next_piece(p, counters, false);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(data);
    const Index stride = static_cast<Index>(t.fields()) * P::size;
    const unsigned char* const from = bytes + piece.row0 * stride + piece.first * P::size;
    const int rows = piece.last ? static_cast<int>(t.count() - piece.row0)
                                : p.cuts.group_rows() + (t.sheared() ? t.length() : 0);
    fetch_pieces<P, threads>(shared, from, stride, 0, rows, piece.fields * P::size,
                             {bytes, bytes + t.count() * stride});
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    say_read(counters, piece.group);
    if (threadIdx.x == 0) {
        wait_for(counters, piece.group - p.cuts.lag_groups, p);
        wait_for(counters, piece.group - p.cuts.lag_groups - 1, p);
        __threadfence();
    }
    __syncthreads();

    PieceColumn column{shared, behind_boundary(from, 16), static_cast<int>(stride & 15)};
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int c = static_cast<int>(threadIdx.x) / 32; c < piece.fields; c += warps) {
        column.shared = shared + c * P::size;
        const auto word = [&](int row) { return *reinterpret_cast<const Word*>(column.at<P>(row)); };
        const int f = piece.first + c;
        const int head = t.head(f);
        const Index tiles = t.tiles(f);
        Word* const edge = edges + static_cast<Index>(f) * t.edge_room();
        if (piece.group == 0)
            for (int row = lane; row < head; row += 32) edge[row] = word(row);
        const Index j0 = piece.group * p.cuts.group;
        const int count = static_cast<int>(min(static_cast<Index>(p.cuts.group), tiles - j0));
        for (int g = 0; g < count; ++g) {
            Word* const to = tile_at(p, (j0 + g) * t.fields() + f, data, lagging);
#pragma unroll 4
            for (int w = lane; w < t.length(); w += 32) to[w] = word(head + (g << t.log()) + w);
        }
        if (piece.last) {
            const int end = head + static_cast<int>((tiles << t.log()) - piece.row0);
            for (int row = end + lane; row < rows; row += 32) edge[head + row - end] = word(row);
        }
    }
}

template <class Word>
constexpr int to_structures_width = 256 / static_cast<int>(sizeof(Word));

/// Words from one field to the next in shared memory: odd.
constexpr POISSON3D_BLOCK_HD int field_pitch(const LaggedCuts& cuts) {
    return (cuts.group_rows() + cuts.tiles.length()) | 1;
}

/// Whether all tiles that a group takes exist, and lie behind each other: in memory, or in scratch memory.
__device__ __forceinline__ bool is_steady(const Turn& p, Index j0) {
    const Index first = (j0 - 1) * p.cuts.tiles.fields();
    const Index end = (j0 + p.cuts.group) * p.cuts.tiles.fields();
    return j0 > 0 && j0 + p.cuts.group < p.cuts.tiles.blocks() && (first >= p.lag || end <= p.lag);
}

/// Fills held[c · pitch + r], field c and row r of a piece of a steady group.
template <class Word>
__device__ __forceinline__ void read_steady(const Turn& p, const Piece& piece, Index j0, int pitch, Word* data,
                                            Word* lagging, Word* held) {
    const StructureTiles& t = p.cuts.tiles;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int rows = p.cuts.group_rows();
    const int words = rows + t.length();  // of a field, from the tile before the group on
    const int mask = t.length() - 1;
    const Word* const tiles = tile_at(p, (j0 - 1) * t.fields() + piece.first, data, lagging);
    const int stride = t.block_words();
    constexpr int at_once = 8;
    for (int c = static_cast<int>(threadIdx.x) / 32; c < piece.fields; c += warps) {
        const int shift = t.head(piece.first + c) - t.length();  // of row numbers against words
        const Word* const field = tiles + (c << t.log());
        Word* const to = held + c * pitch + shift;
        for (int q0 = lane; q0 < words; q0 += 32 * at_once) {
            Word word[at_once];
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                const int q = q0 + 32 * u;
                if (static_cast<unsigned>(q + shift) < static_cast<unsigned>(rows) && q < words)
                    word[u] = field[static_cast<Index>(q >> t.log()) * stride + (q & mask)];
            }
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                const int q = q0 + 32 * u;
                if (static_cast<unsigned>(q + shift) < static_cast<unsigned>(rows) && q < words) to[q] = word[u];
            }
        }
    }
}

/// Row r of the group is word (r − h(f)) mod B of tile ⌊(r − h(f)) / B⌋, counted from tile j0.
template <class Word>
__device__ __forceinline__ void read_any(const Turn& p, const Piece& piece, Index j0, int rows, int pitch,
                                         Word* data, Word* lagging, const Word* __restrict__ edges, Word* held) {
    const StructureTiles& t = p.cuts.tiles;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    constexpr int at_once = 8;
    for (int c = static_cast<int>(threadIdx.x) / 32; c < piece.fields; c += warps) {
        const int f = piece.first + c;
        const int head = t.head(f);
        const Index tiles = t.tiles(f);
        const Word* const edge = edges + static_cast<Index>(f) * t.edge_room();
        const auto source = [&](int row) -> const Word* {
            const int along = row - head;
            const Index j = j0 + (along >> t.log());  // rounded down
            if (j < 0) return edge + row;
            if (j >= tiles) return edge + (piece.row0 + row - (tiles << t.log()));
            return tile_at(p, j * t.fields() + f, data, lagging) + (along & (t.length() - 1));
        };
        // From a tile's first word on, so that a warp reads within one.
        for (int r0 = head % 32 - 32; r0 < rows; r0 += 32 * at_once) {
            Word word[at_once];
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                const int row = r0 + 32 * u + lane;
                if (row >= 0 && row < rows) word[u] = *source(row);
            }
#pragma unroll
            for (int u = 0; u < at_once; ++u) {
                const int row = r0 + 32 * u + lane;
                if (row >= 0 && row < rows) held[c * pitch + row] = word[u];
            }
        }
    }
}

template <class Word>
__global__ void __launch_bounds__(threads, 4)
    to_structures_kernel(Turn p, unsigned* counters, Word* data, Word* lagging, const Word* __restrict__ edges) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const held = reinterpret_cast<Word*>(shared);
    const StructureTiles& t = p.cuts.tiles;
    const Piece piece = next_piece(p, counters, true);
    const int rows =
        static_cast<int>(piece.last ? t.count() - piece.row0 : static_cast<Index>(p.cuts.group_rows()));
    const int pitch = field_pitch(p.cuts);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const Index j0 = piece.group * p.cuts.group;

    if (p.cuts.steady && is_steady(p, j0))
        read_steady(p, piece, j0, pitch, data, lagging, held);
    else
        read_any(p, piece, j0, rows, pitch, data, lagging, edges, held);
    __syncthreads();
    say_read(counters, piece.group);
    if (threadIdx.x == 0) {
        wait_for(counters, piece.group + p.cuts.lag_groups, p);
        wait_for(counters, piece.group + p.cuts.lag_groups + 1, p);
        __threadfence();
    }
    __syncthreads();

    Word* const to = data + piece.row0 * t.fields() + piece.first;
#pragma unroll 4
    for (int row = warp; row < rows; row += warps)
        for (int c = lane; c < piece.fields; c += 32)
            to[static_cast<Index>(row) * t.fields() + c] = held[c * pitch + row];
}

}  // namespace

void launch_turns(const LaggedCuts& cuts, bool to_tiles, int word_bytes, void* data, const StructureTables& tables,
                  unsigned* counters, cudaStream_t stream) {
    check(cudaMemsetAsync(counters, 0, turn_counter_bytes(cuts), stream), "counters of a rectangle");
    with_wide_word(word_bytes, [&]<class Word>(Word) {
        using P = Pieces<Word, read_pitch>;
        const Index k = cuts.tiles.fields();
        const Index most = to_tiles ? P::columns : to_structures_width<Word>;
        Turn turn{cuts, cuts.lag(), cuts.groups(), divide_up(k, most), 0};
        turn.width = static_cast<int>(divide_up(k, turn.strips));
        turn.strips = divide_up(k, turn.width);
        const unsigned grid = blocks(turn.groups * turn.strips);
        auto* const words = static_cast<Word*>(data);
        auto* const lagging = static_cast<Word*>(tables.lagging);
        auto* const edges = static_cast<Word*>(tables.edges);
        if (to_tiles) {
            const int bytes = P::bytes(cuts.group_rows() + cuts.tiles.length());
            allow_shared(to_tiles_kernel<Word>, bytes);
            to_tiles_kernel<Word><<<grid, threads, bytes, stream>>>(turn, counters, words, lagging, edges);
        } else {
            const int bytes = turn.width * field_pitch(cuts) * static_cast<int>(sizeof(Word));
            allow_shared(to_structures_kernel<Word>, bytes);
            to_structures_kernel<Word><<<grid, threads, bytes, stream>>>(turn, counters, words, lagging, edges);
        }
        check(cudaGetLastError(), "launch of a sweep over the rows of a rectangle");
    });
}

}  // namespace poisson3d::cuda
