// The steps of structures ↔ arrays in place on a device (structures/tiles.hpp). All are asynchronous on
// `stream`, allocate nothing, and throw Error{device} when a launch is refused.
#pragma once

#include "common/cuda_words.hpp"
#include "structures/executors.hpp"

namespace poisson3d::cuda {

/// Device pointers, each to room for what StructureScratch and ChainPlan count.
struct StructureTables {
    void* edges = nullptr;
    void* halos = nullptr;
    void* saved = nullptr;
    void* lagging = nullptr;  ///< the slots of TileMoves that are in scratch memory
    const ChainPiece* pieces = nullptr;
    const Slot* saved_slots = nullptr;
    Index piece_count = 0, saved_count = 0;
};

enum class Edges { save, restore };
/// From or to the structures (`of_structures`), or else the arrays.
void launch_structure_edges(const StructureTiles& tiles, Edges what, bool of_structures, int word_bytes, void* data,
                            const StructureTables& tables, cudaStream_t stream);

/// Structures to tiles by block, or back.
void launch_structure_shear(const StructureCuts& cuts, bool to_tiles, int word_bytes, void* data,
                            const StructureTables& tables, cudaStream_t stream);
/// Blocks of threads that the device executes at the same time.
Index concurrent_shear_blocks(int fields, int word_bytes);

/// Tiles by block to tiles by field, or back. Words of any multiple of 4 bytes.
void launch_structure_chains(const TileMoves& moves, Index word_bytes, void* data, const StructureTables& tables,
                             cudaStream_t stream);

}  // namespace poisson3d::cuda
