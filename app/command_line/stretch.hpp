// Axes whose steps differ, as an option says them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command_line/spec.hpp"

namespace poisson3d::app {

/// How the steps of an axis between its faces, t = 0 … 1 where they are even, become others:
///
///     tanh:D        ½ + ½ tanh(D (2t − 1)) / tanh(D): fine at both faces
///     geometric:R   every step R times the one before
///     chebyshev     ½ − ½ cos(πt): fine at both faces
///     random:SEED   steps from 0.4 to 1.6 of their mean, independent
struct Stretch {
    enum class Kind { tanh, geometric, chebyshev, random } kind = Kind::chebyshev;
    double number = 0.0;
    std::uint64_t seed = 0;
};

PerAxis<Stretch> parse_stretches(const std::string& option, const std::string& text);

/// Positions (Axis::positions) from the origin of a uniform axis over its length.
std::vector<double> stretched(const Axis& uniform, const Stretch& stretch);

}  // namespace poisson3d::app
