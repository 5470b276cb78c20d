#include "reporting/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "command_line/spec.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

constexpr std::size_t name_width = 16;

/// Columns that a UTF-8 text takes: its bytes less those that continue a character.
std::size_t columns_of(const std::string& text) {
    std::size_t columns = 0;
    for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return columns;
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t columns = columns_of(text);
    return columns < width ? text + std::string(width - columns, ' ') : text;
}

/// Six digits are what a person compares; 0.30000000000000004 is not.
std::string readable(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

}  // namespace

void Table::title(const std::string& text) {
    text_ += printable_name(text) + "\n\n";
}

void Table::line(const std::string& name, const std::string& value) {
    text_ += "  " + padded(printable_name(name), name_width) + printable_name(value) + "\n";
}

void Table::row(const std::string& name, const std::vector<std::pair<std::string, std::size_t>>& columns) {
    std::string value;
    for (const auto& [text, width] : columns) value += padded(text, width);
    line(name, value);
}

std::string brief(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string duration(double seconds) {
    char text[32];
    if (seconds < 1e-3)
        std::snprintf(text, sizeof text, "%.3g µs", seconds * 1e6);
    else if (seconds < 1.0)
        std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
    else
        std::snprintf(text, sizeof text, "%.2f s", seconds);
    return text;
}

std::string dimensions(const Extents& points) {
    return std::to_string(points[0]) + " × " + std::to_string(points[1]) + " × " + std::to_string(points[2]);
}

std::string equation(double helmholtz, double scale, const VariableFields& fields) {
    std::string left = fields.at_points || fields.on_faces ? "∇·(ε∇u)" : "∇²u";
    if (fields.helmholtz)
        left += " − λ u";
    else if (helmholtz != 0.0)
        left += (helmholtz > 0.0 ? " − " : " + ") + readable(std::fabs(helmholtz)) + " u";
    return left + " = " + (scale == 1.0 ? "f" : readable(scale) + " f");
}

std::string told_fields(const VariableFields& fields) {
    const std::string coefficient = fields.at_points  ? "/coefficient, ε of ∇·(ε∇u) at the points"
                                    : fields.on_faces ? "/coefficient, ε of ∇·(ε∇u) on the faces"
                                                      : "";
    if (!fields.helmholtz) return coefficient;
    return coefficient + (coefficient.empty() ? "" : ", and ") + "/lambda, λ at the points";
}

void add_box(Table& table, const Grid& grid) {
    const bool all_even = std::ranges::all_of(grid.axes, [](const Axis& axis) { return axis.uniform(); });
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        const double low = axis.positions.empty() ? axis.origin : axis.positions.front();
        const std::string interval = readable(low) + " … " + readable(low + axis.length());
        const std::vector<double> steps = axis.uniform() ? std::vector<double>{axis.step()} : steps_of(axis);
        const auto [least, greatest] = std::minmax_element(steps.begin(), steps.end());
        const std::string h = axis.uniform() ? readable(axis.step()) : brief(*least) + " … " + brief(*greatest);
        table.row(std::string(a == 0 ? "box " : "    ") + grid.labels[a],
                  {{interval, 22},
                   {"h " + h, all_even ? 16U : 28U},
                   {std::to_string(axis.points), 8},
                   {name(axis.centering), 6},
                   {spell_faces(axis) + (axis.custom == Coefficients{} ? "" : "  by coefficients"), 0}});
    }
}

}  // namespace poisson3d::app
