#include "line_modes.hpp"

#include <cmath>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "chain_modes.hpp"
#include "roots_of_unity.hpp"
#include "spectrum.hpp"

namespace poisson3d::lines {

namespace {

bool has_unlike_faces(const Axis& axis) {
    return !axis.periodic() && axis.lower != axis.upper;
}

/// v_k(j) = cos or sin of 2π · (k' · j') / period, where k' and j' are whole numbers that follow from k and j.
class Waves {
public:
    explicit Waves(const Axis& axis)
        : cell_(axis.centering == Centering::cell),
          periodic_(axis.periodic()),
          unlike_(has_unlike_faces(axis)),
          sine_(axis.lower == Boundary::dirichlet),
          first_(axis_kind(axis).first),
          unknowns_(axis_kind(axis).unknowns),
          roots_(static_cast<std::size_t>(period(axis))) {
        const RootsOfUnity roots(period(axis));
        for (std::size_t turn = 0; turn < roots_.size(); ++turn) roots_[turn] = roots(static_cast<Index>(turn));
    }

    /// Mode k in the order of its wave length; periodic: sines after all cosines.
    [[nodiscard]] long double operator()(Index k, Index j) const {
        if (periodic_) {
            const Index cosines = unknowns_ / 2 + 1;
            return k < cosines ? cosine(k * j) : sine((k - cosines + 1) * j);
        }
        const Index at = cell_ ? 2 * j + 1 : j + first_;
        const Index wave = unlike_ ? 2 * k + 1 : sine_ ? k + 1 : k;
        return sine_ ? sine(wave * at) : cosine(wave * at);
    }

private:
    static Index period(const Axis& axis) {
        if (axis.periodic()) return axis.points;
        const Index like = axis.centering == Centering::cell ? 4 * axis.points : 2 * (axis.points - 1);
        return has_unlike_faces(axis) ? 2 * like : like;
    }
    [[nodiscard]] long double cosine(Index turn) const { return root(turn).re; }
    [[nodiscard]] long double sine(Index turn) const { return -root(turn).im; }
    [[nodiscard]] Complex<long double> root(Index turn) const {
        return roots_[static_cast<std::size_t>(turn) % roots_.size()];
    }

    bool cell_, periodic_, unlike_, sine_;
    Index first_, unknowns_;
    std::vector<Complex<long double>> roots_;  ///< all of the period
};

LineModes uniform_modes(const Axis& axis) {
    const Index n = axis_kind(axis).unknowns;
    const Waves waves(axis);
    const std::vector<double> weights = mean_weights(axis);
    const Index first = axis_kind(axis).first;
    const std::vector<double> of_slot = eigenvalues(axis, Discretization::second_order);
    LineModes modes;
    const bool even_first = has_even_modes(axis);
    const Index even = even_modes(axis);
    const auto size = static_cast<std::size_t>(n);
    modes.eigenvalues.resize(size);
    modes.forward.resize(size * size);
    modes.backward.resize(size * size);
    std::vector<long double> v(size);
    for (Index row = 0; row < n; ++row) {
        const Index odd = row - even;  // its number among odd modes
        const Index k = !even_first || axis.periodic() ? row : odd < 0 ? 2 * row : 2 * odd + 1;
        const Index slot = axis.periodic() && odd >= 0 ? n - 1 - odd : k;
        modes.slots.push_back(slot);
        modes.eigenvalues[static_cast<std::size_t>(row)] = of_slot[static_cast<std::size_t>(slot)];
        long double norm = 0;
        const auto weight = [&](Index j) {
            return static_cast<long double>(weights[static_cast<std::size_t>(first + j)]);
        };
        for (Index j = 0; j < n; ++j) {
            const long double value = waves(k, j);
            v[static_cast<std::size_t>(j)] = value;
            norm += weight(j) * value * value;
        }
        const bool constant = row == 0 && axis_kind(axis).constant_mode;
        const long double there = constant ? 1 / norm : 1 / std::sqrt(norm), back = constant ? 1 : there;
        for (Index j = 0; j < n; ++j) {
            const long double value = v[static_cast<std::size_t>(j)];
            modes.forward[static_cast<std::size_t>(row * n + j)] = static_cast<double>(weight(j) * value * there);
            modes.backward[static_cast<std::size_t>(j * n + row)] = static_cast<double>(value * back);
        }
    }
    return modes;
}

}  // namespace

bool has_even_modes(const Axis& axis) {
    return has_fast_transform(axis) && !has_unlike_faces(axis);
}

Index even_modes(const Axis& axis) {
    const Index n = axis_kind(axis).unknowns;
    if (!has_even_modes(axis)) return 0;
    return axis.periodic() ? n / 2 + 1 : (n + 1) / 2;
}

LineModes make_line_modes(const Axis& axis) {
    if (has_fast_transform(axis)) return uniform_modes(axis);
    ChainModes chain = make_chain_modes(make_chain(axis));
    for (double& each : chain.eigenvalues) each = -each;
    return {{}, std::move(chain.eigenvalues), std::move(chain.forward), std::move(chain.backward)};
}

}  // namespace poisson3d::lines
