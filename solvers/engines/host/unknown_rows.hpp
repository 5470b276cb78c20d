// The rows of unknowns of a box along z, walked by a team of threads, and sums over them: kept by plane and added
// in order, so that they are the same bits from any number of threads.
#pragma once

#include <array>
#include <numeric>
#include <vector>

#include "coefficient_faces.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::host {

/// Up to four at once.
struct Sums {
    double value[4] = {};
};

/// The sum of value(k), k from begin to end, in lanes, so that additions do not wait for each other.
template <class Value>
double sum_along(Index begin, Index end, const Value& value) {
    constexpr int lanes = 8;
    double sums[lanes] = {};
    Index k = begin;
    for (; k + lanes <= end; k += lanes)
        for (int l = 0; l < lanes; ++l) sums[l] += value(k + l);
    for (; k < end; ++k) sums[0] += value(k);
    return std::accumulate(sums, sums + lanes, 0.0);
}

class UnknownRows {
public:
    UnknownRows(const Grid& grid, ThreadTeam& team)
        : team_(team),
          points_(grid.points()),
          axes_{VariableAxis(grid.axes[0]), VariableAxis(grid.axes[1]), VariableAxis(grid.axes[2])},
          partial_(static_cast<std::size_t>(points_[0])) {
        double total = 1.0;
        for (const VariableAxis& axis : axes_)
            total *= std::accumulate(axis.weight.begin(), axis.weight.end(), 0.0);
        inverse_total_ = 1.0 / total;
    }

    [[nodiscard]] const Extents& points() const noexcept { return points_; }
    [[nodiscard]] const std::array<VariableAxis, 3>& axes() const noexcept { return axes_; }
    [[nodiscard]] ThreadTeam& team() const noexcept { return team_; }
    /// Elements from plane to plane of a dense field.
    [[nodiscard]] Index stride_x() const noexcept { return points_[1] * points_[2]; }
    /// Where row (i, j) of a dense field begins.
    [[nodiscard]] Index row(Index i, Index j) const noexcept { return i * stride_x() + j * points_[2]; }
    /// The unknowns of a row: from first() to before end().
    [[nodiscard]] Index first() const noexcept { return axes_[2].first; }
    [[nodiscard]] Index end() const noexcept { return axes_[2].last + 1; }
    [[nodiscard]] bool unknown(std::size_t a, Index j) const noexcept {
        return j >= axes_[a].first && j <= axes_[a].last;
    }
    /// In means, that of unknown (i, j, k) is weight(i, j) · weights()[k].
    [[nodiscard]] double weight(Index i, Index j) const noexcept { return axes_[0].weight[i] * axes_[1].weight[j]; }
    [[nodiscard]] const double* weights() const noexcept { return axes_[2].weight.data(); }

    /// body(i, j) for all rows of unknowns.
    template <class Body>
    void for_rows(const Body& body) const {
        team_.parallel_for(points_[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = axes_[1].first; unknown(0, i) && j <= axes_[1].last; ++j) body(i, j);
        });
    }
    /// The same with sums that body(i, j, sums) adds to.
    template <class Body>
    Sums sum_rows(const Body& body) {
        team_.parallel_for(points_[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) {
                Sums plane;
                for (Index j = axes_[1].first; unknown(0, i) && j <= axes_[1].last; ++j) body(i, j, plane);
                partial_[i] = plane;
            }
        });
        return total();
    }
    /// The weighted mean of what body(i, j) sums in each row.
    template <class Body>
    double weighted_mean(const Body& body) {
        return mean(sum_rows([&](Index i, Index j, Sums& sums) { sums.value[0] += weight(i, j) * body(i, j); }));
    }

    /// For those who walk over planes themselves.
    void set_partial(Index i, const Sums& plane) { partial_[i] = plane; }
    [[nodiscard]] Sums total() const {
        Sums all;
        for (Index i = axes_[0].first; i <= axes_[0].last; ++i)
            for (int n = 0; n < 4; ++n) all.value[n] += partial_[i].value[n];
        return all;
    }
    /// Of a weighted sum.
    [[nodiscard]] double mean(const Sums& sums, int number = 0) const {
        return inverse_total_ * sums.value[number];
    }

private:
    ThreadTeam& team_;
    Extents points_;
    std::array<VariableAxis, 3> axes_;
    std::vector<Sums> partial_;  ///< by plane
    double inverse_total_ = 1.0;
};

}  // namespace poisson3d::host
