#include "poisson3d/text.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace poisson3d {

namespace {

// U+0000 to U+001F, U+007F to U+009F: terminals obey them.
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return first < 0x20 || first == 0x7F;
    return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

/// Bytes of the UTF-8 character that a text which is not empty begins with; 0 if it begins with none (overlong
/// forms, surrogates and values above U+10FFFF are none).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    const unsigned second = byte(1);
    const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
    return wrong ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_characters) {
    std::string shown;
    for (std::size_t at = 0, characters = 0; at < text.size(); ++characters) {
        if (characters == max_characters) return shown + "…";
        const std::size_t length = utf8_length(text.substr(at));
        const std::string_view character = text.substr(at, length == 0 ? 1 : length);
        at += character.size();
        if (length != 0 && !is_control(character)) {
            shown += character;
            continue;
        }
        for (const char byte : character) {
            std::array<char, 8> code;
            std::snprintf(code.data(), code.size(), "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(byte)));
            shown += code.data();
        }
    }
    return shown;
}

std::string printable_name(std::string_view name) {
    return printable(name, name.size());
}

std::string format_number(double value) {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string format_bytes(std::size_t bytes) {
    if (bytes < 1024) return std::to_string(bytes) + " bytes";
    static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = static_cast<double>(bytes) / 1024.0;
    std::size_t unit = 0;
    while (amount >= 1024.0 && unit + 1 < units.size()) {
        amount /= 1024.0;
        ++unit;
    }
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.2f %s", amount, units[unit]);
    return text.data();
}

}  // namespace poisson3d
