// Round numbers along an axis, and how numbers are written.
#pragma once

#include <string>
#include <vector>

namespace poisson3d::app {

struct Tick {
    double value;
    std::string label;  ///< empty: a short tick without a number
};

/// The labels are the values over 10^exponent, which is written once, beside the unit.
struct Ticks {
    std::vector<Tick> list;
    int exponent = 0;
};

/// Multiples of 1, 2 or 5 times a power of ten between two finite numbers, at most `most` of them; all labels have
/// as many decimals as it takes to tell one from the next. None if there is nothing between the numbers. The
/// exponent is a multiple of 3, and 0 where the largest number is from 0.001 to 100 000.
Ticks round_ticks(double low, double high, int most);

/// Powers of ten between two positive numbers, at most `most` of them with a label, and without one 2, 3, … 9 times
/// these; where there is less than two powers, 2 and 5 times these have labels as well.
Ticks power_ticks(double low, double high, int most);

/// "10⁻³".
std::string power_of_ten(int exponent);

/// `digits` significant digits, short: "−0.25", "1.5×10⁻⁵".
std::string short_number(double value, int digits);

/// "x", "x (bohr)", "x (10⁻⁶ m)": the name of an axis with its unit, which may be empty.
std::string with_unit(const std::string& name, const std::string& unit, int exponent);

}  // namespace poisson3d::app
