#include "pictures/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pictures/axes.hpp"

namespace poisson3d::app {

namespace {

constexpr double width = 520.0, height = 320.0;  // inside of the axes
constexpr double margin = 12.0, title_size = 14.0;
constexpr Colour grey{90, 90, 90};

/// M. Okabe and K. Ito, Color Universal Design (2008).
constexpr std::array<Colour, 6> palette{
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}}};

Stroke stroke_of(std::size_t curve) {
    return {palette[curve % palette.size()], curve == 0 ? 3.0 : 1.6, 1.0,
            curve == 0 ? 0.0 : 2.0 + 3.0 * static_cast<double>(curve)};
}

/// From the least to the greatest of a coordinate, and a little more where that is asked for.
Scale scale_of(const Chart& chart, double Point::*coordinate, bool open) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Curve& curve : chart.curves)
        for (const Point& point : curve.points) {
            low = std::min(low, point.*coordinate);
            high = std::max(high, point.*coordinate);
        }
    if (chart.logarithmic) {
        const double factor = open || !(low < high) ? 1.5 : 1.1;
        return Scale::logarithmic(low / factor, high * factor);
    }
    const double most = std::numeric_limits<double>::max();
    const double size = std::max(std::fabs(low), std::fabs(high));
    const double span = high - low > 1e-12 * size ? high - low : size > 0.0 ? size : 1.0;
    const double more = open || !(low < high) ? 0.04 * span : 0.0;
    return Scale::linear(std::max(low - more, -most), std::min(high + more, most));
}

void draw_legend(Drawing& drawing, const Chart& chart, const Box& box) {
    double y = box.y + label_size;
    for (std::size_t c = 0; c < chart.curves.size(); ++c, y += 1.5 * label_size) {
        drawing.line({box.right() + margin, y - 0.3 * label_size},
                     {box.right() + margin + 28.0, y - 0.3 * label_size}, stroke_of(c));
        drawing.text({box.right() + margin + 34.0, y}, chart.curves[c].name, label_size);
    }
}

}  // namespace

std::string draw_chart(const Chart& chart, PictureFormat format) {
    Drawing drawing;
    const std::array<Scale, 2> scales{scale_of(chart, &Point::x, chart.logarithmic),
                                      scale_of(chart, &Point::y, true)};
    const std::array<Ticks, 2> ticks{scales[0].ticks(8), scales[1].ticks(8)};
    const std::string across = with_unit(chart.names[0], chart.units[0], ticks[0].exponent);
    const std::string upwards = with_unit(chart.names[1], chart.units[1], ticks[1].exponent);
    const Box box{std::ceil(margin + room_beside(drawing, ticks[1], upwards)), 60.0, width, height};
    const auto place = [&](const Point& point) -> Point {
        return {box.x + scales[0].fraction(point.x) * box.width,
                box.bottom() - scales[1].fraction(point.y) * box.height};
    };

    drawing.text({margin, margin + title_size}, chart.title, title_size);
    drawing.text({margin, margin + 2.3 * title_size}, chart.subtitle, label_size, Align::left, grey);
    for (const std::size_t a : {0U, 1U})
        for (const Tick& tick : ticks[a].list) {
            if (tick.label.empty()) continue;
            const double at = scales[a].fraction(tick.value);
            const double x = box.x + at * box.width, y = box.bottom() - at * box.height;
            const Stroke faint{{210, 210, 210}, 0.6};
            if (a == 0)
                drawing.line({x, box.y}, {x, box.bottom()}, faint);
            else
                drawing.line({box.x, y}, {box.right(), y}, faint);
        }
    drawing.clip(box);
    for (std::size_t c = 0; c < chart.curves.size(); ++c) {
        std::vector<Point> points;
        for (const Point& point : chart.curves[c].points) points.push_back(place(point));
        drawing.curve(points, stroke_of(c));
        for (const Point& point : points)
            if (chart.discs) drawing.disc(point, 4.0, stroke_of(c).colour);
    }
    drawing.unclip();
    drawing.frame({box.x - 1.0, box.y - 1.0, box.width + 2.0, box.height + 2.0}, {});
    draw_lower_axis(drawing, box, scales[0], ticks[0], across);
    draw_left_axis(drawing, box, scales[1], ticks[1], upwards);
    double right = box.right();
    if (chart.curves.size() > 1) {
        draw_legend(drawing, chart, box);
        for (const Curve& curve : chart.curves)
            right = std::max(right, box.right() + margin + 34.0 + drawing.text_width(curve.name, label_size));
    }
    right = std::max({right, margin + drawing.text_width(chart.title, title_size),
                      margin + drawing.text_width(chart.subtitle, label_size)});
    return drawing.save(format, right + margin, box.bottom() + room_below(across) + margin);
}

}  // namespace poisson3d::app
