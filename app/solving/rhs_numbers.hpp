// Numbers of a right-hand side, from all who read parts of it.
#pragma once

#include <limits>

namespace poisson3d::app {

/// max |S f| with what boundary data adds, and what S f itself lies between.
struct RhsNumbers {
    double largest = 0.0;
    double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
};

}  // namespace poisson3d::app
