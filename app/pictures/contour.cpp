#include "pictures/contour.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

namespace poisson3d::app {

namespace {

using Place = std::array<double, 2>;
using Segment = std::array<Place, 2>;

/// Where the level lies between a and b, 0 … 1. Quarters, because the difference may overflow.
double part(double a, double b, double level) {
    return (0.25 * level - 0.25 * a) / (0.25 * b - 0.25 * a);
}

/// Adds the segments of one cell, whose corners are v, around it, from (x, y) on. Edge e leads from corner e to the
/// next; a point on it is computed from the lower index to the higher, so that both cells of an edge find the same.
void add_cell(std::vector<Segment>& segments, const std::array<double, 4>& v, double x, double y, double level) {
    const auto crossing = [&](std::size_t edge) -> Place {
        switch (edge) {
            case 0: return {x + part(v[0], v[1], level), y};
            case 1: return {x + 1.0, y + part(v[1], v[2], level)};
            case 2: return {x + part(v[3], v[2], level), y + 1.0};
            default: return {x, y + part(v[0], v[3], level)};
        }
    };
    std::array<std::size_t, 4> crossed{};
    std::size_t count = 0;
    for (std::size_t edge = 0; edge < 4; ++edge)
        if ((v[edge] >= level) != (v[(edge + 1) % 4] >= level)) crossed[count++] = edge;
    if (count == 2) segments.push_back({crossing(crossed[0]), crossing(crossed[1])});
    if (count < 4) return;
    // The middle joins two corners that face each other; a line goes around each of the two others.
    const bool middle = 0.25 * v[0] + 0.25 * v[1] + 0.25 * v[2] + 0.25 * v[3] >= level;
    const bool joins_0_and_2 = middle == (v[0] >= level);
    segments.push_back({crossing(0), crossing(joins_0_and_2 ? 1 : 3)});
    segments.push_back({crossing(2), crossing(joins_0_and_2 ? 3 : 1)});
}

/// Joins segments that share an end into lines.
std::vector<ContourLine> joined(const std::vector<Segment>& segments) {
    std::multimap<Place, std::size_t> ends;
    for (std::size_t s = 0; s < segments.size(); ++s)
        for (const Place& end : segments[s]) ends.emplace(end, s);
    std::vector<bool> used(segments.size());
    /// The other end of a segment that was not used and ends at `place`; null if there is none.
    const auto next = [&](const Place& place) -> const Place* {
        const auto [first, last] = ends.equal_range(place);
        for (auto end = first; end != last; ++end) {
            if (used[end->second]) continue;
            used[end->second] = true;
            const Segment& segment = segments[end->second];
            return &segment[segment[0] == place ? 1 : 0];
        }
        return nullptr;
    };
    std::vector<ContourLine> lines;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        if (used[s]) continue;
        used[s] = true;
        std::deque<Place> line(segments[s].begin(), segments[s].end());
        while (const Place* const place = next(line.back())) line.push_back(*place);
        while (const Place* const place = next(line.front())) line.push_front(*place);
        lines.emplace_back(line.begin(), line.end());
    }
    return lines;
}

/// Calls visit(corners, x, y) for each cell whose corners are finite and lie on both sides of the level.
template <class Visit>
void for_each_crossed(const std::vector<double>& values, std::size_t rows, std::size_t columns, double level,
                      const Visit& visit) {
    for (std::size_t r = 0; r + 1 < rows; ++r)
        for (std::size_t c = 0; c + 1 < columns; ++c) {
            const double* const lower = &values[r * columns + c];
            const double* const upper = lower + columns;
            const std::array<double, 4> corners{lower[0], lower[1], upper[1], upper[0]};
            const auto above = std::ranges::count_if(corners, [&](double v) { return v >= level; });
            if (above > 0 && above < 4 && std::ranges::all_of(corners, [](double v) { return std::isfinite(v); }))
                visit(corners, static_cast<double>(c), static_cast<double>(r));
        }
}

}  // namespace

std::size_t crossed_cells(const std::vector<double>& values, std::size_t rows, std::size_t columns, double level) {
    std::size_t count = 0;
    for_each_crossed(values, rows, columns, level, [&](const auto&, double, double) { ++count; });
    return count;
}

std::vector<ContourLine> contour(const std::vector<double>& values, std::size_t rows, std::size_t columns,
                                 double level) {
    std::vector<Segment> segments;
    for_each_crossed(values, rows, columns, level, [&](const std::array<double, 4>& corners, double x, double y) {
        add_cell(segments, corners, x, y, level);
    });
    return joined(segments);
}

}  // namespace poisson3d::app
