// The constant that is taken from f of a singular problem (typical_value.hpp), from the samples that one member
// would take: every member on a host brings those it has, and zeros.
#pragma once

#include <algorithm>
#include <vector>

#include "engine.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"
#include "typical_value.hpp"

namespace poisson3d {

template <class T>
class GatheredSamples {
public:
    explicit GatheredSamples(const Extents& points)
        : points_(points),
          samples_({points[1] * points[2], points[2], 1}, points),
          numbers_(static_cast<std::size_t>(SharedSamples<T>::size(samples_))) {}

    [[nodiscard]] std::size_t bytes() const noexcept { return numbers_.size() * sizeof(T); }

    /// A call of all members. `f`: of member m its box, null if it is not mine.
    template <class FieldOf>
    Constant<T> constant(const Decomposition& boxes, Transport& transport, const FieldOf& f) {
        const auto copy_of = [&](int group, Index s) {
            return numbers_.data() + (group * samples_.stretches() + s) * samples_.length();
        };
        std::fill(numbers_.begin(), numbers_.end(), T(0));
        for (int g = 0; g < Samples::groups; ++g)
            for (Index s = 0; s < samples_.stretches(); ++s) {
                const Index at = samples_.first(g, s);
                const Index k = at % points_[2], j = at / points_[2] % points_[1], i = at / points_[2] / points_[1];
                const int owner = boxes.owner(i, j);
                const Extents first = boxes.box(owner).first;
                if (const FieldView<const T> mine = f(owner); mine.data != nullptr)
                    std::copy_n(&mine(i - first[0], j - first[1], k), samples_.length(), copy_of(g, s));
            }
        transport.sum(numbers_.data(), static_cast<Index>(numbers_.size()));
        return typical_value<T>(samples_, copy_of);
    }

private:
    Extents points_;
    Samples samples_;
    std::vector<T> numbers_;
};

}  // namespace poisson3d
