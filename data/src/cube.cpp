#include "cube.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U, longest_line = 4096;
constexpr Index most_atoms = Index{1} << 24;

/// Text from a file or a pipe, by lines and by words.
class Text {
public:
    Text(int descriptor, const h5::Subject& subject)
        : descriptor_(descriptor), subject_(subject), buffer_(buffer_bytes, '\0') {}

    std::string line() {
        std::string text;
        for (int c = next(); c != '\n'; c = next()) {
            if (c < 0 && text.empty()) subject_.fail("ends within its header: it is cut off");
            if (c < 0) break;
            if (text.size() == longest_line)
                subject_.fail("found a line of more than 4096 characters: not a cube file");
            text.push_back(static_cast<char>(c));
        }
        if (!text.empty() && text.back() == '\r') text.pop_back();
        return text;
    }
    /// The next word, of at most 64 characters; empty at the end of the text.
    std::string_view word() {
        int c = next();
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') c = next();
        std::size_t length = 0;
        for (; c >= 0 && c != ' ' && c != '\n' && c != '\r' && c != '\t'; c = next()) {
            if (length == sizeof word_) subject_.fail("found " + printable({word_, length}) + "…, wanted a number");
            word_[length++] = static_cast<char>(c);
        }
        return {word_, length};
    }

private:
    int next() {
        if (at_ == end_) {
            end_ = read_next(descriptor_, buffer_.data(), buffer_.size(), subject_);
            at_ = 0;
            if (end_ == 0) return -1;
        }
        return static_cast<unsigned char>(buffer_[at_++]);
    }

    int descriptor_;
    const h5::Subject& subject_;
    std::string buffer_;
    std::size_t at_ = 0, end_ = 0;
    char word_[64];
};

/// A number as Fortran writes it: 1.5E-3, 1.5D-3, and 1.5-103 where three digits leave no room for the letter.
double parse_value(std::string_view word, const h5::Subject& subject) {
    double value = 0.0;
    const std::string_view plain = word.starts_with('+') ? word.substr(1) : word;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error == std::errc() && end == plain.data() + plain.size()) return value;
    std::string text(plain);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'E');
    const std::size_t sign = text.find_last_of("+-");
    if (sign != std::string::npos && sign > 0 && std::isdigit(static_cast<unsigned char>(text[sign - 1])) != 0)
        text.insert(sign, 1, 'E');
    char* rest = nullptr;
    value = std::strtod(text.c_str(), &rest);  // numbers below the range of double become 0
    if (text.empty() || *rest != '\0') subject.fail("found " + printable(word) + ", wanted a number");
    return value;
}

/// The numbers of a line of the header: at least `least`.
std::vector<double> numbers(const std::string& line, std::size_t least, const char* what,
                            const h5::Subject& subject) {
    std::vector<double> values;
    for (std::size_t at = line.find_first_not_of(" \t"); at != std::string::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        values.push_back(parse_value(std::string_view(line).substr(at, end - at), subject));
        at = line.find_first_not_of(" \t", end);
    }
    if (values.size() < least)
        subject.fail("found the line '" + printable(line) + "', wanted " + what + ": not a cube file");
    for (const double value : values)
        if (!std::isfinite(value)) subject.fail("found the line '" + printable(line) + "', wanted finite numbers");
    return values;
}

Index whole(double value, const char* what, const h5::Subject& subject) {
    if (std::fabs(value) < 0x1p40 && value == std::floor(value)) return static_cast<Index>(value);
    subject.fail("found " + format_number(value) + ", wanted " + what + ": not a cube file");
}

/// The axis along which a vector of the grid runs.
std::size_t direction(const std::vector<double>& line, std::size_t axis, const h5::Subject& subject) {
    std::size_t along = 0, parts = 0;
    for (std::size_t c = 0; c < 3; ++c)
        if (line[1 + c] != 0.0) along = c, ++parts;
    if (parts != 1 || line[1 + along] < 0.0)
        subject.fail(ErrorCode::data, "vector " + std::to_string(axis + 1) + " of the grid: found " +
                                          format_number(line[1]) + ", " + format_number(line[2]) + ", " +
                                          format_number(line[3]) +
                                          ", wanted one along x, y or z, in the direction that rises");
    return along;
}

CubeHeader read_cube_header(Text& text, const h5::Subject& subject) {
    CubeHeader header;
    header.title = text.line();
    header.title.append("\n").append(text.line());
    const auto start = numbers(text.line(), 4, "the number of atoms and the first point", subject);
    const Index signed_atoms = whole(start[0], "the number of atoms", subject);
    if (start.size() > 4 && start[4] != 1.0)
        subject.fail(ErrorCode::data, "found " + format_number(start[4]) + " values a point, wanted one");
    std::array<std::size_t, 3> along{};
    Index negative = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        const auto line = numbers(text.line(), 4, "a number of points and a vector of the grid", subject);
        const Index points = whole(line[0], "a number of points", subject);
        negative += points < 0 ? 1 : 0;
        header.points[a] = std::abs(points);
        along[a] = direction(line, a, subject);
        header.labels[a] = static_cast<char>('x' + along[a]);
        header.spacing[a] = line[1 + along[a]];
        header.first[a] = start[1 + along[a]];
    }
    if (along[0] == along[1] || along[1] == along[2] || along[0] == along[2])
        subject.fail(ErrorCode::data, std::string("found vectors of the grid along ") +
                                          std::string(header.labels.data(), 3) + ", wanted three different axes");
    if (negative != 0 && negative != 3)
        subject.fail(ErrorCode::data,
                     "found numbers of points of both signs, wanted all above 0 (bohr) or all below (angstrom)");
    header.angstrom = negative == 3;
    require_countable(subject, header.points);
    if (std::abs(signed_atoms) > most_atoms)
        subject.fail("found " + std::to_string(std::abs(signed_atoms)) + " atoms, wanted at most " +
                     std::to_string(most_atoms));
    for (Index atom = 0; atom < std::abs(signed_atoms); ++atom) {
        const auto line = numbers(text.line(), 5, "an atom: number, charge, x, y, z", subject);
        header.atoms.push_back({line[0], line[1], {line[2], line[3], line[4]}});
    }
    // Of orbitals: how many there are, and their numbers.
    if (signed_atoms < 0) {
        const Index orbitals = whole(parse_value(text.word(), subject), "the number of orbitals", subject);
        if (orbitals != 1)
            subject.fail(ErrorCode::data, "found " + std::to_string(orbitals) + " orbitals, wanted one");
        static_cast<void>(parse_value(text.word(), subject));
    }
    return header;
}

}  // namespace

Cube read_cube(int descriptor, const h5::Subject& subject) {
    Text text(descriptor, subject);
    Cube cube{read_cube_header(text, subject), {}};
    const Extents& points = cube.header.points;
    cube.values = scratch_array<double>(points);
    const Index total = points[0] * points[1] * points[2];
    std::vector<double> part(static_cast<std::size_t>(std::min<Index>(total, Index{1} << 17)));
    for (Index done = 0; done < total;) {
        const Index count = std::min(total - done, static_cast<Index>(part.size()));
        for (Index i = 0; i < count; ++i) {
            const std::string_view word = text.word();
            if (word.empty())
                subject.fail("ends after " + std::to_string(done + i) + " numbers, wanted " +
                             std::to_string(total) + ": it is cut off");
            part[static_cast<std::size_t>(i)] = parse_value(word, subject);
        }
        write_at(cube.values.descriptor, part.data(), static_cast<std::size_t>(count) * sizeof(double),
                 static_cast<std::uint64_t>(done) * sizeof(double), cube.values.subject);
        done += count;
    }
    if (!text.word().empty()) subject.fail("holds more than the " + std::to_string(total) + " numbers of its grid");
    cube.values.subject = subject;
    return cube;
}

std::string make_cube_header(const CubeHeader& header) {
    std::string text;
    const std::size_t first_end = std::min(header.title.find('\n'), header.title.size());
    const std::string second = first_end < header.title.size() ? header.title.substr(first_end + 1) : "";
    for (const std::string& line : {header.title.substr(0, first_end), second}) {
        for (const char c : line.substr(0, line.find('\n')))
            text.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
        text.push_back('\n');
    }
    char line[128];
    const auto add = [&](Index count, const std::array<double, 3>& place) {
        std::snprintf(line, sizeof line, "%5lld %17.10g %17.10g %17.10g\n", static_cast<long long>(count), place[0],
                      place[1], place[2]);
        text += line;
    };
    std::array<double, 3> first{};
    for (std::size_t a = 0; a < 3; ++a) first[static_cast<std::size_t>(header.labels[a] - 'x')] = header.first[a];
    add(static_cast<Index>(header.atoms.size()), first);
    for (std::size_t a = 0; a < 3; ++a) {
        std::array<double, 3> vector{};
        vector[static_cast<std::size_t>(header.labels[a] - 'x')] = header.spacing[a];
        add(header.angstrom ? -header.points[a] : header.points[a], vector);
    }
    for (const Atom& atom : header.atoms) {
        std::snprintf(line, sizeof line, "%5.0f %17.10g %17.10g %17.10g %17.10g\n", atom.number, atom.charge,
                      atom.place[0], atom.place[1], atom.place[2]);
        text += line;
    }
    return text;
}

void write_cube_values(const RawArray& values, OutputFile& file) {
    RawArray rows = values;
    rows.points = {values.points[0] * values.points[1], 1, values.points[2]};
    const Index length = rows.points[2];
    Field<double> row({1, 1, length});
    std::string text;
    for (Index i = 0; i < rows.points[0]; ++i) {
        rows.read(i, row.view());
        for (Index k = 0; k < length; ++k) {
            char number[32];
            // A blank of its own, so that three digits of the exponent still leave one.
            const int size = std::snprintf(number, sizeof number, " %12.5E", row.view()(0, 0, k));
            text.append(number, static_cast<std::size_t>(size));
            if (k % 6 == 5 || k == length - 1) text.push_back('\n');
        }
        if (text.size() < buffer_bytes && i + 1 < rows.points[0]) continue;
        file.write(text);
        text.clear();
    }
}

}  // namespace poisson3d
