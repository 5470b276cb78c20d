// Structures ↔ tiles by block, in place: the first of the two sweeps.
//
// A block of threads goes through a range of the blocks of B structures in order. Tile (j, f) consists of the
// structures h(f) + jB …, which reach into block j + 1, so two blocks of structures are held in shared memory,
// block j in half j mod 2: a ring of 2B structures. Writing overwrites block j, which has been read. Behind the end
// of a range the next block belongs to another block of threads, so it is read from a copy that was made before (a
// halo). On the way back tile (j − 1, f) ends in block j: the same with the block before.
//
// Global memory is read and written in whole runs of k·B words. In shared memory, to tiles: a warp reads one field
// of 32 structures, so their stride is an odd number of words, k or k + 1: no two in one bank. To structures:
// a row of 2B words per field, of each of which a warp reads 32/k neighbours, so rows are ⌈32/k⌉ words longer
// (words of 4 bytes).
#include <cuda_pipeline.h>

#include <algorithm>

#include "structures/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int threads = 256;

/// Words of 128 bytes: one phase of an access to shared memory.
template <class Word>
constexpr int phase = 128 / static_cast<int>(sizeof(Word));

/// Of structures in shared memory.
constexpr POISSON3D_BLOCK_HD int odd_pitch(const StructureTiles& t) {
    return t.fields() | 1;
}
template <class Word>
constexpr POISSON3D_BLOCK_HD int row_pitch(const StructureTiles& t) {
    return 2 * t.length() + (phase<Word> + t.fields() - 1) / t.fields();
}
template <class Word>
int shared_bytes(const StructureTiles& t, bool to_tiles) {
    const int words = to_tiles ? 2 * t.length() * odd_pitch(t) : t.fields() * row_pitch<Word>(t);
    return words * static_cast<int>(sizeof(Word));
}

/// o / k, given ⌈2^32 / k⌉.
__device__ __forceinline__ int quotient(int o, unsigned inverse) {
    return static_cast<int>(__umulhi(static_cast<unsigned>(o), inverse));
}
template <class Word>
__device__ __forceinline__ void fetch(Word* shared, const Word* global) {
    __pipeline_memcpy_async(shared, global, sizeof(Word));
}
__device__ __forceinline__ void arrive() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

/// Copies of the blocks that ranges share: number r is block r·length − back.
template <class Word>
__global__ void __launch_bounds__(threads)
    halo_kernel(int words, Index length, int back, const Word* __restrict__ data, Word* __restrict__ halos) {
    const Index r = blockIdx.x + 1;
    const Word* const from = data + (r * length - back) * words;
#pragma unroll 4
    for (int o = threadIdx.x; o < words; o += threads) halos[r * words + o] = from[o];
}

template <class Word>
__global__ void __launch_bounds__(threads)
    to_tiles_kernel(StructureTiles t, unsigned inverse, Index length, Word* data, const Word* __restrict__ halos) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const ring = reinterpret_cast<Word*>(shared);
    const int words = t.block_words(), k = t.fields(), mask = t.length() - 1, pitch = odd_pitch(t);
    const Index range = blockIdx.x;
    const Index first = range * length;
    const Index last = min(first + length, t.blocks());
    const auto take = [&](const Word* from, Index j, int count) {
        Word* const half = ring + (static_cast<int>(j & 1) << t.log()) * pitch;
#pragma unroll 4
        for (int o = threadIdx.x; o < count; o += threads)
            fetch(half + quotient(o, inverse) * (pitch - k) + o, from + o);
    };

    take(data + first * words, first, words);
    for (Index j = first; j < last; ++j) {
        if (j + 1 < last)
            take(data + (j + 1) * words, j + 1, words);
        else if (t.sheared())
            j + 1 < t.blocks() ? take(halos + (range + 1) * words, j + 1, words)
                               : take(data + (j + 1) * words, j + 1, t.rest() * k);
        arrive();
        Word* const to = data + j * words;
        const int begin = static_cast<int>(j & 1) << t.log();
#pragma unroll 4
        for (int o = threadIdx.x; o < words; o += threads) {
            const int f = o >> t.log();
            const int s = (begin + t.head(f) + (o & mask)) & (2 * mask + 1);
            to[o] = ring[s * pitch + f];
        }
        __syncthreads();
    }
}

template <class Word>
__global__ void __launch_bounds__(threads) to_structures_kernel(StructureTiles t, unsigned inverse, Index length,
                                                                Word* data, const Word* __restrict__ halos) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const ring = reinterpret_cast<Word*>(shared);
    const int words = t.block_words(), k = t.fields(), mask = t.length() - 1, pitch = row_pitch<Word>(t);
    const Index range = blockIdx.x;
    const Index first = range * length;
    const Index last = min(first + length, t.blocks());
    const auto take = [&](const Word* from, Index j) {
        const int begin = static_cast<int>(j & 1) << t.log();
#pragma unroll 4
        for (int o = threadIdx.x; o < words; o += threads) {
            const int f = o >> t.log();
            const int s = (begin + t.head(f) + (o & mask)) & (2 * mask + 1);
            fetch(ring + f * pitch + s, from + o);
        }
    };
    const auto give = [&](Word* to, Index j, int count) {
        const Word* const half = ring + (static_cast<int>(j & 1) << t.log());
#pragma unroll 4
        for (int o = threadIdx.x; o < count; o += threads) {
            const int s = quotient(o, inverse);
            to[o] = half[(o - s * k) * pitch + s];
        }
    };

    if (t.sheared() && first > 0) take(halos + range * words, first - 1);
    for (Index j = first; j < last; ++j) {
        take(data + j * words, j);
        arrive();
        give(data + j * words, j, words);
        __syncthreads();
    }
    if (last == t.blocks()) give(data + last * words, last, t.rest() * k);
}

template <class Word>
auto kernel_of(bool to_tiles) {
    return to_tiles ? reinterpret_cast<const void*>(&to_tiles_kernel<Word>)
                    : reinterpret_cast<const void*>(&to_structures_kernel<Word>);
}

template <class Word>
void launch(const StructureCuts& cuts, bool to_tiles, Word* data, const StructureTables& tables,
            cudaStream_t stream) {
    const StructureTiles& t = cuts.tiles;
    auto* const halos = static_cast<Word*>(tables.halos);
    const Index length = cuts.blocks_per_range();
    if (t.sheared() && cuts.ranges > 1) {
        halo_kernel<Word><<<blocks(cuts.ranges - 1), threads, 0, stream>>>(t.block_words(), length,
                                                                           to_tiles ? 0 : 1, data, halos);
        check(cudaGetLastError(), "launch of the copies of shared blocks");
    }
    const int bytes = shared_bytes<Word>(t, to_tiles);
    allow_shared(kernel_of<Word>(to_tiles), bytes);
    const auto inverse = static_cast<unsigned>(((1ull << 32) + t.fields() - 1) / t.fields());
    const auto kernel = to_tiles ? &to_tiles_kernel<Word> : &to_structures_kernel<Word>;
    kernel<<<blocks(cuts.ranges), threads, bytes, stream>>>(t, inverse, length, data, halos);
    check(cudaGetLastError(), "launch of the first sweep over structures");
}

template <class Word>
__global__ void __launch_bounds__(threads)
    edge_kernel(StructureTiles t, bool save, bool of_structures, Word* data, Word* edges) {
    const int o = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    const int f = o / t.edge_room();
    if (f >= t.fields()) return;
    const Index s = t.edge(f, o - f * t.edge_room());
    if (s >= t.count()) return;
    Word& word = data[of_structures ? s * t.fields() + f : f * t.count() + s];
    if (save)
        edges[o] = word;
    else
        word = edges[o];
}

}  // namespace

void launch_structure_shear(const StructureCuts& cuts, bool to_tiles, int word_bytes, void* data,
                            const StructureTables& tables, cudaStream_t stream) {
    with_wide_word(word_bytes, [&]<class Word>(Word) {
        launch<Word>(cuts, to_tiles, static_cast<Word*>(data), tables, stream);
    });
}

Index concurrent_shear_blocks(int fields, int word_bytes) {
    Index concurrent = 0;
    with_wide_word(word_bytes, [&]<class Word>(Word) {
        const StructureTiles tiles(Index{1} << 20, fields, tile_log(fields, word_bytes));
        const int bytes = std::max(shared_bytes<Word>(tiles, true), shared_bytes<Word>(tiles, false));
        int per_processor = 0;
        allow_shared(kernel_of<Word>(true), bytes);
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel_of<Word>(true), threads, bytes),
              "blocks of threads a processor holds");
        concurrent = Index{multiprocessors()} * std::max(per_processor, 1);
    });
    return concurrent;
}

void launch_structure_edges(const StructureTiles& tiles, Edges what, bool of_structures, int word_bytes, void* data,
                            const StructureTables& tables, cudaStream_t stream) {
    with_wide_word(word_bytes, [&]<class Word>(Word) {
        edge_kernel<Word>
            <<<blocks(divide_up(Index{tiles.edge_room()} * tiles.fields(), threads)), threads, 0, stream>>>(
                tiles, what == Edges::save, of_structures, static_cast<Word*>(data),
                static_cast<Word*>(tables.edges));
    });
    check(cudaGetLastError(), "launch of the edges of arrays");
}

}  // namespace poisson3d::cuda
