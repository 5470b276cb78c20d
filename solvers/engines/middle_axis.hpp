// Which axis is eliminated in the middle of a schedule in place, if any.
#pragma once

#include <string>

#include "poisson3d/solver.hpp"

namespace poisson3d {

/// What a pass along an axis takes; the slowest axis is eliminated. By itself: the largest prime factor of its
/// FFTs.
using PassCost = double (*)(const Axis& axis);
double largest_prime(const Axis& axis);

/// An axis; −1 if all are transformed. Throws Error{unsupported} where Options::middle cannot be had.
int eliminated_axis(const Problem& problem, Middle middle, PassCost cost = &largest_prime);

/// Why axis `axis` cannot be eliminated, in words that follow a colon: what was found. Empty: it can.
std::string elimination_refused(const Problem& problem, int axis);

/// What an engine of a GPU can do with axes that are not transformed.
struct DeviceLimits {
    Engine engine;
    Index longest = 0;  ///< unknowns of the axis that is eliminated; 0: none is
    PassCost cost = &largest_prime;
};

/// Why it cannot solve a problem; empty: it can.
std::string refused_by_device(const Problem& problem, Middle middle, const DeviceLimits& limits);

}  // namespace poisson3d
