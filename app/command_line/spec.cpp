#include "command_line/spec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "poisson3d/suggestion.hpp"
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

Walls parse_walls(const std::string& option, const std::string& text) {
    const std::string wanted =
        "one boundary, or two as lower:upper, robin with both of its numbers: robin:ALPHA:BETA";
    const std::vector<std::string> words = split(text, ':');
    const auto is_number = [&](std::size_t at) { return at < words.size() && read_number<double>(words[at]); };
    Walls walls;
    std::size_t at = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        if (at == words.size()) {  // one for both
            walls.faces[1] = walls.faces[0], walls.robin[1] = walls.robin[0];
            break;
        }
        const std::string& word = words[at++];
        walls.faces[side] = as_usage(option, [&] { return parse_boundary(word); });
        if (walls.faces[side] != Boundary::robin || !is_number(at)) continue;
        if (!is_number(at + 1)) refuse(option, text, wanted);
        walls.robin[side] = Robin{parse_number(option, words[at]), parse_number(option, words[at + 1])};
        at += 2;
    }
    if (at != words.size()) refuse(option, text, wanted);
    if ((walls.faces[0] == Boundary::periodic) != (walls.faces[1] == Boundary::periodic))
        refuse(option, text, "periodic on both sides of an axis or on none");
    return walls;
}

}  // namespace

void refuse_word(const std::string& option, const std::string& word, const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& known : words) list += (list.empty() ? "" : ", ") + known;
    refuse(option, word, "one of " + list + did_you_mean(word, words));
}

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

std::size_t parse_bytes(const std::string& option, const std::string& text) {
    std::string number = text;
    for (const char* const unit : {"iB", "B"})
        if (number.ends_with(unit)) {
            number.resize(number.size() - std::string_view(unit).size());
            break;
        }
    constexpr std::string_view prefixes = "KMGT";
    double factor = 1.0;
    if (const auto prefix = number.empty() ? std::string_view::npos : prefixes.find(number.back());
        prefix != std::string_view::npos) {
        factor = std::ldexp(1.0, 10 * static_cast<int>(prefix + 1));
        number.pop_back();
    }
    const auto value = read_number<double>(number);
    const double most = std::ldexp(1.0, 62);
    if (!value || !(*value > 0.0 && *value * factor >= 1.0 && *value * factor <= most))
        refuse(option, text, "a number of bytes, as in 500M, 1.5G or 800000");
    return static_cast<std::size_t>(*value * factor);
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

PerAxis<Walls> parse_boundaries(const std::string& option, const std::string& text) {
    return {option, text, [&](const std::string& word) { return parse_walls(option, word); }};
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

GaugeWord parse_gauge(const std::string& option, const std::string& text) {
    GaugeWord word{text, {}, text == "far"};
    word.gauge.mean = text == "mean";
    if (word.far || word.gauge.mean) return word;
    const std::vector<std::string> words = split(text, ',');
    if (words.size() != 3) refuse(option, text, "'mean', 'far' or the indices i,j,k of a point");
    word.gauge.point.emplace();
    for (std::size_t a = 0; a < 3; ++a) (*word.gauge.point)[a] = parse_integer(option, words[a], 0);
    return word;
}

Gauge choose_gauge(const std::string& option, const GaugeWord& word, const Problem& problem) {
    const bool free = unbounded_axes(problem.grid) > 0;
    if (word.far && !free)
        refuse(option, word.text, "'mean' or the indices i,j,k of a point: nothing is far away without free faces");
    if (free && !grows_far_away(problem))
        refuse(option, word.text,
               "no gauge: with these free faces no constant is open, since u vanishes far away or a face or lambda "
               "holds it");
    return word.gauge;
}

std::string spell_gauge(const Problem& problem) {
    const Gauge& gauge = problem.gauge;
    const bool free = unbounded_axes(problem.grid) > 0;
    if (free && !grows_far_away(problem)) return "none";
    if (!gauge.point) return free && !gauge.mean ? "far" : "mean";
    const auto& [i, j, k] = *gauge.point;
    return std::to_string(i) + "," + std::to_string(j) + "," + std::to_string(k);
}

const char* name(Precision precision) noexcept {
    static constexpr const char* names[] = {"double", "single", "mixed"};
    return names[static_cast<int>(precision)];
}

Precision parse_precision(const std::string& option, const std::string& word) {
    return NameOf{Precision::double_precision, Precision::single_precision, Precision::mixed}(option, word);
}

void give_faces(Axis& axis, const Walls& walls) {
    axis.lower = walls.faces[0];
    axis.upper = walls.faces[1];
    for (std::size_t side = 0; side < 2; ++side) {
        if (walls.faces[side] != Boundary::robin) continue;
        if (!walls.robin[side])
            throw Error(ErrorCode::usage,
                        "boundary robin needs the two numbers of alpha u + beta du/dn: robin:ALPHA:BETA");
        axis.robin[side] = *walls.robin[side];
    }
}

std::string spell_faces(const Axis& axis) {
    std::array<std::string, 2> words{name(axis.lower), name(axis.upper)};
    for (std::size_t side = 0; side < 2; ++side)
        if ((side == 0 ? axis.lower : axis.upper) == Boundary::robin)
            words[side] += ":" + format_number(axis.robin[side].alpha) + ":" + format_number(axis.robin[side].beta);
    return words[0] == words[1] ? words[0] : words[0] + ":" + words[1];
}

std::string spell(const Faces& faces) {
    const std::string lower = name(faces[0]);
    return faces[0] == faces[1] ? lower : lower + ":" + name(faces[1]);
}

}  // namespace poisson3d::app
