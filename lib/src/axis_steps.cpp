// Where the points of an axis are: from positions, widths or the spacing, whichever it has. Whether steps are the
// same.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poisson3d/grid.hpp"

namespace poisson3d {

namespace {

/// The lower end of step j, where the axis has positions or widths.
double step_begin(const Axis& axis, Index j) noexcept {
    if (!axis.positions.empty()) return axis.positions[j];
    return static_cast<double>(
        std::accumulate(axis.widths.begin(), axis.widths.begin() + j, static_cast<long double>(axis.origin)));
}

/// n times the distance of end j from where it would be if all n steps were the same: no quotient to be rounded.
long double astray(long double first, long double last, long double at, std::size_t j, std::size_t steps) {
    const auto n = static_cast<long double>(steps), i = static_cast<long double>(j);
    return std::abs(n * (at - first) - i * (last - first));
}

constexpr long double rounding = 8.0L * std::numeric_limits<double>::epsilon();

bool uniform_positions(const std::vector<double>& x) noexcept {
    const std::size_t steps = x.size() - 1;
    long double largest = 0.0L;
    for (const double each : x) largest = std::max(largest, std::abs(static_cast<long double>(each)));
    const long double allowed = static_cast<long double>(steps) * (rounding * largest);
    for (std::size_t j = 1; j < steps; ++j)
        if (!(astray(x.front(), x.back(), x[j], j, steps) <= allowed)) return false;
    return true;
}

bool uniform_widths(const std::vector<double>& widths) noexcept {
    const long double length = std::accumulate(widths.begin(), widths.end(), 0.0L);
    const long double allowed = static_cast<long double>(widths.size()) * (rounding * std::abs(length));
    long double end = 0.0L;
    for (std::size_t j = 1; j < widths.size(); ++j) {
        end += static_cast<long double>(widths[j - 1]);
        if (!(astray(0.0L, length, end, j, widths.size()) <= allowed)) return false;
    }
    return true;
}

}  // namespace

Index step_count(const Axis& axis) noexcept {
    return axis.centering == Centering::node && !axis.periodic() ? axis.points - 1 : axis.points;
}

bool Axis::uniform() const noexcept {
    if (!positions.empty()) return uniform_positions(positions);
    return widths.empty() || uniform_widths(widths);
}

double Axis::step() const noexcept {
    return listed() ? length() / static_cast<double>(step_count(*this)) : spacing;
}

double Axis::position(Index j) const noexcept {
    if (!listed()) return origin + (static_cast<double>(j) + (centering == Centering::cell ? 0.5 : 0.0)) * spacing;
    const double begin = step_begin(*this, j);
    if (centering == Centering::node) return begin;
    return begin + 0.5 * (widths.empty() ? positions[j + 1] - positions[j] : widths[j]);
}

double Axis::length() const noexcept {
    if (!listed()) return static_cast<double>(step_count(*this)) * spacing;
    if (!positions.empty()) return positions.back() - positions.front();
    return static_cast<double>(std::accumulate(widths.begin(), widths.end(), 0.0L));
}

std::vector<double> steps_of(const Axis& axis) {
    std::vector<double> steps(static_cast<std::size_t>(step_count(axis)));
    if (axis.uniform()) {
        std::ranges::fill(steps, axis.step());
        return steps;
    }
    if (!axis.widths.empty()) return axis.widths;
    for (std::size_t j = 0; j < steps.size(); ++j) steps[j] = axis.positions[j + 1] - axis.positions[j];
    return steps;
}

std::vector<double> step_ends(const Axis& axis) {
    if (!axis.positions.empty()) return axis.positions;
    std::vector<double> ends(static_cast<std::size_t>(step_count(axis)) + 1);
    long double end = axis.origin;
    for (std::size_t j = 0; j < ends.size(); ++j) {
        ends[j] =
            axis.widths.empty() ? axis.origin + static_cast<double>(j) * axis.spacing : static_cast<double>(end);
        if (j < axis.widths.size()) end += static_cast<long double>(axis.widths[j]);
    }
    return ends;
}

std::vector<double> coordinates(const Axis& axis) {
    std::vector<double> points(static_cast<std::size_t>(axis.points));
    if (!axis.listed()) {
        for (std::size_t j = 0; j < points.size(); ++j) points[j] = axis.position(static_cast<Index>(j));
        return points;
    }
    const std::vector<double> ends = step_ends(axis);
    const bool cells = axis.centering == Centering::cell;
    for (std::size_t j = 0; j < points.size(); ++j) {
        points[j] = ends[j];
        if (cells) points[j] += 0.5 * (axis.widths.empty() ? ends[j + 1] - ends[j] : axis.widths[j]);
    }
    return points;
}

}  // namespace poisson3d
