// The life of a rank that is not the first.
#pragma once

#include "ranks/ranks.hpp"

namespace poisson3d::app {

/// Obeys rank 0 until it says that it is the end. Returns the exit code.
int follow(Ranks& ranks);

/// Rank 0 tells the others that it is the end.
void dismiss(Ranks& ranks, int status);

}  // namespace poisson3d::app
