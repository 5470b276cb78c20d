// Fractions 0 … 1 as colours, by two maps that people with any colour vision can read: some colours each, between
// which is interpolated.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace poisson3d::app {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

constexpr Colour ink{26, 26, 26};            // text and ticks
constexpr Colour not_finite{128, 128, 128};  // neither map comes near it

/// Every 32nd colour of viridis (N. Smith, S. van der Walt, E. Firing; CC0): lightness rises evenly, also in black
/// and white.
constexpr std::array<Colour, 9> sequential_map{{{68, 1, 84},
                                                {71, 45, 123},
                                                {59, 82, 139},
                                                {44, 114, 142},
                                                {33, 145, 140},
                                                {40, 174, 128},
                                                {94, 201, 98},
                                                {173, 220, 48},
                                                {253, 231, 37}}};

/// RdBu of ColorBrewer (C. Brewer, Pennsylvania State University): blue below, red above, nearly white in the
/// middle; both ends are about equally dark.
constexpr std::array<Colour, 11> diverging_map{{{5, 48, 97},
                                                {33, 102, 172},
                                                {67, 147, 195},
                                                {146, 197, 222},
                                                {209, 229, 240},
                                                {247, 247, 247},
                                                {253, 219, 199},
                                                {244, 165, 130},
                                                {214, 96, 77},
                                                {178, 24, 43},
                                                {103, 0, 31}}};

/// The colour at a fraction, 0 … 1, of a map; what lies outside gets the colour of the end.
template <std::size_t N>
Colour colour_at(const std::array<Colour, N>& map, double fraction) {
    const double at = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(N - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(at), N - 2);
    const double part = at - static_cast<double>(below);
    const auto mix = [part](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(std::lround((1.0 - part) * from + part * to));
    };
    const Colour& from = map[below];
    const Colour& to = map[below + 1];
    return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

/// 0 … 255, as bright as people see it.
inline double luminance(Colour colour) noexcept {
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

}  // namespace poisson3d::app
