#include "command_line/spec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& found, const std::string& wanted) {
    throw Error(ErrorCode::usage, option + ": found '" + found + "', wanted " + wanted);
}

/// The whole of `text` as a number; from_chars takes no plus sign, people write one.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// What lib says about a bad word of a file is here a complaint about an option.
template <class Parse>
auto as_usage(const std::string& option, const Parse& parse) {
    try {
        return parse();
    } catch (const Error& error) {
        throw Error(ErrorCode::usage, option + ": " + error.what());
    }
}

Faces parse_faces(const std::string& option, const std::string& text) {
    const std::vector<std::string> words = split(text, ':');
    if (words.size() > 2) refuse(option, text, "one boundary, or two as lower:upper");
    const Faces faces = as_usage(option, [&] {
        return Faces{parse_boundary(words[0]), parse_boundary(words.back())};
    });
    if ((faces[0] == Boundary::periodic) != (faces[1] == Boundary::periodic))
        refuse(option, text, "periodic on both sides of an axis or on none");
    return faces;
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

double parse_number(const std::string& option, const std::string& text) {
    const auto number = read_number<double>(text);
    if (!number || !std::isfinite(*number)) refuse(option, text, "a finite number");
    return *number;
}

Index parse_integer(const std::string& option, const std::string& text, Index least) {
    const auto number = read_number<Index>(text);
    if (!number || *number < least) refuse(option, text, "a whole number from " + std::to_string(least) + " up");
    return *number;
}

std::vector<AxisEntry> split_axes(const std::string& option, const std::string& text) {
    std::vector<AxisEntry> entries;
    std::size_t named = 0;
    for (const std::string& part : split(text, ',')) {
        if (part.size() >= 2 && part[1] == '=') {
            for (const AxisEntry& entry : entries)
                if (entry.first == part[0]) refuse(option, text, std::string("axis ") + part[0] + " only once");
            entries.emplace_back(part[0], part.substr(2));
            ++named;
        } else {
            entries.emplace_back(std::nullopt, part);
        }
    }
    const bool by_name = named == entries.size() && named <= 3;
    const bool by_position = named == 0 && (entries.size() == 1 || entries.size() == 3);
    if (!by_name && !by_position)
        refuse(option, text, "one value for all axes, three separated by commas, or named ones like x=…,y=…");
    return entries;
}

std::size_t axis_of(const std::string& option, char letter, const std::array<char, 3>& labels) {
    const auto* const found = std::find(labels.begin(), labels.end(), letter);
    if (found == labels.end())
        refuse(option, std::string(1, letter) + "=",
               std::string("one of the axes ") + labels[0] + ", " + labels[1] + ", " + labels[2]);
    return static_cast<std::size_t>(found - labels.begin());
}

PerAxis<Faces> parse_boundaries(const std::string& option, const std::string& text) {
    return {option, text, [&](const std::string& word) { return parse_faces(option, word); }};
}

PerAxis<Centering> parse_centerings(const std::string& option, const std::string& text) {
    return {option, text,
            [&](const std::string& word) { return as_usage(option, [&] { return parse_centering(word); }); }};
}

PerAxis<double> parse_lengths(const std::string& option, const std::string& text) {
    return {option, text, [&](const std::string& word) {
                const double length = parse_number(option, word);
                if (length <= 0.0) refuse(option, word, "a finite number above 0");
                return length;
            }};
}

PerAxis<double> parse_numbers(const std::string& option, const std::string& text) {
    return {option, text, [&](const std::string& word) { return parse_number(option, word); }};
}

Extents parse_points(const std::string& option, const std::string& text) {
    const std::vector<std::string> words = split(text, text.find('x') == std::string::npos ? ',' : 'x');
    if (words.size() != 1 && words.size() != 3)
        refuse(option, text, "one number for a cube or three like 64,32,48");
    Extents points{};
    for (std::size_t a = 0; a < 3; ++a) points[a] = parse_integer(option, words[words.size() == 1 ? 0 : a], 1);
    return points;
}

Gauge parse_gauge(const std::string& option, const std::string& text) {
    if (text == "mean") return {};
    const std::vector<std::string> words = split(text, ',');
    if (words.size() != 3) refuse(option, text, "'mean' or the indices i,j,k of a point");
    Gauge gauge;
    gauge.point.emplace();
    for (std::size_t a = 0; a < 3; ++a) (*gauge.point)[a] = parse_integer(option, words[a], 0);
    return gauge;
}

const char* name(Precision precision) noexcept {
    static constexpr const char* names[] = {"double", "single", "mixed"};
    return names[static_cast<int>(precision)];
}

Precision parse_precision(const std::string& option, const std::string& word) {
    return NameOf{Precision::double_precision, Precision::single_precision, Precision::mixed}(option, word);
}

std::string spell(const Faces& faces) {
    const std::string lower = name(faces[0]);
    return faces[0] == faces[1] ? lower : lower + ":" + name(faces[1]);
}

}  // namespace poisson3d::app
