// All modes of a chain by its ladders alone (ladder.hpp), whatever its links, in a number of steps that grows as
// n², twice as many as ring_modes.hpp takes, which comes first: eigenvalues are separated by bisection
// (isolated_eigenvalues.hpp), and each is improved with its mode, twice the precision at last, until the mode is as
// far from the next one as rounding can tell. So modes are orthogonal without being made so, and each is found by
// itself.
#pragma once

#include <optional>

#include "chain_modes.hpp"

namespace poisson3d::lines {

/// None if an eigenvalue was not found to that precision.
std::optional<ChainModes> ladder_modes(const Chain& chain, ThreadTeam* team);

}  // namespace poisson3d::lines
