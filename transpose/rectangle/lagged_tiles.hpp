// How a large rectangle is cut that goes in place by tiles (structures/tiles.hpp): rows of the longer side are
// structures, n of k words, whatever the sides are.
//
// A block of B structures is B·k words, more than a processor holds, so structures cannot become tiles where they
// are. They do so with a lag: groups of blocks are taken in order, and the tiles of a group are written where the
// structures of an earlier group were, `lag_groups` before it; those of the first groups go to scratch memory.
//
//     memory      │ tiles 2 │ tiles 3 │ (free)  │ (free)  │ group 4 │ group 5 │      lag of two groups, while
//     scratch     │ tiles 0 │ tiles 1 │                                            group 4 is being read
//
// So structures are read and tiles written out of place, in pieces of any shape. A piece waits only if what it
// overwrites has not been read, which with enough groups between them never happens. The second sweep takes the
// tiles from where they are (TileMoves::lag), and the paths that begin at what the lag left free and end in scratch
// memory are its chains. Two sweeps, each at most as fast as a copy, for any two sides.
#pragma once

#include <algorithm>

#include "structures/executors.hpp"

namespace poisson3d::rectangle {

struct LaggedCuts {
    StructureTiles tiles;
    int group = 1;         ///< blocks of B structures
    Index lag_groups = 1;  ///< at least 1
    std::uint32_t longest = 1;
    /// Tiles to structures: groups whose tiles all exist on one side of the lag find them by one address a field.
    bool steady = false;

    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int group_rows() const { return group << tiles.log(); }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index groups() const { return (tiles.blocks() + group - 1) / group; }
    /// Slots between a tile and its place; all of them if there are no more.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index lag() const {
        const Index blocks = lag_groups * group < tiles.blocks() ? lag_groups * group : tiles.blocks();
        return blocks * tiles.fields();
    }
};

/// n structures of k words of `word_bytes`, tiles of at least `tile_bytes` (a power of two, 8 words or more), about
/// `allowed` bytes of scratch memory. A lag of 40 MiB is more than a device reads at one time.
inline LaggedCuts lagged_cuts(Index n, Index k, int word_bytes, Index tile_bytes, Index allowed) {
    constexpr Index piece_rows = 192;  // of a piece and the block behind it that a tile may reach into
    constexpr Index wanted_lag = Index{40} << 20;
    constexpr Index usual_piece = 32;  // moves, where the lag leaves chains to be cut at all
    int log = 0;
    while (Index{word_bytes} << log < tile_bytes) ++log;
    while ((n * k >> log) >> 31 != 0) ++log;
    LaggedCuts cuts{.tiles = StructureTiles(n, static_cast<int>(k), log)};
    const Index block = (k << log) * word_bytes;
    const Index room = std::max((allowed - 2 * block) / 4 * 3, block);
    cuts.group =
        static_cast<int>(std::clamp((piece_rows >> log) - 1, Index{1}, std::max(room / (2 * block), Index{1})));
    cuts.lag_groups = std::max(std::min(room, wanted_lag) / (cuts.group * block), Index{1});
    const Index per_piece = (Index{word_bytes} << log) + static_cast<Index>(sizeof(ChainPiece) + sizeof(Slot));
    cuts.longest =
        static_cast<std::uint32_t>(std::max({usual_piece, 4 * cuts.tiles.slots() / std::max(cuts.lag(), Index{1}),
                                             cuts.tiles.slots() * per_piece / (allowed / 16) + 1}));
    return cuts;
}

}  // namespace poisson3d::rectangle
