// Numbers as colours: two maps, each a few points between which colours are interpolated, and a scale that says
// which number is where.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace poisson3d::app {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

/// What is not finite; neither map comes near it.
constexpr Colour not_finite{128, 128, 128};

/// Lightness rises all the way, so that the picture still reads in black and white.
constexpr std::array<Colour, 6> sequential_map{
    {{20, 18, 54}, {41, 68, 130}, {32, 124, 143}, {73, 175, 118}, {186, 212, 92}, {252, 246, 190}}};

/// Blue below, red above, nearly white in the middle; both ends are equally dark.
constexpr std::array<Colour, 7> diverging_map{{{24, 46, 120},
                                               {62, 118, 188},
                                               {160, 198, 224},
                                               {247, 247, 247},
                                               {240, 178, 140},
                                               {206, 86, 66},
                                               {118, 14, 36}}};

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

/// Colours for numbers between two finite ones. Where both signs matter (the smaller side above a thousandth of
/// the larger) the scale is symmetric and white means zero; otherwise it runs from the least to the greatest.
class ColourScale {
public:
    ColourScale(double least, double greatest) : low_(least), high_(greatest) {
        const double below = std::max(0.0, -least);
        const double above = std::max(0.0, greatest);
        const double larger = std::max(below, above);
        diverging_ = std::min(below, above) > 1e-3 * larger;
        if (diverging_) {
            low_ = -larger;
            high_ = larger;
        } else if (!(low_ < high_)) {
            // One number only: it shall lie inside of its scale.
            const double most = std::numeric_limits<double>::max();
            const double margin = larger > 0.0 ? 0.5 * larger : 1.0;
            low_ = std::max(least - margin, -most);
            high_ = std::min(greatest + margin, most);
        }
    }

    [[nodiscard]] double low() const noexcept { return low_; }
    [[nodiscard]] double high() const noexcept { return high_; }

    /// Where a number lies between low and high, as 0 … 1. Halves, because the difference itself may overflow.
    [[nodiscard]] double fraction(double value) const noexcept {
        const double span = 0.5 * high_ - 0.5 * low_;
        return span > 0.0 ? (0.5 * value - 0.5 * low_) / span : 0.5;
    }

    [[nodiscard]] Colour at(double fraction) const {
        return diverging_ ? colour_at(diverging_map, fraction) : colour_at(sequential_map, fraction);
    }

    [[nodiscard]] Colour operator()(double value) const {
        return std::isfinite(value) ? at(fraction(value)) : not_finite;
    }

private:
    double low_, high_;
    bool diverging_ = false;
};

}  // namespace poisson3d::app
