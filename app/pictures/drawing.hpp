// What a picture is drawn with: lines, areas, images and text by Cairo, saved as PNG, PDF or SVG.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pictures/colour_map.hpp"
#include "pictures/picture_format.hpp"

namespace poisson3d::app {

/// Lengths and places are in CSS pixels (1/96 inch), from the upper left corner, y downwards.
struct Point {
    double x, y;
};

struct Box {
    double x, y, width, height;
    [[nodiscard]] double right() const noexcept { return x + width; }
    [[nodiscard]] double bottom() const noexcept { return y + height; }
};

struct Stroke {
    Colour colour{};
    double width = 1.0;
    double opacity = 1.0;
    double dash = 0.0;  ///< length of a dash and of the gap behind it; 0: a continuous line
};

enum class Align { left, centre, right };

constexpr double pixels_per_unit = 2.0;  ///< of a PNG: 192 dpi

/// A drawing of any extent. Members throw Error{out_of_memory} when memory is missing, Error{internal} for anything
/// else that Cairo reports.
class Drawing {
public:
    Drawing();
    ~Drawing();
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    /// Of one line of text in the letters of that size.
    [[nodiscard]] double text_width(const std::string& text, double size) const;
    /// Begins, is centred or ends at `at`, which is on the base line. UTF-8; a letter that the font lacks is a box.
    void text(Point at, const std::string& text, double size, Align align = Align::left, Colour colour = ink);
    /// The same, running upwards, its middle at `at`.
    void text_upwards(Point at, const std::string& text, double size, Colour colour = ink);

    void line(Point from, Point to, const Stroke& stroke);
    void curve(const std::vector<Point>& points, const Stroke& stroke);
    void area(const std::vector<Point>& corners, Colour colour);
    void disc(Point centre, double radius, Colour colour);
    /// A line inside the edges of the box.
    void frame(const Box& box, const Stroke& stroke);
    /// Fills the box with width × height coloured rectangles, rows from the top.
    void image(const Box& box, int width, int height, const std::vector<Colour>& pixels);

    /// Between these two nothing is drawn outside the box.
    void clip(const Box& box);
    void unclip();

    /// The bytes of a file that shows what lies in 0 … width, 0 … height, on white. The same drawing gives the same
    /// bytes.
    [[nodiscard]] std::string save(PictureFormat format, double width, double height) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace poisson3d::app
