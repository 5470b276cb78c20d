// Who turns structures into arrays in their own memory: one interface, a factory per backend. The problem has been
// checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "poisson3d/structures.hpp"
#include "structures/chains.hpp"

namespace poisson3d {

struct StructureExecutor {
    StructureExecutor() = default;
    StructureExecutor(const StructureExecutor&) = delete;
    StructureExecutor& operator=(const StructureExecutor&) = delete;
    virtual ~StructureExecutor() = default;

    virtual void run(void* data, Stream stream) const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual std::size_t scratch_bytes() const noexcept = 0;
};

/// Structures of one word, or one structure: both layouts are the same.
struct NothingToMove final : StructureExecutor {
    void run(void*, Stream) const override {}
    [[nodiscard]] std::string description() const override { return "nothing to move"; }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return 0; }
};

/// How the two sweeps are cut. Tests set what is otherwise chosen.
struct StructureCuts {
    StructureTiles tiles;
    Index ranges = 1;           ///< of blocks, each walked by one worker
    std::uint32_t longest = 1;  ///< moves of a piece of a chain

    /// Blocks of a range that is not the last.
    [[nodiscard]] Index blocks_per_range() const { return (tiles.blocks() + ranges - 1) / ranges; }
};

/// Words of what is put aside: edges, a block per range that another range looks into, tiles at cuts of chains.
struct StructureScratch {
    Index edges = 0, halos = 0, saved = 0;

    StructureScratch() = default;
    StructureScratch(const StructureCuts& cuts, const ChainPlan& chains)
        : edges(static_cast<Index>(cuts.tiles.fields()) * cuts.tiles.edge_room()),
          halos(cuts.tiles.sheared() ? cuts.ranges * cuts.tiles.block_words() : 0),
          saved(static_cast<Index>(chains.saved.size()) * cuts.tiles.length()) {}
    [[nodiscard]] Index words() const { return edges + halos + saved; }
};

/// Cuts for `workers` that walk ranges at the same time; wants at least one whole block of the length chosen.
StructureCuts choose_cuts(const StructureProblem& problem, Index workers);

/// So small that all of it may lie in scratch: put aside and transposed back, two sweeps as well.
bool fits_scratch(const StructureProblem& problem) noexcept;
bool nothing_to_move(const StructureProblem& problem) noexcept;

/// log2 of the words of a tile: the longest tile, of 512 bytes to 4 KiB, with blocks of at most 32 KiB if possible.
int tile_log(int fields, int word_bytes) noexcept;

std::unique_ptr<StructureExecutor> make_host_structures(const StructureProblem& problem, int threads);
/// Throws Error{unsupported} in a build without CUDA, Error{device} without a device.
std::unique_ptr<StructureExecutor> make_cuda_structures(const StructureProblem& problem);

// By tiles, whatever the size, with two words or more and at least one whole block.
std::unique_ptr<StructureExecutor> make_host_structure_tiles(const StructureProblem& problem,
                                                             const StructureCuts& cuts, int threads);
std::unique_ptr<StructureExecutor> make_cuda_structure_tiles(const StructureProblem& problem,
                                                             const StructureCuts& cuts);

/// The transpose that `problem` is.
TransposeProblem matrix_of(const StructureProblem& problem);

}  // namespace poisson3d
