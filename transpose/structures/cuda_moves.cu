// Tiles by block ↔ tiles by field, in place: the second of the two sweeps.
//
// As many threads as a tile has parts of 16 bytes follow one piece of a chain. They share out the tile, and each
// moves its part of every tile by itself: no thread waits for another. Four moves are under way at a time: their
// sources are read before the first of them is overwritten. Short tiles are moved several pieces to a block.
#include <algorithm>
#include <cstdint>

#include "structures/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int at_once = 4;
constexpr int least_threads = 64;  // of a block

template <class Part>
__global__ void save_kernel(const Slot* __restrict__ slots, Index count, const Part* __restrict__ data,
                            Part* __restrict__ saved) {
    const Index parts = blockDim.x;  // of a tile
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (number < count) saved[number * parts + threadIdx.x] = data[slots[number] * parts + threadIdx.x];
}

/// `lagging`: the slots in scratch memory.
template <class Part, bool Lags>
__global__ void __launch_bounds__(1024)
    chain_kernel(TileMoves moves, const ChainPiece* __restrict__ pieces, Index count,
                 const Part* __restrict__ saved, Part* lagging, Part* data) {
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (number >= count) return;
    const ChainPiece piece = pieces[number];
    const Index parts = blockDim.x;
    Part* const mine = data + threadIdx.x;
    const auto at = [&](Slot s) -> Part& {
        if constexpr (Lags)
            if (moves.in_scratch(s))
                return lagging[threadIdx.x + (s - static_cast<Slot>(moves.tiles.slots())) * parts];
        return mine[s * parts];
    };

    Slot s = piece.first;
    Part end{};
    if (piece.end == ChainPiece::from_first)
        end = at(s);
    else if (piece.end >= 0)
        end = saved[piece.end * parts + threadIdx.x];
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
void launch(const TileMoves& moves, int tile_bytes, void* data, const StructureTables& tables,
            cudaStream_t stream) {
    const int parts = tile_bytes / static_cast<int>(sizeof(Part));
    const dim3 threads(static_cast<unsigned>(parts), static_cast<unsigned>(std::max(1, least_threads / parts)));
    const auto grid = [&](Index pieces) { return blocks(divide_up(pieces, threads.y)); };
    auto* const mine = static_cast<Part*>(data);
    auto* const saved = static_cast<Part*>(tables.saved);
    if (tables.saved_count > 0) {
        save_kernel<Part><<<grid(tables.saved_count), threads, 0, stream>>>(tables.saved_slots, tables.saved_count,
                                                                            mine, saved);
        check(cudaGetLastError(), "launch of the copies of tiles at cuts");
    }
    if (tables.piece_count == 0) return;
    const auto kernel = moves.lag > 0 ? &chain_kernel<Part, true> : &chain_kernel<Part, false>;
    kernel<<<grid(tables.piece_count), threads, 0, stream>>>(moves, tables.pieces, tables.piece_count, saved,
                                                             static_cast<Part*>(tables.lagging), mine);
    check(cudaGetLastError(), "launch of the moves of tiles");
}

}  // namespace

void launch_structure_chains(const TileMoves& moves, int word_bytes, void* data, const StructureTables& tables,
                             cudaStream_t stream) {
    const int tile_bytes = moves.tiles.length() * word_bytes;
    const bool wide = tile_bytes % 16 == 0 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
    with_word(wide ? 16 : word_bytes,
              [&]<class Part>(Part) { launch<Part>(moves, tile_bytes, data, tables, stream); });
}

}  // namespace poisson3d::cuda
