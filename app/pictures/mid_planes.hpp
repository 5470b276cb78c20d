// The three planes through the middle of a field, gathered slab by slab: all that a picture needs of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d::app {

/// Values on a plane, thinned out where it has more points than a picture has pixels.
class Plane {
public:
    Plane() = default;
    Plane(Index rows, Index columns)
        : points_{rows, columns}, samples_{std::min(rows, most), std::min(columns, most)} {
        values_.resize(static_cast<std::size_t>(samples_[0] * samples_[1]));
    }

    /// Of several points that share a sample the last one stays; a value that is not finite stays whatever comes.
    void put(Index row, Index column, double value) {
        double& sample = values_[index_of(row * samples_[0] / points_[0], column * samples_[1] / points_[1])];
        if (std::isfinite(sample)) sample = value;
    }

    /// Between samples: at fractions 0 … 1 of the plane along rows and columns. Not finite beside such a sample.
    [[nodiscard]] double at(double along_rows, double along_columns) const {
        const Between row = between(along_rows, samples_[0]);
        const Between column = between(along_columns, samples_[1]);
        const auto line = [&](Index r) {
            return mix(values_[index_of(r, column.lower)], values_[index_of(r, column.upper)], column.part);
        };
        return mix(line(row.lower), line(row.upper), row.part);
    }

private:
    struct Between {
        Index lower, upper;
        double part;
    };

    /// A sample lies in the middle of its share of the plane; outside of all samples the nearest one counts.
    static Between between(double fraction, Index samples) {
        const double at =
            std::clamp(fraction * static_cast<double>(samples) - 0.5, 0.0, static_cast<double>(samples - 1));
        const Index lower = static_cast<Index>(at);
        return {lower, std::min(lower + 1, samples - 1), at - static_cast<double>(lower)};
    }

    static double mix(double from, double to, double part) { return (1.0 - part) * from + part * to; }

    [[nodiscard]] std::size_t index_of(Index row, Index column) const noexcept {
        return static_cast<std::size_t>(row * samples_[1] + column);
    }

    static constexpr Index most = 1024;  ///< 8 MiB a plane; pictures are not larger than that by much
    std::array<Index, 2> points_{}, samples_{};
    std::vector<double> values_;
};

/// The middle planes normal to each axis; of an even number of points the plane just above the middle.
class MidPlanes {
public:
    explicit MidPlanes(const Extents& points)
        : points_(points),
          middle_{points[0] / 2, points[1] / 2, points[2] / 2},
          planes_{Plane(points[1], points[2]), Plane(points[0], points[2]), Plane(points[0], points[1])} {}

    /// Takes what lies in the planes first … first + count − 1 of the field; value(i, j, k) with i counted from
    /// `first`.
    template <class Value>
    void add(Index first, Index count, const Value& value) {
        const Index inside = middle_[0] - first;
        if (inside >= 0 && inside < count)
            for (Index j = 0; j < points_[1]; ++j)
                for (Index k = 0; k < points_[2]; ++k) put(0, j, k, value(inside, j, k));
        for (Index i = 0; i < count; ++i) {
            for (Index k = 0; k < points_[2]; ++k) put(1, first + i, k, value(i, middle_[1], k));
            for (Index j = 0; j < points_[1]; ++j) put(2, first + i, j, value(i, j, middle_[2]));
        }
    }

    /// Normal to an axis; rows along the first of the other two axes, columns along the second.
    [[nodiscard]] const Plane& normal_to(std::size_t axis) const { return planes_[axis]; }
    [[nodiscard]] Index middle(std::size_t axis) const { return middle_[axis]; }

    /// Of the finite values on all points of the planes; least > greatest if there are none.
    [[nodiscard]] double min() const noexcept { return min_; }
    [[nodiscard]] double max() const noexcept { return max_; }
    [[nodiscard]] bool all_finite() const noexcept { return all_finite_; }

private:
    void put(std::size_t axis, Index row, Index column, double value) {
        planes_[axis].put(row, column, value);
        if (std::isfinite(value)) {
            min_ = std::min(min_, value);
            max_ = std::max(max_, value);
        } else {
            all_finite_ = false;
        }
    }

    Extents points_, middle_;
    std::array<Plane, 3> planes_;
    double min_ = std::numeric_limits<double>::infinity();
    double max_ = -std::numeric_limits<double>::infinity();
    bool all_finite_ = true;
};

}  // namespace poisson3d::app
