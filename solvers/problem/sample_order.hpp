// The stretches of the samples of a box (typical_value.hpp) in the order of their planes: what a member has of them
// is a range, so that all members can have all of them by one message from each to each.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "typical_value.hpp"

namespace poisson3d {

class SampleOrder {
public:
    explicit SampleOrder(const Extents& points)
        : samples_({points[1] * points[2], points[2], 1}, points),
          places_(static_cast<std::size_t>(Samples::groups * samples_.stretches())) {
        const auto plane = [&](int stretch) {
            const auto [group, s] = std::div(stretch, static_cast<int>(samples_.stretches()));
            return samples_.first(group, s) / (points[1] * points[2]);
        };
        std::vector<int> order(places_.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, plane);
        for (std::size_t place = 0; place < order.size(); ++place) {
            places_[static_cast<std::size_t>(order[place])] = static_cast<int>(place);
            planes_.push_back(plane(order[place]));
        }
    }

    /// As SharedSamples has them.
    [[nodiscard]] const std::vector<int>& places() const noexcept { return places_; }
    /// Numbers in the planes before this one.
    [[nodiscard]] Index before(Index plane) const {
        return (std::ranges::lower_bound(planes_, plane) - planes_.begin()) * samples_.length();
    }

private:
    Samples samples_;
    std::vector<int> places_;
    std::vector<Index> planes_;  ///< of the stretches in order
};

}  // namespace poisson3d
