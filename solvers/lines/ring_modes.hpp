// All modes of a ring or a chain, by groups of eigenvalues that lie together, many groups at once
// (ring_search.hpp), in a number of steps that grows as n². A chain is a ring with one node more, ground, which has
// links to both of its ends and is 0 in every mode. Eigenvalues are counted in doubles and halved apart
// (isolated_eigenvalues.hpp).
#pragma once

#include <optional>

#include "chain_modes.hpp"

namespace poisson3d::lines {

/// None if a mode was not proved, as where links are so weak that eigenvalues are next to nothing beside the
/// greatest link, or less apart from each other than some 10⁻¹⁶ of it.
std::optional<ChainModes> ring_ladder_modes(const Chain& chain, ThreadTeam* team);

}  // namespace poisson3d::lines
