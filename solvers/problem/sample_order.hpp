// The stretches of the samples of a box (typical_value.hpp) in the order of the members that have them: what each
// has is a range, so that all members can have all of them by one message from each to each.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "typical_value.hpp"

namespace poisson3d {

class SampleOrder {
public:
    /// owner(i, j) is the member that has row (i, j).
    template <class Owner>
    SampleOrder(const Extents& points, const Owner& owner)
        : length_(Samples({points[1] * points[2], points[2], 1}, points).length()) {
        const Samples samples({points[1] * points[2], points[2], 1}, points);
        std::vector<int> owners(static_cast<std::size_t>(Samples::groups * samples.stretches()));
        for (std::size_t stretch = 0; stretch < owners.size(); ++stretch) {
            const auto number = static_cast<Index>(stretch);
            const Index row =
                samples.first(static_cast<int>(number / samples.stretches()), number % samples.stretches()) /
                points[2];
            owners[stretch] = owner(row / points[1], row % points[1]);
        }
        std::vector<int> order(owners.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](int stretch) { return owners[static_cast<std::size_t>(stretch)]; });
        places_.resize(order.size());
        for (std::size_t place = 0; place < order.size(); ++place) {
            places_[static_cast<std::size_t>(order[place])] = static_cast<int>(place);
            owners_.push_back(owners[static_cast<std::size_t>(order[place])]);
        }
    }

    /// As SharedSamples has them.
    [[nodiscard]] const std::vector<int>& places() const noexcept { return places_; }
    /// Numbers of the members before this one.
    [[nodiscard]] Index before(int member) const {
        return (std::ranges::lower_bound(owners_, member) - owners_.begin()) * length_;
    }

private:
    int length_;  ///< of a stretch
    std::vector<int> places_;
    std::vector<int> owners_;  ///< of the stretches in order
};

}  // namespace poisson3d
