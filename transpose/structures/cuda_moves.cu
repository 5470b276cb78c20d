// Tiles by block ↔ tiles by field, in place: the second of the two sweeps.
//
// A block of threads follows one piece of a chain. Its threads share out the tile, 16 bytes each, and each moves
// its part of every tile by itself: no thread waits for another. Four moves are under way at a time: their sources
// are read before the first of them is overwritten.
#include <cstdint>

#include "structures/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int at_once = 4;

template <class Part>
__global__ void save_kernel(const Slot* __restrict__ slots, const Part* __restrict__ data,
                            Part* __restrict__ saved) {
    const Index parts = blockDim.x;  // of a tile
    saved[blockIdx.x * parts + threadIdx.x] = data[slots[blockIdx.x] * parts + threadIdx.x];
}

template <class Part>
__global__ void __launch_bounds__(1024) chain_kernel(TileMoves moves, const ChainPiece* __restrict__ pieces,
                                                     const Part* __restrict__ saved, Part* data) {
    const ChainPiece piece = pieces[blockIdx.x];
    const Index parts = blockDim.x;
    Part* const mine = data + threadIdx.x;
    const auto at = [&](Slot s) -> Part& { return mine[s * parts]; };

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
    const int threads = tile_bytes / static_cast<int>(sizeof(Part));
    auto* const parts = static_cast<Part*>(data);
    auto* const saved = static_cast<Part*>(tables.saved);
    if (tables.saved_count > 0) {
        save_kernel<Part><<<blocks(tables.saved_count), threads, 0, stream>>>(tables.saved_slots, parts, saved);
        check(cudaGetLastError(), "launch of the copies of tiles at cuts");
    }
    if (tables.piece_count == 0) return;
    chain_kernel<Part><<<blocks(tables.piece_count), threads, 0, stream>>>(moves, tables.pieces, saved, parts);
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
