// Which axis is eliminated in the middle of a schedule in place, if any.
#pragma once

#include <string>

#include "poisson3d/solver.hpp"

namespace poisson3d {

/// An axis; −1 if all are transformed. Throws Error{unsupported} where Options::middle cannot be had.
int eliminated_axis(const Problem& problem, Middle middle);

/// What an engine of a GPU can do with axes that are not transformed.
struct DeviceLimits {
    Engine engine;
    Index longest = 0;                       ///< unknowns of the axis that is eliminated; 0: none is
    std::string (*no_matrices)() = nullptr;  ///< why it multiplies no lines with matrices; empty: it does
};

/// Why it cannot solve a problem; empty: it can.
std::string refused_by_device(const Problem& problem, Middle middle, const DeviceLimits& limits);

}  // namespace poisson3d
