#include "poisson3d/text.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace poisson3d {

std::string format_number(double value) {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string format_bytes(std::size_t bytes) {
    if (bytes < 1024) return std::to_string(bytes) + " bytes";
    static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = static_cast<double>(bytes) / 1024.0;
    std::size_t unit = 0;
    while (amount >= 1024.0 && unit + 1 < units.size()) {
        amount /= 1024.0;
        ++unit;
    }
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.2f %s", amount, units[unit]);
    return text.data();
}

}  // namespace poisson3d
