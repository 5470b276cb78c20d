// Planes and lines through a field, gathered slab by slab: all that a picture needs of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "pictures/colour_scale.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::app {

/// The points of a field with the same index along one axis (a plane) or two (a line). Where an axis has more
/// points than a picture has pixels, a sample is the mean of a block of neighbours.
class Section {
public:
    /// At least one index is fixed, and two at most.
    Section(const Extents& points, const std::array<std::optional<Index>, 3>& fixed) : fixed_(fixed) {
        Index stride = 1;
        for (std::size_t a = 3; a-- > 0;) {
            if (fixed[a]) continue;
            block_[a] = (points[a] + most - 1) / most;
            samples_[a] = (points[a] + block_[a] - 1) / block_[a];
            stride_[a] = stride;
            stride *= samples_[a];
        }
        for (std::size_t a = 0; a < 3; ++a) points_[a] = points[a];
        values_.resize(static_cast<std::size_t>(stride));
    }

    [[nodiscard]] bool fixes(std::size_t axis) const noexcept { return fixed_[axis].has_value(); }
    [[nodiscard]] Index index(std::size_t axis) const { return fixed_[axis].value(); }
    /// Along an axis; 1 where the index is fixed.
    [[nodiscard]] Index samples(std::size_t axis) const noexcept { return samples_[axis]; }
    /// All of them, the later axis contiguous. Not finite where one of their points is not.
    [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }

    /// Where the samples along an axis are whose points are at point(j).
    template <class Point>
    [[nodiscard]] std::vector<double> positions(std::size_t axis, const Point& point) const {
        std::vector<double> means(static_cast<std::size_t>(samples_[axis]));
        for (Index s = 0; s < samples_[axis]; ++s) {
            const Index begin = s * block_[axis], end = std::min(begin + block_[axis], points_[axis]);
            for (Index j = begin; j < end; ++j)
                means[static_cast<std::size_t>(s)] += point(j) / static_cast<double>(end - begin);
        }
        return means;
    }

    /// Whether a plane of the slab first … first + count − 1 of the field is part of it.
    [[nodiscard]] bool meets(Index first, Index count) const {
        return !fixed_[0] || (*fixed_[0] >= first && *fixed_[0] < first + count);
    }

    /// Takes these from the slab, each point once: value(i, j, k) with i counted from `first`.
    template <class Value, class See>
    void add(Index first, Index count, const Value& value, const See& see) {
        if (!meets(first, count)) return;
        const auto range = [&](std::size_t a, Index begin, Index end) {
            return fixed_[a] ? std::array{*fixed_[a], *fixed_[a] + 1} : std::array{begin, end};
        };
        const auto [i0, i1] = range(0, first, first + count);
        const auto [j0, j1] = range(1, 0, points_[1]);
        const auto [k0, k1] = range(2, 0, points_[2]);
        for (Index i = i0; i < i1; ++i)
            for (Index j = j0; j < j1; ++j)
                for (Index k = k0; k < k1; ++k) {
                    const double number = value(i - first, j, k);
                    see(number);
                    const double share = share_of(0, i) * share_of(1, j) * share_of(2, k);
                    values_[place(0, i) + place(1, j) + place(2, k)] += share * number;
                }
    }

private:
    [[nodiscard]] std::size_t place(std::size_t a, Index index) const noexcept {
        return fixed_[a] ? 0 : static_cast<std::size_t>(index / block_[a] * stride_[a]);
    }
    [[nodiscard]] double share_of(std::size_t a, Index index) const noexcept {
        if (fixed_[a] || block_[a] == 1) return 1.0;
        const Index begin = index / block_[a] * block_[a];
        return 1.0 / static_cast<double>(std::min(block_[a], points_[a] - begin));
    }

    static constexpr Index most = 1024;  ///< 8 MiB a plane; pictures are not larger than that by much
    std::array<std::optional<Index>, 3> fixed_;
    Extents points_{}, samples_{1, 1, 1}, block_{1, 1, 1}, stride_{};
    std::vector<double> values_;
};

/// Some sections of one field, and the range of their values.
class Sections {
public:
    explicit Sections(std::vector<Section> list) : list_(std::move(list)) {}

    /// Takes what lies in the planes first … first + count − 1 of the field; value(i, j, k) with i counted from
    /// `first`.
    template <class Value>
    void add(Index first, Index count, const Value& value) {
        for (Section& section : list_)
            section.add(first, count, value, [this](double number) {
                if (std::isfinite(number)) {
                    min_ = std::min(min_, number);
                    max_ = std::max(max_, number);
                } else {
                    all_finite_ = false;
                }
            });
    }
    [[nodiscard]] bool meet(Index first, Index count) const {
        return std::ranges::any_of(list_, [&](const Section& section) { return section.meets(first, count); });
    }

    [[nodiscard]] const std::vector<Section>& list() const noexcept { return list_; }
    /// Of the finite values of all points; least > greatest if there are none.
    [[nodiscard]] double min() const noexcept { return min_; }
    [[nodiscard]] double max() const noexcept { return max_; }
    [[nodiscard]] bool all_finite() const noexcept { return all_finite_; }

    /// With a sample of about 200 000 of them.
    [[nodiscard]] Values values() const {
        Values values{min_, max_, {}};
        std::size_t all = 0;
        for (const Section& section : list_) all += section.values().size();
        const std::size_t step = all / 200'000 + 1;
        for (const Section& section : list_)
            for (std::size_t s = 0; s < section.values().size(); s += step)
                if (std::isfinite(section.values()[s])) values.sample.push_back(section.values()[s]);
        std::sort(values.sample.begin(), values.sample.end());
        return values;
    }

private:
    std::vector<Section> list_;
    double min_ = std::numeric_limits<double>::infinity();
    double max_ = -std::numeric_limits<double>::infinity();
    bool all_finite_ = true;
};

/// The planes of index n/2 normal to each axis.
inline Sections mid_planes(const Extents& points) {
    std::vector<Section> planes;
    for (std::size_t a = 0; a < 3; ++a) {
        std::array<std::optional<Index>, 3> fixed{};
        fixed[a] = points[a] / 2;
        planes.emplace_back(points, fixed);
    }
    return Sections(std::move(planes));
}

}  // namespace poisson3d::app
