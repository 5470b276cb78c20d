// The letters of the pictures: 5 x 7 dots each, drawn for this program, so that a picture needs no font library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace poisson3d::app {

constexpr int glyph_width = 5;
constexpr int glyph_height = 7;

/// The characters that have dots, and the dots: rows from the top, five bits a row, the leftmost dot first.
constexpr std::string_view drawn_characters =
    " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-.,=()/:";
constexpr std::uint64_t drawn_dots[] = {
    0x000000000, 0x3A33AE62E, 0x11842108E, 0x3A211111F, 0x7C441062E, 0x08CA97C42, 0x7E1E0862E, 0x1910F462E,
    0x7C2222108, 0x3A317462E, 0x3A317844C, 0x3A31FC631, 0x7A31F463E, 0x3A308422E, 0x7A318C63E, 0x7E10F421F,
    0x7E10F4210, 0x3A30BC62F, 0x4631FC631, 0x38842108E, 0x1C4210A4C, 0x4654C5251, 0x42108421F, 0x4775AC631,
    0x47359C631, 0x3A318C62E, 0x7A31F4210, 0x3A318D64D, 0x7A31F5251, 0x3E107043E, 0x7C8421084, 0x46318C62E,
    0x46318C544, 0x4631AD771, 0x462A22A31, 0x462A21084, 0x7C222221F, 0x000E0BE2F, 0x421E8C63E, 0x000E8C22E,
    0x042F8C62F, 0x000E8FE0E, 0x191E42108, 0x3E318BC2E, 0x421E8C631, 0x100C2108E, 0x080610A4C, 0x4212A6292,
    0x30842108E, 0x001AAD6B5, 0x001E8C631, 0x000E8C62E, 0x7A318FA10, 0x3E318BC21, 0x0016CC210, 0x000F8383E,
    0x211E42106, 0x00118C62F, 0x00118C544, 0x00118D6AA, 0x001151151, 0x46318BC2E, 0x001F1111F, 0x0084F9080,
    0x0000F8000, 0x00000018C, 0x000003088, 0x001F07C00, 0x088842082, 0x208210888, 0x042222210, 0x018C03180};

/// True where a character has a dot; one that is not drawn here is a box.
constexpr bool has_dot(char character, int row, int column) noexcept {
    constexpr std::uint64_t box = 0x7E318C63F;
    const std::size_t found = drawn_characters.find(character);
    const std::uint64_t dots = found == std::string_view::npos ? box : drawn_dots[found];
    return (dots >> (glyph_width * (glyph_height - row) - 1 - column) & 1U) != 0;
}

/// Dots by which a character is lowered: its tail hangs below the line.
constexpr int descent(char character) noexcept {
    return character == 'g' || character == 'p' || character == 'q' || character == 'y' ? 2 : 0;
}

}  // namespace poisson3d::app
