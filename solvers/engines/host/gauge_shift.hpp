// The constant that a problem with free faces leaves open (gauge_applies), when it is not to be that of far away:
// the weighted mean of u, or its value at a point, is taken from u after the solve.
#pragma once

#include <array>
#include <numeric>
#include <vector>

#include "axis_kind.hpp"
#include "free_faces.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::host {

template <class T>
class GaugeShift {
public:
    explicit GaugeShift(const Problem& problem) : gauge_(problem.gauge), asked_(takes_constant(problem)) {
        if (!asked_ || gauge_.point) return;
        for (int a = 0; a < 3; ++a) {
            weights_[a] = mean_weights(problem.grid.axes[a]);
            total_ *= std::accumulate(weights_[a].begin(), weights_[a].end(), 0.0);
        }
        sums_.resize(weights_[0].size());
    }

    /// Of all stored points; what was taken. Sums are taken plane by plane, whatever threads there are.
    T apply(FieldView<T> u, ThreadTeam& team) {
        if (!asked_) return T(0);
        if (!gauge_.point)
            for_each_plane(u, team, [&](Index i) { sums_[static_cast<std::size_t>(i)] = sum_of_plane(u, i); });
        const T shift = gauge_.point ? u((*gauge_.point)[0], (*gauge_.point)[1], (*gauge_.point)[2])
                                     : static_cast<T>(std::accumulate(sums_.begin(), sums_.end(), 0.0) / total_);
        for_each_plane(u, team, [&](Index i) {
            for (Index j = 0; j < u.extents[1]; ++j)
                for (Index k = 0; k < u.extents[2]; ++k) u(i, j, k) -= shift;
        });
        return shift;
    }

private:
    template <class Body>
    static void for_each_plane(FieldView<T> u, ThreadTeam& team, const Body& body) {
        team.parallel_for(u.extents[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) body(i);
        });
    }
    [[nodiscard]] double sum_of_plane(FieldView<T> u, Index i) const {
        double sum = 0.0;
        for (Index j = 0; j < u.extents[1]; ++j) {
            double row = 0.0;
            for (Index k = 0; k < u.extents[2]; ++k)
                row += weights_[2][static_cast<std::size_t>(k)] * static_cast<double>(u(i, j, k));
            sum += weights_[1][static_cast<std::size_t>(j)] * row;
        }
        return weights_[0][static_cast<std::size_t>(i)] * sum;
    }

    Gauge gauge_;
    bool asked_;
    std::array<std::vector<double>, 3> weights_;
    std::vector<double> sums_;
    double total_ = 1.0;
};

}  // namespace poisson3d::host
