// A matrix of n structures of k words becomes its transpose in place on the host, or the reverse, by tiles
// (structures/tiles.hpp): for structures and for rectangles alike, k being any number.
//
// Bytes: two sweeps, each of which reads and writes all of the memory once. In the first, a thread goes through a
// range of blocks; a block is read row by row and its tiles are written where it was, or the reverse, so memory is
// read and written from end to end. The second moves tiles of some lines to places far apart: the addresses are
// known beforehand, so they are fetched some moves ahead.
#pragma once

#include <string>

#include "common/host_threads.hpp"
#include "structures/chains.hpp"
#include "structures/executors.hpp"

namespace poisson3d {

class HostTileTranspose {
public:
    /// `word_bytes`: a multiple of 4. Words of a block, and the tiles' total, must stay below 2^31 and 2^32.
    HostTileTranspose(const StructureCuts& cuts, StructureMove move, Index word_bytes, int threads,
                      Instructions instructions = best_instructions());

    /// What a run needs beside the plan's own tables.
    [[nodiscard]] std::size_t scratch_bytes() const noexcept { return static_cast<std::size_t>(layout_.end); }
    [[nodiscard]] std::size_t table_bytes() const noexcept;
    [[nodiscard]] std::string description() const;  ///< "tiles of 2048 bytes, 8192 pieces of chains"
    /// `scratch` is aligned to a line. `team` has at most as many threads as was said, null: this one alone.
    void run(char* data, char* scratch, ThreadTeam* team) const;

private:
    /// Where the parts of the scratch memory begin, in bytes.
    struct Layout {
        Index edges, halos, saved, firsts, areas, end;
        Index area;               ///< bytes of one
        Index structures, strip;  ///< within an area, behind the tiles that are kept
    };
    struct Run;

    [[nodiscard]] const StructureTiles& tiles() const { return cuts_.tiles; }
    [[nodiscard]] Index tile_bytes() const { return word_ << tiles().log(); }
    [[nodiscard]] Index block_bytes() const { return tile_bytes() * tiles().fields(); }
    [[nodiscard]] Index structure_bytes() const { return word_ * tiles().fields(); }

    StructureCuts cuts_;
    TileMoves moves_;
    Index word_;
    ChainPlan chains_;
    int threads_;
    const host_transpose::Movers* movers_;
    const host_transpose::TileMovers* tile_movers_;
    Index strips_;
    Index pitch_;  ///< of structures in scratch
    Layout layout_;
};

}  // namespace poisson3d
