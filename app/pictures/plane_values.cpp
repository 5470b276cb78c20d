#include "pictures/plane_values.hpp"

#include <algorithm>

namespace poisson3d::app {

namespace {

double mixed(double from, double to, double part) {
    if (part == 0.0) return from;
    return (1.0 - part) * from + part * to;
}

/// A place between two entries of a list.
struct Between {
    std::size_t lower, upper;
    double part;
};

/// Where `at` lies in a rising list; beyond its ends the outermost entry.
Between between(const std::vector<double>& rising, double at) {
    const auto above = std::ranges::upper_bound(rising, at);
    if (above == rising.begin()) return {0, 0, 0.0};
    const auto upper = static_cast<std::size_t>(above - rising.begin());
    if (above == rising.end()) return {upper - 1, upper - 1, 0.0};
    const double low = rising[upper - 1], high = rising[upper];
    return {upper - 1, upper, (0.5 * at - 0.5 * low) / (0.5 * high - 0.5 * low)};
}

/// Positions from face to face, and which samples the value at each of them is mixed of.
struct Padded {
    std::vector<double> positions;
    std::vector<Between> from;
};

Padded padded(const std::vector<double>& samples, const Axis& axis) {
    const auto [low, high] = ends_of(axis);
    const std::size_t last = samples.size() - 1;
    Between below{0, 0, 0.0}, above{last, last, 0.0};
    if (axis.periodic()) {
        const double beyond = (high - samples[last]) + (samples[0] - low);
        if (beyond > 0.0) below = above = {last, 0, (high - samples[last]) / beyond};
    }
    Padded padded;
    const auto add = [&](double position, const Between& from) {
        padded.positions.push_back(position);
        padded.from.push_back(from);
    };
    if (low < samples[0]) add(low, below);
    for (std::size_t s = 0; s <= last; ++s) add(samples[s], {s, s, 0.0});
    if (samples[last] < high) add(high, above);
    return padded;
}

/// Of the middles of so many equal parts of first … last.
std::vector<Between> middles(const std::vector<double>& rising, int parts) {
    std::vector<Between> list;
    for (int p = 0; p < parts; ++p) {
        const double part = (p + 0.5) / parts;
        list.push_back(between(rising, (1.0 - part) * rising.front() + part * rising.back()));
    }
    return list;
}

}  // namespace

std::array<double, 2> ends_of(const Axis& axis) {
    if (!axis.uniform()) {
        const std::vector<double> ends = step_ends(axis);
        return {ends.front(), ends.back()};
    }
    const double half = 0.5 * axis.step();
    const bool cells = axis.centering == Centering::cell, single_node = !cells && !(axis.length() > 0.0);
    const double last = axis.position(axis.points - 1);
    return {axis.position(0) - (cells || single_node ? half : 0.0), cells || single_node ? last + half
                                                                    : axis.periodic()    ? last + axis.step()
                                                                                         : last};
}

std::vector<double> sample_positions(const Section& section, std::size_t axis, const Axis& of_grid) {
    if (of_grid.uniform()) return section.positions(axis, [&](Index j) { return of_grid.position(j); });
    const std::vector<double> points = coordinates(of_grid);
    return section.positions(axis, [&](Index j) { return points[static_cast<std::size_t>(j)]; });
}

PlaneValues::PlaneValues(const Section& section, const Grid& grid) {
    std::size_t found = 0;
    for (std::size_t a = 0; a < 3; ++a)
        if (!section.fixes(a)) axes_[found++] = a;
    std::array<Padded, 2> along;
    for (const std::size_t which : {0U, 1U}) {
        const std::size_t axis = axes_[which];
        along[which] = padded(sample_positions(section, axis, grid.axes[axis]), grid.axes[axis]);
        positions_[which] = along[which].positions;
    }
    const auto samples = static_cast<std::size_t>(section.samples(axes_[1]));
    const auto sample = [&](std::size_t r, const Between& c) {
        const double* const line = &section.values()[r * samples];
        return mixed(line[c.lower], line[c.upper], c.part);
    };
    values_.reserve(positions_[0].size() * positions_[1].size());
    for (const Between& r : along[0].from)
        for (const Between& c : along[1].from)
            values_.push_back(mixed(sample(r.lower, c), sample(r.upper, c), r.part));
}

std::vector<double> PlaneValues::resampled(int width, int height) const {
    const std::vector<Between> across = middles(positions_[0], width), upwards = middles(positions_[1], height);
    const std::size_t line = positions_[1].size();
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (auto up = upwards.rbegin(); up != upwards.rend(); ++up)
        for (const Between& right : across) {
            const auto at = [&](std::size_t r) {
                return mixed(values_[r * line + up->lower], values_[r * line + up->upper], up->part);
            };
            values.push_back(mixed(at(right.lower), at(right.upper), right.part));
        }
    return values;
}

}  // namespace poisson3d::app
