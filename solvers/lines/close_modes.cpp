#include "close_modes.hpp"

#include <algorithm>
#include <cmath>

namespace poisson3d::lines {

namespace {

constexpr double below_in_widths = 2.0;  ///< for each eigenvalue: then they are nearly as far from μ, all of them

/// Σ D v² becomes 1.
void normalise(const LadderView& chain, DoubleDouble* v, DoubleDouble square) {
    const double root = 1.0 / std::sqrt(square.high);
    const DoubleDouble rest = DoubleDouble(1.0) - square * DoubleDouble::product_of(root, root);
    const DoubleDouble scale = DoubleDouble(root) + rest * (0.5 * root);
    for (int j = 0; j < chain.nodes; ++j) v[j] = v[j] * scale;
}

}  // namespace

std::vector<DoubleDouble> close_modes(const LadderView& chain, DoubleDouble low, double width, int count) {
    const auto n = static_cast<std::size_t>(chain.nodes);
    std::vector<DoubleDouble> work(4 * n), vectors(n * static_cast<std::size_t>(count));
    const LadderScratch<DoubleDouble> scratch{work.data(), work.data() + n, work.data() + 2 * n,
                                              work.data() + 3 * n};
    const double offset = below_in_widths * count * width;
    both_ladders(chain, low - offset, scratch);
    std::vector<double> left(n);  // of e_j in the space, squared
    for (std::size_t j = 0; j < n; ++j)
        left[j] = offset * chain.volumes[j] / static_cast<double>(scratch.before[j] + scratch.behind[j]);
    for (int i = 0; i < count; ++i) {
        DoubleDouble* const v = vectors.data() + static_cast<std::size_t>(i) * n;
        const auto node = std::ranges::max_element(left) - left.begin();
        normalise(chain, v, twisted_mode(chain, scratch, static_cast<double>(node), v));
        for (std::size_t j = 0; j < n; ++j) left[j] -= chain.volumes[j] * (v[j].high * v[j].high);
    }
    return vectors;
}

}  // namespace poisson3d::lines
