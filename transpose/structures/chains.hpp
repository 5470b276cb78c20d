// The cycles and paths of a permutation of slots, cut into pieces that can be worked on at the same time.
//
// A chain p0 ← p1 ← p2 … is followed by one worker: slot p(i) takes what p(i + 1) holds. Where a chain is cut, two
// workers meet: the second overwrites the slot whose tile the first still wants. So before anyone starts, the first
// tile of every piece behind a cut is saved, and the piece before it ends with that saved tile.
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
