// Pixels, and what is drawn on them: rectangles, frames, text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pictures/colour_map.hpp"
#include "pictures/font.hpp"

namespace poisson3d::app {

constexpr int text_scale = 2;  ///< pixels a dot of a letter is wide
constexpr int text_height = glyph_height * text_scale;

/// Pixels a line of text takes.
inline int text_width(const std::string& text) {
    return text.empty() ? 0 : (static_cast<int>(text.size()) * (glyph_width + 1) - 1) * text_scale;
}

/// A white sheet of 8-bit RGB pixels, rows from the top. What lies beyond its edges is not drawn.
class Canvas {
public:
    Canvas(int width, int height);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    /// 3 · width() bytes.
    [[nodiscard]] const std::uint8_t* row(int y) const { return &pixels_[offset(0, y)]; }

    void dot(int x, int y, Colour colour);
    void fill(int x, int y, int width, int height, Colour colour);
    /// One pixel wide, around the rectangle.
    void frame(int x, int y, int width, int height, Colour colour);
    /// With its upper left corner at (x, y); tails hang below text_height.
    void text(int x, int y, const std::string& text, Colour colour);

private:
    [[nodiscard]] std::size_t offset(int x, int y) const noexcept {
        return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
    }

    int width_, height_;
    std::vector<std::uint8_t> pixels_;
};

/// The bytes of a PNG file: 8-bit RGB, compressed by zlib. Throws Error{out_of_memory}.
std::string to_png(const Canvas& canvas);

}  // namespace poisson3d::app
