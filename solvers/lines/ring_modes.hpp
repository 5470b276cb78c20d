// All modes of a ring by its ladders (ring_ladders.hpp), in a number of steps that grows as n².
#pragma once

#include <optional>

#include "chain_modes.hpp"

namespace poisson3d::lines {

/// None if an eigenvalue was not found to that precision, as of rings with several equal parts that are as good as
/// separate.
std::optional<ChainModes> ring_ladder_modes(const Chain& chain, ThreadTeam* team);

}  // namespace poisson3d::lines
