// Round numbers along an axis, and how they are written.
#pragma once

#include <string>
#include <vector>

namespace poisson3d::app {

struct Tick {
    double value;
    std::string label;
};

/// Multiples of 1, 2 or 5 times a power of ten between two finite numbers, four to nine of them; their labels have
/// as many digits as it takes to tell one from the next. None if there is nothing between the numbers.
std::vector<Tick> ticks(double low, double high);

/// `digits` significant digits, short: "0.25", "1e-5".
std::string short_number(double value, int digits);

}  // namespace poisson3d::app
