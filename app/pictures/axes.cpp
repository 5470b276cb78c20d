#include "pictures/axes.hpp"

#include <algorithm>

namespace poisson3d::app {

namespace {

constexpr double frame = 1.0;           // around the box; ticks begin outside of it
constexpr double gap = 3.0;             // between a tick and its label
constexpr double letter_height = 0.73;  // of capitals and digits, over the size
constexpr double half_label = 0.5 * letter_height * label_size;
constexpr Stroke thin{ink, 1.0};

double length_of(const Tick& tick) {
    return tick.label.empty() ? 0.6 * tick_length : tick_length;
}

double widest(const Drawing& drawing, const Ticks& ticks) {
    double most = 0.0;
    for (const Tick& tick : ticks.list) most = std::max(most, drawing.text_width(tick.label, label_size));
    return most;
}

/// Ticks of an upward axis from x on, to the left (side −1) or to the right (1).
void draw_upward_ticks(Drawing& drawing, const Box& box, double x, double side, const Scale& scale,
                       const Ticks& ticks) {
    double free_below = box.bottom() + 2.0 * label_size;
    for (const Tick& tick : ticks.list) {
        const double y = box.bottom() - scale.fraction(tick.value) * box.height;
        const double end = x + side * length_of(tick);
        drawing.line({x, y}, {end, y}, thin);
        if (tick.label.empty() || y + half_label > free_below) continue;
        drawing.text({end + side * gap, y + half_label}, tick.label, label_size,
                     side < 0.0 ? Align::right : Align::left);
        free_below = y - half_label - gap;
    }
}

}  // namespace

int ticks_upwards(double length) noexcept {
    return std::clamp(static_cast<int>(length / 28.0), 2, 8);
}

int ticks_across(double length) noexcept {
    return std::clamp(static_cast<int>(length / 42.0), 2, 8);
}

double room_beside(const Drawing& drawing, const Ticks& ticks, const std::string& name) {
    const double labels = frame + tick_length + gap + widest(drawing, ticks);
    return name.empty() ? labels : labels + 2.0 * gap + name_size;
}

double room_below(const std::string& name) noexcept {
    const double labels = frame + tick_length + gap + label_size;
    return name.empty() ? labels : labels + gap + name_size + gap;
}

void draw_lower_axis(Drawing& drawing, const Box& box, const Scale& scale, const Ticks& ticks,
                     const std::string& name) {
    double free_from = -1e300;
    for (const Tick& tick : ticks.list) {
        const double x = box.x + scale.fraction(tick.value) * box.width;
        drawing.line({x, box.bottom() + frame}, {x, box.bottom() + frame + length_of(tick)}, thin);
        const double width = drawing.text_width(tick.label, label_size);
        if (tick.label.empty() || x - 0.5 * width < free_from) continue;
        drawing.text({x, box.bottom() + tick_length + gap + 2.0 * half_label}, tick.label, label_size,
                     Align::centre);
        free_from = x + 0.5 * width + 2.0 * gap;
    }
    drawing.text({box.x + 0.5 * box.width, box.bottom() + room_below(name) - gap}, name, name_size, Align::centre);
}

void draw_left_axis(Drawing& drawing, const Box& box, const Scale& scale, const Ticks& ticks,
                    const std::string& name) {
    draw_upward_ticks(drawing, box, box.x - frame, -1.0, scale, ticks);
    const double x = box.x - tick_length - gap - widest(drawing, ticks) - 2.0 * gap;
    drawing.text_upwards({x, box.y + 0.5 * box.height}, name, name_size);
}

void draw_right_axis(Drawing& drawing, const Box& box, const Scale& scale, const Ticks& ticks,
                     const std::string& name) {
    draw_upward_ticks(drawing, box, box.right() + frame, 1.0, scale, ticks);
    const double x = box.right() + room_beside(drawing, ticks, name);
    drawing.text_upwards({x, box.y + 0.5 * box.height}, name, name_size);
}

}  // namespace poisson3d::app
