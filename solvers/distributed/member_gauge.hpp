// The constant that free faces leave open, where it is not to be that of far away (gauge_applies): what u of
// members has at a point, or its weighted mean. Sums are taken plane by plane on hosts, as one solver takes them;
// on devices each member sends its own to all.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "axis_kind.hpp"
#include "boxes.hpp"
#include "exchange.hpp"
#include "free_faces.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/free_space.hpp"
#include "transport.hpp"

namespace poisson3d {

template <class T>
class MemberGauge {
public:
    using Engines = std::vector<std::unique_ptr<MemberEngine<T>>>;  ///< of my members

    /// What it is given must outlive it.
    MemberGauge(const Problem& problem, const Decomposition& boxes, Transport& transport, const Engines& engines)
        : gauge_(problem.gauge),
          asked_(takes_constant(problem)),
          boxes_(boxes),
          transport_(transport),
          engines_(engines),
          on_devices_(transport.device(transport.mine().front()) >= 0),
          shift_(engines.size()) {
        if (!asked_ || gauge_.point) return;
        for (std::size_t a = 0; a < 3; ++a) {
            weights_[a] = mean_weights(problem.grid.axes[a]);
            total_ *= std::accumulate(weights_[a].begin(), weights_[a].end(), 0.0);
        }
        sums_.resize(weights_[0].size());
        for (std::size_t m = 0; on_devices_ && m < engines_.size(); ++m) {
            const Box box = box_of(m);
            std::array<std::vector<double>, 3> here;
            for (std::size_t a = 0; a < 3; ++a)
                here[a].assign(weights_[a].begin() + box.first[a],
                               weights_[a].begin() + box.first[a] + box.points[a]);
            engines_[m]->weigh(here, total_);
        }
    }
    /// Once, when the way of exchanges is known.
    void prepare(Way way, const std::vector<MemberEngine<T>*>& by_member) {
        if (!asked_ || !on_devices_) return;
        const int members = boxes_.members();
        Exchange exchange = sums_to_all(members);
        if (gauge_.point) exchange = gauge_to_all(members, boxes_.owner((*gauge_.point)[0], (*gauge_.point)[1]));
        exchange_ = transport_.prepare_small(way, transfers_of(exchange, by_member));
    }

    /// Takes it from u; u_of(m) is that of my member number m. Then shifted(m, what was taken, where that member's
    /// fields are). A call of all members.
    template <class FieldOf, class Shifted>
    void fix(ThreadTeam& team, const std::vector<Stream>& streams, const FieldOf& u_of, const Shifted& shifted) {
        if (!asked_) return;
        const auto for_each_member = [&](const auto& body) {
            team.parallel_for(static_cast<Index>(engines_.size()), 1, [&](Index begin, Index end, int) {
                for (Index m = begin; m < end; ++m) body(static_cast<std::size_t>(m));
            });
        };
        if (on_devices_) {
            for_each_member([&](std::size_t m) { send(m, u_of(m)); });
            exchange_->run(team, streams);
            if (!gauge_.point) for_each_member([&](std::size_t m) { engines_[m]->find_mean(); });
        } else {
            std::fill(shift_.begin(), shift_.end(), shift(u_of));
        }
        for_each_member([&](std::size_t m) {
            if (size_of(box_of(m)) > 0) engines_[m]->subtract(u_of(m), shift_[m]);
            shifted(m, on_devices_ ? engines_[m]->buffer(MemberBuffer::gauge) + 1 : &shift_[m]);
        });
    }

private:
    [[nodiscard]] Box box_of(std::size_t m) const { return boxes_.box(transport_.mine()[m]); }

    /// From a device what it has.
    void send(std::size_t m, FieldView<T> u) const {
        if (!gauge_.point) return engines_[m]->take_sum(u);
        const auto [i, j, k] = *gauge_.point;
        const Extents first = box_of(m).first;
        if (boxes_.owner(i, j) == transport_.mine()[m]) engines_[m]->take_gauge(u, {i - first[0], j - first[1], k});
    }

    /// On hosts what is to be taken from u.
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
    const Decomposition& boxes_;
    Transport& transport_;
    const Engines& engines_;
    bool on_devices_;
    std::vector<T> shift_;                 ///< of my members, on hosts
    std::unique_ptr<Transfers> exchange_;  ///< between devices
    std::array<std::vector<double>, 3> weights_;
    std::vector<double> sums_;  ///< of planes of x
    double total_ = 1.0;
};

}  // namespace poisson3d
