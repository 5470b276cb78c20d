// The axes around a rectangle: ticks outside of it, their labels, names with units.
#pragma once

#include <string>

#include "pictures/drawing.hpp"
#include "pictures/scale.hpp"

namespace poisson3d::app {

constexpr double label_size = 11.0;  // of letters
constexpr double name_size = 12.0;
constexpr double tick_length = 4.0;

/// How many ticks go beside a side of that length, one above the other or side by side.
int ticks_upwards(double length) noexcept;
int ticks_across(double length) noexcept;

/// Room for ticks, labels and name on the left (or, without a name, on the right) and below.
double room_beside(const Drawing& drawing, const Ticks& ticks, const std::string& name);
double room_below(const std::string& name) noexcept;

/// Labels that would touch the one before are left out.
void draw_lower_axis(Drawing& drawing, const Box& box, const Scale& scale, const Ticks& ticks,
                     const std::string& name);
void draw_left_axis(Drawing& drawing, const Box& box, const Scale& scale, const Ticks& ticks,
                    const std::string& name);
/// On the right, the name running upwards behind the labels.
void draw_right_axis(Drawing& drawing, const Box& box, const Scale& scale, const Ticks& ticks,
                     const std::string& name);

}  // namespace poisson3d::app
