// The cycles and paths of a permutation of slots, cut into pieces that can be worked on at the same time.
//
// In a chain p0 ← p1 ← p2 … slot p(i) takes the tile of slot p(i + 1). A piece of it is moved by one thread of the
// host, or one block of threads of a GPU. Where a chain is cut, the second piece overwrites a slot whose tile the
// first piece still needs. So the first tile of every piece behind a cut is saved before all moves, and the piece
// before the cut ends with that saved tile.
#pragma once

#include <cstdint>
#include <vector>

#include "structures/tiles.hpp"

namespace poisson3d {

/// `moves` moves from slot `first` on; `end` says where the last of them takes its tile.
struct ChainPiece {
    static constexpr std::int32_t from_slot = -1;   ///< the last source of a path, like all others
    static constexpr std::int32_t from_first = -2;  ///< a whole cycle: what the first slot held

    Slot first = 0;
    std::uint32_t moves = 0;
    std::int32_t end = from_slot;  ///< or the number of a saved tile
};

struct ChainPlan {
    std::vector<ChainPiece> pieces;
    std::vector<Slot> saved;  ///< the slots whose tiles are saved, in the order of their numbers
};

/// All moves, in pieces of at most `longest` (≥ 1) moves; slots that keep their tile are left out.
ChainPlan plan_chains(const TileMoves& moves, std::uint32_t longest);

}  // namespace poisson3d
