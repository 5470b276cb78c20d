#include "wave_tables.hpp"

#include <cmath>

#include "axis_kind.hpp"
#include "line_modes.hpp"
#include "roots_of_unity.hpp"
#include "spectrum.hpp"

namespace poisson3d::lines {

namespace {

/// v_k(j) = cos or sin of 2π · wave(k) · at(j) / period, where wave and at are whole numbers.
class Waves {
public:
    explicit Waves(const Axis& axis)
        : cell_(axis.centering == Centering::cell),
          periodic_(axis.periodic()),
          unlike_(unlike(axis)),
          sine_(axis.lower == Boundary::dirichlet),
          first_(axis_kind(axis).first),
          unknowns_(axis_kind(axis).unknowns),
          period_(period(axis)) {
        const RootsOfUnity roots(period_);
        for (Index turn = 0; turn < period_; ++turn) roots_.push_back(roots(turn));
    }

    [[nodiscard]] Index period() const { return period_; }
    /// Mode k in the order of its wave length; periodic: sines after all cosines.
    [[nodiscard]] Index wave(Index k) const {
        if (periodic_) return k < cosines() ? k : k - cosines() + 1;
        return unlike_ ? 2 * k + 1 : sine_ ? k + 1 : k;
    }
    [[nodiscard]] bool is_sine(Index k) const { return periodic_ ? k >= cosines() : sine_; }
    [[nodiscard]] Index at(Index j) const { return periodic_ ? j : cell_ ? 2 * j + 1 : j + first_; }
    [[nodiscard]] long double value(bool sine, Index turn) const {
        const Complex<long double>& root = roots_[static_cast<std::size_t>(turn)];
        return sine ? -root.im : root.re;
    }

private:
    static bool unlike(const Axis& axis) { return !axis.periodic() && axis.lower != axis.upper; }
    static Index period(const Axis& axis) {
        if (axis.periodic()) return axis.points;
        const Index like = axis.centering == Centering::cell ? 4 * axis.points : 2 * (axis.points - 1);
        return unlike(axis) ? 2 * like : like;
    }
    [[nodiscard]] Index cosines() const { return unknowns_ / 2 + 1; }

    bool cell_, periodic_, unlike_, sine_;
    Index first_, unknowns_, period_;
    std::vector<Complex<long double>> roots_;  ///< all of the period
};

/// The values that a mode takes, over |v_k|, rounded once.
class NormedWaves {
public:
    NormedWaves(const Waves& waves, std::vector<double>& values) : waves_(waves), values_(values) {}

    /// Where the table begins.
    Index of(bool sine, long double factor) {
        for (const Table& table : tables_)
            if (table.sine == sine && table.factor == factor) return table.begin;
        const auto begin = static_cast<Index>(values_.size());
        for (Index turn = 0; turn < waves_.period(); ++turn)
            values_.push_back(static_cast<double>(waves_.value(sine, turn) * factor));
        tables_.push_back({sine, factor, begin});
        return begin;
    }

private:
    struct Table {
        bool sine;
        long double factor;
        Index begin;
    };
    const Waves& waves_;
    std::vector<double>& values_;
    std::vector<Table> tables_;
};

}  // namespace

WaveTables make_wave_tables(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const Index n = kind.unknowns;
    const Waves waves(axis);
    WaveTables tables;
    NormedWaves normed(waves, tables.values);
    const std::vector<double> weights = mean_weights(axis);
    tables.weights.assign(weights.begin() + kind.first, weights.begin() + kind.first + n);
    tables.period = waves.period();
    const std::vector<double> of_slot = eigenvalues(axis, Discretization::second_order);
    const bool even_first = has_even_modes(axis);
    const Index even = even_modes(axis);
    long double usual_norm = 0;
    for (Index row = 0; row < n; ++row) {
        const Index odd = row - even;  // its number among odd modes
        const Index k = !even_first || axis.periodic() ? row : odd < 0 ? 2 * row : 2 * odd + 1;
        const Index slot = axis.periodic() && odd >= 0 ? n - 1 - odd : k;
        tables.slots.push_back(slot);
        tables.eigenvalues.push_back(of_slot[static_cast<std::size_t>(slot)]);
        const bool sine = waves.is_sine(k);
        const Index wave = waves.wave(k);
        const Index turn = wave * waves.at(0) % waves.period();
        const Index step = n > 1 ? wave * (waves.at(1) - waves.at(0)) % waves.period() : 0;
        // v² = (1 ± cos)/2, and cosines add up to 0 where they are not all the same.
        const bool usual = 2 * step % waves.period() != 0;
        long double norm = usual ? usual_norm : 0;
        if (norm == 0) {
            for (Index j = 0; j < n; ++j) {
                const long double value = waves.value(sine, (turn + j * step) % waves.period());
                norm += static_cast<long double>(tables.weights[static_cast<std::size_t>(j)]) * value * value;
            }
            norm = std::round(4 * norm) / 4;  // as it is exactly
        }
        if (usual) usual_norm = norm;
        const bool constant = row == 0 && kind.constant_mode;
        const long double there = constant ? 1 / norm : 1 / std::sqrt(norm), back = constant ? 1 : there;
        const Index forward = normed.of(sine, there);
        tables.modes.push_back({forward, normed.of(sine, back), turn, step});
    }
    return tables;
}

}  // namespace poisson3d::lines
