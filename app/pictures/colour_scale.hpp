// Which numbers the colours of a picture cover, and the colour of each.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pictures/colour_map.hpp"
#include "pictures/scale.hpp"

namespace poisson3d::app {

/// What the values of a picture are like.
struct Values {
    double least, greatest;      ///< of all that are finite; least > greatest if there are none
    std::vector<double> sample;  ///< some of them, in rising order
};

/// What was asked of the colours; by default the range is chosen.
struct ColourOptions {
    std::optional<std::array<double, 2>> limits{};
    std::optional<double> percent{};  ///< of the values that the range holds, in their middle
    bool logarithmic = false;
};

/// Where both signs matter (the smaller side above a thousandth of the larger) the colours are symmetric about
/// zero, which is white; otherwise they run from the least to the greatest value.
///
/// Without limits or percentage the range is that of all values, or, if a few of them stand far above the rest,
/// that of the middle 95 %: where the middle 98 % cover less than a fifth of the range, and the middle 95 % more
/// than a thousandth of it.
class ColourScale {
public:
    /// Throws Error{usage} for limits that a logarithm does not take.
    ColourScale(const Values& values, const ColourOptions& options);

    [[nodiscard]] const Scale& bar() const noexcept { return bar_; }
    [[nodiscard]] bool diverging() const noexcept { return diverging_; }
    /// Some values are outside the range, and have the colour of its end.
    [[nodiscard]] bool cut_below() const noexcept { return cut_below_; }
    [[nodiscard]] bool cut_above() const noexcept { return cut_above_; }

    [[nodiscard]] Colour operator()(double value) const;
    /// Of the colour bar, from its lower end (0) to its upper end (1).
    [[nodiscard]] Colour at_fraction(double fraction) const;

private:
    Scale bar_, colours_;
    bool diverging_ = false, cut_below_ = false, cut_above_ = false;
};

}  // namespace poisson3d::app
