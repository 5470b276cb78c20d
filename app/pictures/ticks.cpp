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

}  // namespace

std::string short_number(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    std::string number = text;
    // 1e-05 and 1e+06 as people write them.
    if (const std::size_t e = number.find('e'); e != std::string::npos) {
        const bool negative = number[e + 1] == '-';
        const std::size_t first = number.find_first_not_of('0', e + 2);
        number = number.substr(0, e + 1) + (negative ? "-" : "") + number.substr(first);
    }
    return number;
}

std::vector<Tick> ticks(double low, double high) {
    std::vector<Tick> list;
    const double wanted = high / 8.0 - low / 8.0;  // the difference itself may overflow
    if (!std::isfinite(wanted) || !(wanted > 0.0)) return list;
    const double step = round_step(wanted);
    if (!std::isfinite(step) || !(step > 0.0)) return list;
    const double largest = std::max(std::fabs(low), std::fabs(high));
    // Six digits do no harm: zeros at the end are not written.
    const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(largest / step))) + 1, 6, 17);
    const double slack = 1e-9 * step;  // an end that is a multiple, but for rounding, keeps its tick
    const double first = std::ceil(low / step - 1e-9);
    for (int n = 0; n < 12; ++n) {
        const double multiple = first + n;
        const double value = multiple == 0.0 ? 0.0 : multiple * step;  // not "-0"
        if (value > high + slack) break;
        // Where rounding is coarser than the step, neighbours coincide.
        if (list.empty() || value > list.back().value) list.push_back({value, short_number(value, digits)});
    }
    return list;
}

}  // namespace poisson3d::app
