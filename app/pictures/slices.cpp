#include "pictures/slices.hpp"

#include <algorithm>
#include <cmath>

#include "pictures/axes.hpp"
#include "pictures/contour.hpp"
#include "pictures/drawing.hpp"
#include "pictures/plane_values.hpp"

namespace poisson3d::app {

namespace {

constexpr double page_width = 840.0;
constexpr double tallest = 420.0;  // of a panel
constexpr double thinnest = 12.0;
constexpr double margin = 12.0;
constexpr double title_size = 14.0;
constexpr double bar_width = 14.0, bar_arrow = 12.0, shortest_bar = 110.0;
constexpr std::size_t panels_a_row = 3;
constexpr Colour grey{90, 90, 90};

/// One plane and where it goes.
struct Panel {
    PlaneValues values;
    std::string position;  ///< "z = 0.5 m"
    Box box{};
    std::array<Scale, 2> scales{Scale::linear(0.0, 1.0), Scale::linear(0.0, 1.0)};  ///< right, up
    std::array<Ticks, 2> ticks{};
    std::array<std::string, 2> names{};
};

/// The panels of one field and its colour bar.
class Block {
public:
    Block(const FieldSlices& field, const ColourOptions& colours)
        : field_(field), values_(field.planes.values()), colours_(values_, colours) {
        for (const Section& plane : field.planes.list()) {
            Panel panel{PlaneValues(plane, field.grid), position(plane)};
            for (const std::size_t which : {0U, 1U}) {
                const auto [low, high] = ends_of(field.grid.axes[axis(panel, which)]);
                panel.scales[which] = Scale::linear(low, high);
            }
            panels_.push_back(std::move(panel));
        }
    }

    /// Chooses all sizes, from the upper left corner (0, 0) on, `width` wide or less.
    void lay_out(const Drawing& drawing, double width) {
        const std::array<double, 3> lengths = relative_lengths();
        for (Panel& panel : panels_) label(panel, 8, 8);
        bar_ticks_ = colours_.bar().ticks(8);
        const double bar_room = margin + bar_width + room_beside(drawing, bar_ticks_, bar_name());
        double pixels = 1e300;
        for (std::size_t first = 0; first < panels_.size(); first += panels_a_row) {
            double room = width - bar_room, across = 0.0;
            for (std::size_t p = first; p < row_end(first); ++p) {
                room -= left_of(drawing, panels_[p]) + margin;
                across += lengths[panels_[p].values.right()];
                pixels = std::min(pixels, tallest / lengths[panels_[p].values.up()]);
            }
            pixels = std::min(pixels, std::max(room, 3 * thinnest) / across);
        }
        const auto side = [pixels](double length) { return std::max(thinnest, std::round(pixels * length)); };
        double y = std::ceil(2.6 * title_size + label_size);  // whole pixels keep images sharp
        constexpr double heading = 22.0;
        const double top = y + heading;
        double right = 0.0;
        for (std::size_t first = 0; first < panels_.size(); first += panels_a_row) {
            double x = 0.0, lowest = 0.0;
            y += heading;
            for (std::size_t p = first; p < row_end(first); ++p) {
                Panel& panel = panels_[p];
                panel.box = {std::ceil(x + left_of(drawing, panel)), y, side(lengths[panel.values.right()]),
                             side(lengths[panel.values.up()])};
                label(panel, ticks_across(panel.box.width), ticks_upwards(panel.box.height));
                // The line above a thin panel is wider than the panel.
                x = std::max(panel.box.right(), panel.box.x + drawing.text_width(panel.position, name_size)) +
                    margin;
                right = std::max(right, x);
                lowest = std::max(lowest, panel.box.height);
            }
            bottom_ = y + lowest;
            y = std::ceil(bottom_ + room_below("x") + margin);
        }
        bar_ = {std::ceil(right), top, bar_width, std::max(bottom_ - top, shortest_bar)};
        if (colours_.cut_above()) bar_ = {bar_.x, bar_.y + bar_arrow, bar_.width, bar_.height - bar_arrow};
        if (colours_.cut_below()) bar_.height -= bar_arrow;
        bar_ticks_ = colours_.bar().ticks(ticks_upwards(bar_.height));
        width_ =
            std::max({bar_.right() + room_beside(drawing, bar_ticks_, bar_name()),
                      drawing.text_width(field_.title, title_size), drawing.text_width(summary(), label_size)});
        bottom_ = std::max(bottom_, bar_.bottom()) + room_below("x");
    }

    [[nodiscard]] double width() const noexcept { return width_; }
    [[nodiscard]] double height() const noexcept { return bottom_; }
    [[nodiscard]] std::size_t panels() const noexcept { return panels_.size(); }

    void draw(Drawing& drawing, double x, double y) {
        drawing.text({x, y + title_size}, field_.title, title_size);
        drawing.text({x, y + 2.3 * title_size}, summary(), label_size, Align::left, grey);
        bar_.x += x;
        bar_.y += y;
        draw_bar(drawing);
        for (Panel& panel : panels_) {
            panel.box.x += x;
            panel.box.y += y;
            draw(drawing, panel);
        }
    }

private:
    [[nodiscard]] static std::size_t axis(const Panel& panel, std::size_t which) {
        return which == 0 ? panel.values.right() : panel.values.up();
    }
    [[nodiscard]] std::size_t row_end(std::size_t first) const {
        return std::min(first + panels_a_row, panels_.size());
    }
    [[nodiscard]] double left_of(const Drawing& drawing, const Panel& panel) const {
        return room_beside(drawing, panel.ticks[1], panel.names[1]);
    }

    [[nodiscard]] std::string position(const Section& plane) const {
        std::string text;
        for (std::size_t a = 0; a < 3; ++a) {
            if (!plane.fixes(a)) continue;
            const std::string& unit = field_.axis_units[a];
            text = std::string(1, field_.grid.labels[a]) + " = " +
                   short_number(field_.grid.axes[a].position(plane.index(a)), 6) + (unit.empty() ? "" : " " + unit);
        }
        return text;
    }

    [[nodiscard]] std::string summary() const {
        if (values_.least > values_.greatest) return "not finite anywhere on these planes";
        const std::string planes = panels_.size() == 1 ? " on this plane" : " on these planes";
        return "least " + short_number(values_.least, 4) + ", greatest " + short_number(values_.greatest, 4) +
               (field_.unit.empty() ? "" : " " + field_.unit) + planes +
               (field_.planes.all_finite() ? "" : "; grey: not finite");
    }

    [[nodiscard]] std::string bar_name() const { return with_unit(field_.name, field_.unit, bar_ticks_.exponent); }

    void label(Panel& panel, int across, int upwards) const {
        for (const std::size_t which : {0U, 1U}) {
            panel.ticks[which] = panel.scales[which].ticks(which == 0 ? across : upwards);
            const std::size_t a = axis(panel, which);
            panel.names[which] =
                with_unit(std::string(1, field_.grid.labels[a]), field_.axis_units[a], panel.ticks[which].exponent);
        }
    }

    /// Lengths of the axes over that of the longest, so that no product of them leaves the range of numbers.
    [[nodiscard]] std::array<double, 3> relative_lengths() const {
        std::array<double, 3> lengths{};
        double longest = 0.0;
        for (std::size_t a = 0; a < 3; ++a) {
            const auto [low, high] = ends_of(field_.grid.axes[a]);
            lengths[a] = 0.5 * high - 0.5 * low;
            longest = std::max(longest, lengths[a]);
        }
        for (double& length : lengths) length = longest > 0.0 ? length / longest : 1.0;
        return lengths;
    }

    void draw(Drawing& drawing, const Panel& panel) const {
        const int width = static_cast<int>(panel.box.width * pixels_per_unit);
        const int height = static_cast<int>(panel.box.height * pixels_per_unit);
        std::vector<Colour> pixels;
        pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        for (const double value : panel.values.resampled(width, height)) pixels.push_back(colours_(value));
        drawing.image(panel.box, width, height, pixels);
        drawing.clip(panel.box);
        draw_contours(drawing, panel);
        drawing.unclip();
        drawing.frame(outside(panel.box), {});
        drawing.text({panel.box.x, panel.box.y - 0.5 * name_size}, panel.position, name_size);
        draw_lower_axis(drawing, panel.box, panel.scales[0], panel.ticks[0], panel.names[0]);
        draw_left_axis(drawing, panel.box, panel.scales[1], panel.ticks[1], panel.names[1]);
    }

    /// A frame around the box covers nothing of it.
    static Box outside(const Box& box) { return {box.x - 1.0, box.y - 1.0, box.width + 2.0, box.height + 2.0}; }

    void draw_contours(Drawing& drawing, const Panel& panel) const {
        const std::vector<double>& values = panel.values.values();
        const std::size_t rows = panel.values.positions(0).size(), columns = panel.values.positions(1).size();
        std::size_t crossings = 0;
        std::vector<double> levels;
        for (const Tick& tick : bar_ticks_.list) {
            if (tick.label.empty() || tick.value <= colours_.bar().low() || tick.value >= colours_.bar().high())
                continue;
            const double at = colours_.bar().fraction(tick.value);
            const auto near = std::ranges::count_if(
                values, [&](double v) { return std::fabs(colours_.bar().fraction(v) - at) < 1e-4; });
            if (static_cast<std::size_t>(near) * 20 >= values.size()) continue;
            crossings += crossed_cells(values, rows, columns, tick.value);
            levels.push_back(tick.value);
        }
        if (crossings > 8 * levels.size() * (rows + columns)) return;
        for (const double level : levels) {
            const bool dark = luminance(colours_(level)) < 110.0;
            const Stroke stroke{dark ? Colour{255, 255, 255} : ink, 0.8, dark ? 0.7 : 0.75,
                                colours_.diverging() && level < 0.0 ? 3.0 : 0.0};
            for (const ContourLine& line : contour(values, rows, columns, level)) {
                std::vector<Point> points;
                for (const auto& [column, row] : line)
                    points.push_back(
                        {panel.box.x +
                             panel.scales[0].fraction(at(panel.values.positions(0), row)) * panel.box.width,
                         panel.box.bottom() -
                             panel.scales[1].fraction(at(panel.values.positions(1), column)) * panel.box.height});
                drawing.curve(points, stroke);
            }
        }
    }

    /// The position at an index with a fraction.
    static double at(const std::vector<double>& positions, double index) {
        const auto lower = std::min(static_cast<std::size_t>(index), positions.size() - 1);
        const double part = index - static_cast<double>(lower);
        return part > 0.0 ? (1.0 - part) * positions[lower] + part * positions[lower + 1] : positions[lower];
    }

    void draw_bar(Drawing& drawing) const {
        const int steps = static_cast<int>(bar_.height * pixels_per_unit);
        std::vector<Colour> pixels;
        for (int step = 0; step < steps; ++step) pixels.push_back(colours_.at_fraction(1.0 - (step + 0.5) / steps));
        drawing.image(bar_, 1, steps, pixels);
        const double middle = bar_.x + 0.5 * bar_.width;
        if (colours_.cut_above())
            arrow(drawing, {middle, bar_.y - bar_arrow}, bar_.y - 1.0, colours_.at_fraction(1.0));
        if (colours_.cut_below())
            arrow(drawing, {middle, bar_.bottom() + bar_arrow}, bar_.bottom() + 1.0, colours_.at_fraction(0.0));
        drawing.frame(outside(bar_), {});
        draw_right_axis(drawing, bar_, colours_.bar(), bar_ticks_, bar_name());
    }

    void arrow(Drawing& drawing, Point tip, double base, Colour colour) const {
        const std::vector<Point> corners{{bar_.x, base}, tip, {bar_.right(), base}};
        drawing.area(corners, colour);
        drawing.curve(corners, {ink});
    }

    const FieldSlices& field_;
    Values values_;
    ColourScale colours_;
    std::vector<Panel> panels_;
    Box bar_{};
    Ticks bar_ticks_;
    double width_ = 0.0, bottom_ = 0.0;
};

}  // namespace

std::string draw_slices(const std::vector<FieldSlices>& fields, const ColourOptions& colours,
                        PictureFormat format) {
    Drawing drawing;
    std::vector<Block> blocks;
    blocks.reserve(fields.size());
    bool single = fields.size() > 1;
    for (const FieldSlices& field : fields) {
        blocks.emplace_back(field, colours);
        single = single && blocks.back().panels() == 1;
    }
    const std::size_t columns = single ? 2 : 1;
    double x = margin, y = margin, right = 0.0, lowest = 0.0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        Block& block = blocks[b];
        block.lay_out(drawing, (page_width - margin) / static_cast<double>(columns) - margin);
        block.draw(drawing, x, y);
        right = std::max(right, x + block.width() + margin);
        lowest = std::max(lowest, y + block.height() + margin);
        x += std::ceil(block.width()) + 2.0 * margin;
        if ((b + 1) % columns != 0) continue;
        x = margin;
        y = std::ceil(lowest);
    }
    return drawing.save(format, right, lowest);
}

}  // namespace poisson3d::app
