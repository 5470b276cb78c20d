// The constant that free faces leave open, where it is not to be that of far away (gauge_applies): what u of
// members has at a point, or its weighted mean. Sums are taken plane by plane, as one solver takes them.
#pragma once

#include <array>
#include <numeric>
#include <vector>

#include "axis_kind.hpp"
#include "boxes.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/free_space.hpp"
#include "transport.hpp"

namespace poisson3d {

template <class T>
class MemberGauge {
public:
    MemberGauge(const Problem& problem, const Decomposition& boxes, Transport& transport)
        : gauge_(problem.gauge),
          asked_(grows_far_away(problem) && (gauge_.mean || gauge_.point)),
          boxes_(boxes),
          transport_(transport) {
        if (!asked_ || gauge_.point) return;
        for (std::size_t a = 0; a < 3; ++a) {
            weights_[a] = mean_weights(problem.grid.axes[a]);
            total_ *= std::accumulate(weights_[a].begin(), weights_[a].end(), 0.0);
        }
        sums_.resize(weights_[0].size());
    }
    [[nodiscard]] bool asked() const noexcept { return asked_; }

    /// What is to be taken from u; u_of(m) is that of my member number m. A call of all members.
    template <class FieldOf>
    T shift(const FieldOf& u_of) {
        const std::vector<int>& mine = transport_.mine();
        T value = 0;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        for (std::size_t m = 0; m < mine.size(); ++m) {
            const Box box = boxes_.box(mine[m]);
            if (!gauge_.point)
                add_planes(box, u_of(m));
            else if (const auto [i, j, k] = *gauge_.point; boxes_.owner(i, j) == mine[m])
                value = u_of(m)(i - box.first[0], j - box.first[1], k);
        }
        if (gauge_.point) {
            transport_.sum(&value, 1);
            return value;
        }
        transport_.sum(sums_.data(), static_cast<Index>(sums_.size()));
        return static_cast<T>(std::accumulate(sums_.begin(), sums_.end(), 0.0) / total_);
    }

private:
    void add_planes(const Box& box, FieldView<const T> u) {
        if (size_of(box) == 0) return;
        const auto weight = [&](int axis, Index i) {
            return weights_[axis][static_cast<std::size_t>(box.first[axis] + i)];
        };
        for (Index i = 0; i < box.points[0]; ++i) {
            double sum = 0.0;
            for (Index j = 0; j < box.points[1]; ++j) {
                double row = 0.0;
                for (Index k = 0; k < box.points[2]; ++k) row += weight(2, k) * static_cast<double>(u(i, j, k));
                sum += weight(1, j) * row;
            }
            sums_[static_cast<std::size_t>(box.first[0] + i)] += weight(0, i) * sum;
        }
    }

    Gauge gauge_;
    bool asked_;
    Decomposition boxes_;
    Transport& transport_;
    std::array<std::vector<double>, 3> weights_;
    std::vector<double> sums_;  ///< of planes of x
    double total_ = 1.0;
};

}  // namespace poisson3d
