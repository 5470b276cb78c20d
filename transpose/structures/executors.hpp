// The executors of structures that become arrays in their own memory, or the reverse, and how their two sweeps are
// cut. The problem has been checked; for CUDA require_cuda() must pass.
#pragma once

#include "common/executor.hpp"
#include "poisson3d/structures.hpp"
#include "structures/chains.hpp"

namespace poisson3d {

/// Structures of one word, or one structure: both layouts are the same.
struct NothingToMove final : InPlaceMovement {
    void run(void*, Stream) const override {}
    [[nodiscard]] std::string description() const override { return "nothing to move"; }
};

/// How the two sweeps are cut. Tests set what is otherwise chosen.
struct StructureCuts {
    StructureTiles tiles;
    Index ranges = 1;           ///< of blocks, each the work of one thread, or block of threads
    std::uint32_t longest = 1;  ///< moves of a piece of a chain

    /// Blocks of a range that is not the last.
    [[nodiscard]] Index blocks_per_range() const { return (tiles.blocks() + ranges - 1) / ranges; }
};

/// Words of scratch memory: edges, copies of blocks that two ranges read, saved tiles.
struct StructureScratch {
    Index edges, halos, saved;

    StructureScratch(const StructureCuts& cuts, const ChainPlan& chains)
        : edges(static_cast<Index>(cuts.tiles.fields()) * cuts.tiles.edge_room()),
          halos(cuts.tiles.sheared() ? cuts.ranges * cuts.tiles.block_words() : 0),
          saved(static_cast<Index>(chains.saved.size()) * cuts.tiles.length()) {}
    [[nodiscard]] Index words() const { return edges + halos + saved; }
};

/// Cuts into at most `max_ranges` ranges where ranges cost memory; wants at least one whole block of the length
/// chosen.
StructureCuts choose_cuts(const StructureProblem& problem, Index max_ranges);

/// So small that all of it may lie in scratch, from where it is transposed back: two sweeps as well.
bool fits_scratch(const StructureProblem& problem) noexcept;
bool nothing_to_move(const StructureProblem& problem) noexcept;

/// log2 of the words of a tile: the longest tile, of 512 bytes to 4 KiB, with blocks of at most 32 KiB if possible.
int tile_log(int fields, int word_bytes) noexcept;

std::unique_ptr<InPlaceMovement> make_host_structures(const StructureProblem& problem, int threads);
std::unique_ptr<InPlaceMovement> make_cuda_structures(const StructureProblem& problem);

// By tiles, whatever the size, with two words or more and at least one whole block.
std::unique_ptr<InPlaceMovement> make_host_structure_tiles(const StructureProblem& problem,
                                                           const StructureCuts& cuts, int threads);
std::unique_ptr<InPlaceMovement> make_cuda_structure_tiles(const StructureProblem& problem,
                                                           const StructureCuts& cuts);

/// The transpose that `problem` is.
TransposeProblem matrix_of(const StructureProblem& problem);

}  // namespace poisson3d
