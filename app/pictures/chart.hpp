// The picture of curves over one axis: profiles along a line, errors against the spacing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pictures/drawing.hpp"
#include "pictures/picture_format.hpp"

namespace poisson3d::app {

struct Curve {
    std::string name;           ///< in the legend
    std::vector<Point> points;  ///< in rising x
};

struct Chart {
    std::string title{}, subtitle{};
    std::array<std::string, 2> names{}, units{};  ///< of x and y
    std::vector<Curve> curves{};
    bool logarithmic = false;  ///< both axes; all numbers are above 0
    bool discs = false;        ///< at the points
};

/// Draws the curves over each other, in colours and dashes that people with any colour vision tell apart, the first
/// the widest: a curve that covers it leaves it visible. Returns the bytes of the file.
std::string draw_chart(const Chart& chart, PictureFormat format);

}  // namespace poisson3d::app
