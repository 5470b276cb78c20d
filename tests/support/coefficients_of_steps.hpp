// The numbers of an axis that its steps say, as Axis::custom takes them: the same operator by another way in, and
// never transformed.
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d::test {

inline Coefficients coefficients_of_steps(const Axis& axis) {
    const std::vector<double> w = steps_of(axis);
    const bool cells = axis.centering == Centering::cell;
    const auto n = static_cast<std::size_t>(axis.points);
    Coefficients numbers;
    for (std::size_t j = 0; j < w.size() + (cells ? 1 : 0); ++j) {
        const bool wall = cells && (j == 0 || j == n) && !axis.periodic();
        const double closing = 2.0 / (w.back() + w.front());
        numbers.conductances.push_back(!cells       ? 1.0 / w[j]
                                       : wall       ? 1.0 / (0.5 * w[j == 0 ? 0 : n - 1])
                                       : j % n == 0 ? closing
                                                    : 2.0 / (w[j - 1] + w[j]));
    }
    for (std::size_t j = 0; j < n; ++j) {
        const double below = j > 0 ? w[j - 1] : axis.periodic() ? w.back() : 0.0;
        const double above = j < w.size() ? w[j] : 0.0;
        numbers.weights.push_back(cells ? w[j] : 0.5 * below + 0.5 * above);
    }
    return numbers;
}

}  // namespace poisson3d::test
