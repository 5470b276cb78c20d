// Which axis is eliminated in the middle of a schedule in place, if any.
#pragma once

#include "poisson3d/solver.hpp"

namespace poisson3d {

/// An axis; −1 if all are transformed. Throws Error{unsupported} where Options::middle cannot be had.
int eliminated_axis(const Problem& problem, Middle middle);

}  // namespace poisson3d
