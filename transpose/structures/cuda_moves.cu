// Tiles by block ↔ tiles by field, in place: the second of the two sweeps.
//
// As many threads as a tile has parts of 16 bytes follow one piece of a chain. They share out the tile, and each
// moves its part of every tile by itself: no thread waits for another. Four moves are under way at a time: their
// sources are read before the first of them is overwritten. Short tiles are moved several pieces to a block, long
// ones by several blocks.
#include <algorithm>
#include <cstdint>

#include "structures/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int at_once = 4;
constexpr int least_threads = 64;  // of a block
constexpr int most_threads = 512;

/// What a thread has of every tile; none if part ≥ parts.
struct Share {
    Index number;  ///< of the piece
    int part;
};
__device__ __forceinline__ Share share() {
    return {static_cast<Index>(blockIdx.x) * blockDim.y + threadIdx.y,
            static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x)};
}

template <class Part>
__global__ void __launch_bounds__(most_threads)
    save_kernel(const Slot* __restrict__ slots, Index count, int parts, const Part* __restrict__ data,
                Part* __restrict__ saved) {
    const Share own = share();
    if (own.number < count && own.part < parts)
        saved[own.number * parts + own.part] = data[static_cast<Index>(slots[own.number]) * parts + own.part];
}

/// `lagging`: the slots in scratch memory.
template <class Part, bool Lags>
__global__ void __launch_bounds__(most_threads)
    chain_kernel(TileMoves moves, const ChainPiece* __restrict__ pieces, Index count, int parts,
                 const Part* __restrict__ saved, Part* lagging, Part* data) {
    const Share own = share();
    const int part = own.part;
    if (own.number >= count || part >= parts) return;
    const ChainPiece piece = pieces[own.number];
    Part* const mine = data + part;
    const auto at = [=](Slot s) -> Part& {
        if constexpr (Lags)
            if (moves.in_scratch(s))
                return lagging[part + static_cast<Index>(s - static_cast<Slot>(moves.tiles.slots())) * parts];
        return mine[static_cast<Index>(s) * parts];
    };

    Slot s = piece.first;
    Part end{};
    if (piece.end == ChainPiece::from_first)
        end = at(s);
    else if (piece.end >= 0)
        end = saved[static_cast<Index>(piece.end) * parts + part];
    unsigned left = piece.end == ChainPiece::from_slot ? piece.moves : piece.moves - 1;
    for (; left >= at_once; left -= at_once) {
        Slot from[at_once];
        Part held[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            from[i] = moves.source(i == 0 ? s : from[i - 1]);
            held[i] = at(from[i]);
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i) at(i == 0 ? s : from[i - 1]) = held[i];
        s = from[at_once - 1];
    }
    for (; left > 0; --left) {
        const Slot from = moves.source(s);
        at(s) = at(from);
        s = from;
    }
    if (piece.end != ChainPiece::from_slot) at(s) = end;
}

template <class Part>
void launch(const TileMoves& moves, Index tile_bytes, void* data, const StructureTables& tables,
            cudaStream_t stream) {
    const int parts = static_cast<int>(tile_bytes / static_cast<Index>(sizeof(Part)));
    const auto blocks_of_tile = static_cast<unsigned>(divide_up(parts, most_threads));
    const auto lanes = static_cast<unsigned>(divide_up(parts, blocks_of_tile));
    const dim3 threads(lanes, std::max(1U, least_threads / lanes));
    const auto grid = [&](Index pieces) { return dim3(blocks(divide_up(pieces, threads.y)), blocks_of_tile); };
    auto* const mine = static_cast<Part*>(data);
    auto* const saved = static_cast<Part*>(tables.saved);
    if (tables.saved_count > 0) {
        save_kernel<Part><<<grid(tables.saved_count), threads, 0, stream>>>(tables.saved_slots, tables.saved_count,
                                                                            parts, mine, saved);
        check(cudaGetLastError(), "launch of the copies of tiles at cuts");
    }
    if (tables.piece_count == 0) return;
    const auto kernel = moves.lag > 0 ? &chain_kernel<Part, true> : &chain_kernel<Part, false>;
    kernel<<<grid(tables.piece_count), threads, 0, stream>>>(moves, tables.pieces, tables.piece_count, parts, saved,
                                                             static_cast<Part*>(tables.lagging), mine);
    check(cudaGetLastError(), "launch of the moves of tiles");
}

}  // namespace

void launch_structure_chains(const TileMoves& moves, Index word_bytes, void* data, const StructureTables& tables,
                             cudaStream_t stream) {
    const Index tile_bytes = moves.tiles.length() * word_bytes;
    const auto bits = static_cast<std::uintptr_t>(tile_bytes) | reinterpret_cast<std::uintptr_t>(data);
    with_wide_word(bits % 16 == 0  ? 16
                   : bits % 8 == 0 ? 8
                                   : 4,
                   [&]<class Part>(Part) { launch<Part>(moves, tile_bytes, data, tables, stream); });
}

}  // namespace poisson3d::cuda
