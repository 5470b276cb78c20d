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

/// Adds weight · Σ w_k value, k from begin to end, to each of several sums; values(k, value) sets as many. In
/// lanes, so that additions do not wait for each other.
template <int count, class Values>
void add_along(Index begin, Index end, double weight, const double* weights, Sums& sums, const Values& values) {
    constexpr int lanes = 8;
    double all[count][lanes] = {};
    const auto add = [&](Index k, int lane) {
        double value[count];
        values(k, value);
        for (int n = 0; n < count; ++n) all[n][lane] += weights[k] * value[n];
    };
    Index k = begin;
    for (; k + lanes <= end; k += lanes)
        for (int l = 0; l < lanes; ++l) add(k + l, l);
    for (; k < end; ++k) add(k, 0);
    for (int n = 0; n < count; ++n) sums.value[n] += weight * std::accumulate(all[n], all[n] + lanes, 0.0);
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
    /// The same with sums that body(i, j, sums, thread) adds to.
    template <class Body>
    Sums sum_rows(const Body& body) {
        team_.parallel_for(points_[0], 1, [&](Index begin, Index end, int thread) {
            for (Index i = begin; i < end; ++i) {
                Sums plane;
                for (Index j = axes_[1].first; unknown(0, i) && j <= axes_[1].last; ++j) body(i, j, plane, thread);
                partial_[i] = plane;
            }
        });
        return total();
    }
    /// The weighted mean of values(i, j)(k), of unknowns.
    template <class Values>
    double weighted_mean(const Values& values) {
        return mean(sum_rows([&](Index i, Index j, Sums& sums, int) {
            const auto row = values(i, j);
            add_along<1>(first(), end(), weight(i, j), weights(), sums,
                         [&](Index k, double* value) { *value = row(k); });
        }));
    }
    /// The same of row_sum(i, j): sums of rows with the weights along z.
    template <class RowSum>
    double mean_of_rows(const RowSum& row_sum) {
        return mean(
            sum_rows([&](Index i, Index j, Sums& sums, int) { sums.value[0] += weight(i, j) * row_sum(i, j); }));
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
