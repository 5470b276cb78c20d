#include "pictures/canvas.hpp"

namespace poisson3d::app {

Canvas::Canvas(int width, int height)
    : width_(width),
      height_(height),
      pixels_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255) {}

void Canvas::dot(int x, int y, Colour colour) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    std::uint8_t* const pixel = &pixels_[offset(x, y)];
    pixel[0] = colour.red;
    pixel[1] = colour.green;
    pixel[2] = colour.blue;
}

void Canvas::fill(int x, int y, int width, int height, Colour colour) {
    for (int row = y; row < y + height; ++row)
        for (int column = x; column < x + width; ++column) dot(column, row, colour);
}

void Canvas::frame(int x, int y, int width, int height, Colour colour) {
    fill(x - 1, y - 1, width + 2, 1, colour);
    fill(x - 1, y + height, width + 2, 1, colour);
    fill(x - 1, y - 1, 1, height + 2, colour);
    fill(x + width, y - 1, 1, height + 2, colour);
}

void Canvas::text(int x, int y, const std::string& text, Colour colour) {
    for (const char character : text) {
        const int top = y + descent(character) * text_scale;
        for (int row = 0; row < glyph_height; ++row)
            for (int column = 0; column < glyph_width; ++column)
                if (has_dot(character, row, column))
                    fill(x + column * text_scale, top + row * text_scale, text_scale, text_scale, colour);
        x += (glyph_width + 1) * text_scale;
    }
}

}  // namespace poisson3d::app
