#include "pictures/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace poisson3d::app {

namespace {

/// The smallest 1, 2 or 5 times a power of ten that is at least `span`.
double round_step(double span) {
    const double power = std::pow(10.0, std::floor(std::log10(span)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= span * (1.0 - 1e-9)) return factor * power;
    return 10.0 * power;
}

/// Minus signs as they are printed.
std::string typographic(const std::string& number) {
    std::string text;
    for (const char c : number) text += c == '-' ? "−" : std::string(1, c);
    return text;
}

std::string fixed(double value, int decimals) {
    char text[400];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return typographic(text);
}

/// Over 10^exponent; in long double, whose powers reach beyond those of double.
double over_power(double value, int exponent) {
    return static_cast<double>(value / std::pow(10.0L, static_cast<long double>(exponent)));
}

int common_exponent(double largest) {
    if (largest >= 1e-3 * (1.0 - 1e-9) && largest < 1e5) return 0;
    return 3 * static_cast<int>(std::floor(std::log10(largest) / 3.0 + 1e-9));
}

}  // namespace

Ticks round_ticks(double low, double high, int most) {
    Ticks ticks;
    const double wanted = high / most - low / most;  // the difference itself may overflow
    if (!std::isfinite(wanted) || !(wanted > 0.0)) return ticks;
    const double step = round_step(wanted);
    if (!std::isfinite(step) || !(step > 0.0)) return ticks;
    const double largest = std::max(std::fabs(low), std::fabs(high));
    ticks.exponent = common_exponent(largest);
    const int decimals = std::clamp(ticks.exponent - static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 17);
    const double slack = 1e-9 * step;  // an end that is a multiple, but for rounding, keeps its tick
    const double first = std::ceil(low / step - 1e-9);
    for (int n = 0; n <= most; ++n) {
        const double multiple = first + n;
        const double value = multiple == 0.0 ? 0.0 : multiple * step;  // not "-0"
        if (value > high + slack) break;
        // Where rounding is coarser than the step, neighbours coincide.
        if (ticks.list.empty() || value > ticks.list.back().value)
            ticks.list.push_back({value, fixed(over_power(value, ticks.exponent), decimals)});
    }
    return ticks;
}

Ticks power_ticks(double low, double high, int most) {
    Ticks ticks;
    const int first = static_cast<int>(std::floor(std::log10(low))),
              last = static_cast<int>(std::ceil(std::log10(high)));
    const double slack = 1e-9;
    const int powers = static_cast<int>(std::floor(std::log10(high) + slack)) -
                       static_cast<int>(std::ceil(std::log10(low) - slack)) + 1;
    const int step = std::max(1, (powers + most - 1) / most);
    for (int exponent = first; exponent <= last; ++exponent)
        for (int factor = 1; factor < 10; ++factor) {
            const double value = factor * std::pow(10.0, exponent);
            if (value < low * (1.0 - slack) || value > high * (1.0 + slack) || !std::isfinite(value)) continue;
            std::string label;
            if (powers < 2 && (factor == 1 || factor == 2 || factor == 5))
                label = short_number(value, 1);
            else if (factor == 1 && exponent % step == 0)
                label = power_of_ten(exponent);
            if (powers <= 8 || factor == 1) ticks.list.push_back({value, label});
        }
    return ticks;
}

std::string power_of_ten(int exponent) {
    static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = "10";
    for (const char digit : std::to_string(exponent)) text += digit == '-' ? "⁻" : raised[digit - '0'];
    return text;
}

std::string short_number(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    const std::string number = text;
    const std::size_t e = number.find('e');
    if (e == std::string::npos) return typographic(number);
    const std::string power = power_of_ten(std::stoi(number.substr(e + 1)));
    const std::string before = number.substr(0, e);
    return before == "1" ? power : typographic(before) + "×" + power;
}

std::string with_unit(const std::string& name, const std::string& unit, int exponent) {
    const std::string power = exponent == 0 ? "" : power_of_ten(exponent);
    const std::string both = power + (power.empty() || unit.empty() ? "" : " ") + unit;
    if (both.empty() || name.empty()) return name + both;
    return name + " (" + both + ")";
}

}  // namespace poisson3d::app
