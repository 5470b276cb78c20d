// Where the points of an axis are: from positions, widths or the spacing, whichever it has.
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

}  // namespace

Index step_count(const Axis& axis) noexcept {
    return axis.centering == Centering::node && !axis.periodic() ? axis.points - 1 : axis.points;
}

double Axis::position(Index j) const noexcept {
    if (uniform()) return origin + (static_cast<double>(j) + (centering == Centering::cell ? 0.5 : 0.0)) * spacing;
    const double begin = step_begin(*this, j);
    if (centering == Centering::node) return begin;
    return begin + 0.5 * (widths.empty() ? positions[j + 1] - positions[j] : widths[j]);
}

double Axis::length() const noexcept {
    if (uniform()) return static_cast<double>(step_count(*this)) * spacing;
    if (!positions.empty()) return positions.back() - positions.front();
    return static_cast<double>(std::accumulate(widths.begin(), widths.end(), 0.0L));
}

std::vector<double> steps_of(const Axis& axis) {
    if (!axis.widths.empty()) return axis.widths;
    std::vector<double> steps(static_cast<std::size_t>(step_count(axis)), axis.spacing);
    if (!axis.positions.empty())
        for (std::size_t j = 0; j < steps.size(); ++j) steps[j] = axis.positions[j + 1] - axis.positions[j];
    return steps;
}

std::vector<double> step_ends(const Axis& axis) {
    if (!axis.positions.empty()) return axis.positions;
    std::vector<double> ends(static_cast<std::size_t>(step_count(axis)) + 1);
    long double end = axis.origin;
    for (std::size_t j = 0; j < ends.size(); ++j) {
        ends[j] = axis.uniform() ? axis.origin + static_cast<double>(j) * axis.spacing : static_cast<double>(end);
        if (j < axis.widths.size()) end += static_cast<long double>(axis.widths[j]);
    }
    return ends;
}

std::vector<double> coordinates(const Axis& axis) {
    std::vector<double> points(static_cast<std::size_t>(axis.points));
    if (axis.uniform()) {
        for (std::size_t j = 0; j < points.size(); ++j) points[j] = axis.position(static_cast<Index>(j));
        return points;
    }
    const std::vector<double> begins = step_ends(axis);
    const std::vector<double> steps = steps_of(axis);
    for (std::size_t j = 0; j < points.size(); ++j)
        points[j] = axis.centering == Centering::node ? begins[j] : begins[j] + 0.5 * steps[j];
    return points;
}

}  // namespace poisson3d
