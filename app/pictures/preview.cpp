#include "pictures/preview.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pictures/ticks.hpp"

namespace poisson3d::app {

namespace {

constexpr Colour black{0, 0, 0};   // frames only
constexpr Colour ink{40, 40, 40};  // text and ticks
constexpr int picture_width = 1600;
constexpr int tallest = 800;  // pixels of a panel
constexpr int thinnest = 12;
constexpr int shortest_bar = 160;
constexpr int margin = 16;
constexpr int tick_length = 6;
constexpr int gap = 8;  // between a tick and its label
constexpr int bar_width = 24;
constexpr int line_height = text_height + 8;

/// The stretch of an axis that its points cover.
struct Interval {
    double low, high;
};

Interval interval_of(const Axis& axis) {
    const double half = 0.5 * axis.step();
    return {axis.position(0) - half, axis.position(axis.points - 1) + half};
}

/// Of an axis whose steps differ: where the rectangles of its points begin, and the last one ends. Nodes have half
/// of either step.
std::vector<double> bounds_of(const Axis& axis) {
    if (axis.uniform()) return {};
    const std::vector<double> ends = step_ends(axis);
    if (axis.centering == Centering::cell) return ends;
    const std::vector<double> steps = steps_of(axis), x = coordinates(axis);
    std::vector<double> bounds{x.front() - 0.5 * (axis.periodic() ? steps.back() : steps.front())};
    for (std::size_t j = 1; j < x.size(); ++j) bounds.push_back(x[j - 1] + 0.5 * (x[j] - x[j - 1]));
    bounds.push_back(x.back() + 0.5 * steps.back());
    return bounds;
}

/// Where the point that a fraction of the stretch lies in stands among all, as a fraction of their number.
double fraction_of_points(const std::vector<double>& bounds, double fraction) {
    if (bounds.empty()) return fraction;
    const double at = bounds.front() + fraction * (bounds.back() - bounds.front());
    const auto above = std::upper_bound(bounds.begin() + 1, bounds.end() - 1, at);
    const double low = *(above - 1), part = std::clamp((at - low) / (*above - low), 0.0, 1.0);
    return (static_cast<double>(above - 1 - bounds.begin()) + part) / static_cast<double>(bounds.size() - 1);
}

int widest(const std::vector<Tick>& list) {
    int most = 0;
    for (const Tick& tick : list) most = std::max(most, text_width(tick.label));
    return most;
}

/// One slice and where it goes.
struct Panel {
    std::size_t normal, right, up;  ///< axes
    std::vector<Tick> right_ticks{}, up_ticks{};
    int left = 0;  ///< room for the labels on the left
    int x = 0, y = 0, width = 0, height = 0;
};

class Preview {
public:
    Preview(const Grid& grid, const MidPlanes& planes, const std::string& what)
        : grid_(grid),
          planes_(planes),
          title_(title(what)),
          scale_(planes.min() <= planes.max() ? ColourScale(planes.min(), planes.max()) : ColourScale(0.0, 0.0)),
          bar_ticks_(ticks(scale_.low(), scale_.high())) {
        for (std::size_t a = 0; a < 3; ++a) {
            bounds_[a] = bounds_of(grid.axes[a]);
            intervals_[a] =
                bounds_[a].empty() ? interval_of(grid.axes[a]) : Interval{bounds_[a].front(), bounds_[a].back()};
        }
    }

    Canvas draw() {
        lay_out();
        Canvas canvas(width_, height_);
        canvas.text(margin, margin, title_, ink);
        for (const Panel& panel : panels_) draw(canvas, panel);
        draw_bar(canvas);
        return canvas;
    }

private:
    [[nodiscard]] std::string title(const std::string& what) const {
        if (planes_.min() > planes_.max()) return what + ": not finite anywhere on these planes";
        return what + ": min " + short_number(planes_.min(), 4) + ", max " + short_number(planes_.max(), 4) +
               " on these planes" + (planes_.all_finite() ? "" : ", grey: not finite");
    }

    /// Lengths of the axes over that of the longest, so that no product of them leaves the range of numbers.
    [[nodiscard]] std::array<double, 3> relative_lengths() const {
        std::array<double, 3> lengths{};
        double coarsest = 0.0, longest = 0.0;
        const auto step = [this](std::size_t a) {
            const Axis& axis = grid_.axes[a];
            if (axis.uniform()) return axis.step();
            return (intervals_[a].high - intervals_[a].low) / static_cast<double>(axis.points);
        };
        for (std::size_t a = 0; a < 3; ++a) coarsest = std::max(coarsest, step(a));
        for (std::size_t a = 0; a < 3; ++a) {
            lengths[a] = static_cast<double>(grid_.axes[a].points) * (step(a) / coarsest);
            longest = std::max(longest, lengths[a]);
        }
        for (double& length : lengths) length /= longest;
        return lengths;
    }

    void lay_out() {
        panels_ = {Panel{0, 1, 2}, Panel{1, 0, 2}, Panel{2, 0, 1}};
        const std::array<double, 3> lengths = relative_lengths();
        const int bar_room = bar_width + tick_length + gap + widest(bar_ticks_) + 2 * margin;
        int room = picture_width - bar_room - 3 * thinnest;
        double across = 0.0, high = 0.0;
        for (Panel& panel : panels_) {
            panel.right_ticks = ticks(intervals_[panel.right].low, intervals_[panel.right].high);
            panel.up_ticks = ticks(intervals_[panel.up].low, intervals_[panel.up].high);
            panel.left = margin + text_width("x") + gap + widest(panel.up_ticks) + gap + tick_length;
            room -= panel.left + margin;
            across += lengths[panel.right];
            high = std::max(high, lengths[panel.up]);
        }
        const double pixels = std::min(std::max(room, 3 * thinnest) / across, tallest / high);
        const auto side = [pixels](double length) {
            return std::max(thinnest, static_cast<int>(std::lround(pixels * length)));
        };
        int x = 0;
        int lowest = shortest_bar;
        const int top = margin + 2 * line_height + margin;
        for (Panel& panel : panels_) {
            panel.x = x + panel.left;
            panel.y = top;
            panel.width = side(lengths[panel.right]);
            panel.height = side(lengths[panel.up]);
            // The line above a thin panel is wider than the panel.
            x = panel.x + std::max(panel.width, text_width(position(panel))) + margin;
            lowest = std::max(lowest, panel.height);
        }
        bar_x_ = x + margin;
        bar_y_ = top;
        bar_height_ = lowest;
        width_ = std::max(x + bar_room, text_width(title_) + 2 * margin);
        height_ = top + lowest + tick_length + gap + 2 * line_height + margin;
    }

    [[nodiscard]] std::string position(const Panel& panel) const {
        const double at = grid_.axes[panel.normal].position(planes_.middle(panel.normal));
        return std::string(1, grid_.labels[panel.normal]) + " = " + short_number(at, 6);
    }

    void draw(Canvas& canvas, const Panel& panel) const {
        const Plane& plane = planes_.normal_to(panel.normal);
        std::vector<double> across;
        for (int column = 0; column < panel.width; ++column)
            across.push_back(fraction_of_points(bounds_[panel.right], (column + 0.5) / panel.width));
        for (int row = 0; row < panel.height; ++row) {
            const double up = fraction_of_points(bounds_[panel.up], (row + 0.5) / panel.height);
            for (int column = 0; column < panel.width; ++column)
                canvas.dot(panel.x + column, panel.y + panel.height - 1 - row,
                           scale_(plane.at(across[static_cast<std::size_t>(column)], up)));
        }
        canvas.frame(panel.x, panel.y, panel.width, panel.height, black);
        canvas.text(panel.x, panel.y - line_height, position(panel), ink);
        draw_right_axis(canvas, panel);
        draw_up_axis(canvas, panel.x - 1 - tick_length, panel.x - 1 - tick_length - gap, -1, panel.y, panel.height,
                     intervals_[panel.up], panel.up_ticks);
        canvas.text(panel.x - panel.left + margin, panel.y + (panel.height - text_height) / 2,
                    std::string(1, grid_.labels[panel.up]), ink);
    }

    static int pixel(double value, const Interval& interval, int pixels) {
        const double part = (0.5 * value - 0.5 * interval.low) / (0.5 * interval.high - 0.5 * interval.low);
        // Judged before it becomes an integer: where spacings are at the end of what numbers hold, it need not fit.
        if (!(part > 0.0)) return 0;
        return part < 1.0 ? std::min(static_cast<int>(part * pixels), pixels - 1) : pixels - 1;
    }

    void draw_right_axis(Canvas& canvas, const Panel& panel) const {
        const int y = panel.y + panel.height + 1;
        int free_from = panel.x - panel.left;  // labels never touch each other
        for (const Tick& tick : panel.right_ticks) {
            const int x = panel.x + pixel(tick.value, intervals_[panel.right], panel.width);
            canvas.fill(x, y, 1, tick_length, ink);
            const int begin = x - text_width(tick.label) / 2;
            if (begin < free_from) continue;
            canvas.text(begin, y + tick_length + gap, tick.label, ink);
            free_from = begin + text_width(tick.label) + 2 * gap;
        }
        canvas.text(panel.x + (panel.width - text_width("x")) / 2, y + tick_length + gap + line_height,
                    std::string(1, grid_.labels[panel.right]), ink);
    }

    /// Ticks of an upward axis from `tick_x`; labels end (side −1) or begin (side 1) at `label_x`.
    static void draw_up_axis(Canvas& canvas, int tick_x, int label_x, int side, int y, int height,
                             const Interval& interval, const std::vector<Tick>& list) {
        int free_to = y + height + text_height;
        for (const Tick& tick : list) {
            const int at = y + height - 1 - pixel(tick.value, interval, height);
            canvas.fill(tick_x, at, tick_length, 1, ink);
            const int top = at - text_height / 2;
            if (top + text_height > free_to) continue;
            canvas.text(side < 0 ? label_x - text_width(tick.label) : label_x, top, tick.label, ink);
            free_to = top - gap;
        }
    }

    void draw_bar(Canvas& canvas) const {
        for (int row = 0; row < bar_height_; ++row)
            canvas.fill(bar_x_, bar_y_ + bar_height_ - 1 - row, bar_width, 1, scale_.at((row + 0.5) / bar_height_));
        canvas.frame(bar_x_, bar_y_, bar_width, bar_height_, black);
        const int right = bar_x_ + bar_width + 1;
        draw_up_axis(canvas, right, right + tick_length + gap, 1, bar_y_, bar_height_,
                     {scale_.low(), scale_.high()}, bar_ticks_);
    }

    const Grid& grid_;
    const MidPlanes& planes_;
    std::string title_;
    ColourScale scale_;
    std::vector<Tick> bar_ticks_;
    std::array<Interval, 3> intervals_{};
    std::array<std::vector<double>, 3> bounds_;
    std::array<Panel, 3> panels_{};
    int width_ = 0, height_ = 0;
    int bar_x_ = 0, bar_y_ = 0, bar_height_ = 0;
};

}  // namespace

Canvas draw_preview(const Grid& grid, const MidPlanes& planes, const std::string& what) {
    return Preview(grid, planes, what).draw();
}

}  // namespace poisson3d::app
