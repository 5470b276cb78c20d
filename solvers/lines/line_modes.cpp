#include "line_modes.hpp"

#include <cmath>
#include <deque>
#include <utility>

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

/// v_k(j) = cos or sin of 2π · wave(k) · at(j) / period, where wave and at are whole numbers.
class Waves {
public:
    explicit Waves(const Axis& axis)
        : cell_(axis.centering == Centering::cell),
          periodic_(axis.periodic()),
          unlike_(has_unlike_faces(axis)),
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
    static Index period(const Axis& axis) {
        if (axis.periodic()) return axis.points;
        const Index like = axis.centering == Centering::cell ? 4 * axis.points : 2 * (axis.points - 1);
        return has_unlike_faces(axis) ? 2 * like : like;
    }
    [[nodiscard]] Index cosines() const { return unknowns_ / 2 + 1; }

    bool cell_, periodic_, unlike_, sine_;
    Index first_, unknowns_, period_;
    std::vector<Complex<long double>> roots_;  ///< all of the period
};

/// The values that a mode takes, over |v_k|, rounded once. Few modes have another norm than the one before, and
/// the others only their order among these numbers.
class NormedWaves {
public:
    explicit NormedWaves(const Waves& waves) : waves_(waves) {}

    /// By turn.
    const std::vector<double>& of(bool sine, long double factor) {
        for (const Table& table : tables_)
            if (table.sine == sine && table.factor == factor) return table.values;
        Table table{sine, factor, {}};
        for (Index turn = 0; turn < waves_.period(); ++turn)
            table.values.push_back(static_cast<double>(waves_.value(sine, turn) * factor));
        return tables_.emplace_back(std::move(table)).values;
    }

private:
    struct Table {
        bool sine;
        long double factor;
        std::vector<double> values;
    };
    const Waves& waves_;
    std::deque<Table> tables_;
};

LineModes uniform_modes(const Axis& axis) {
    const Index n = axis_kind(axis).unknowns;
    const Waves waves(axis);
    NormedWaves normed(waves);
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
    const auto weight = [&](Index j) { return weights[static_cast<std::size_t>(first + j)]; };  // 1 or ½
    struct Row {
        const std::vector<double>*there, *back;
        Index turn, step;
    };
    const auto for_each_turn = [&](Index turn, Index step, const auto& body) {
        for (Index j = 0; j < n; ++j) {
            body(j, static_cast<std::size_t>(turn));
            turn += step;
            turn -= turn < waves.period() ? 0 : waves.period();
        }
    };
    constexpr Index together = 8;  // columns of the way back: a cache line
    std::vector<Row> rows;
    long double usual_norm = 0;
    for (Index row = 0; row < n; ++row) {
        const Index odd = row - even;  // its number among odd modes
        const Index k = !even_first || axis.periodic() ? row : odd < 0 ? 2 * row : 2 * odd + 1;
        const Index slot = axis.periodic() && odd >= 0 ? n - 1 - odd : k;
        modes.slots.push_back(slot);
        modes.eigenvalues[static_cast<std::size_t>(row)] = of_slot[static_cast<std::size_t>(slot)];
        const bool sine = waves.is_sine(k);
        const Index wave = waves.wave(k);
        const Index turn = wave * waves.at(0) % waves.period();
        const Index step = n > 1 ? wave * (waves.at(1) - waves.at(0)) % waves.period() : 0;
        // v² = (1 ± cos)/2, and cosines add up to 0 where they are not all the same.
        const bool usual = 2 * step % waves.period() != 0;
        long double norm = usual ? usual_norm : 0;
        if (norm == 0) {
            for_each_turn(turn, step, [&](Index j, std::size_t at) {
                const long double value = waves.value(sine, static_cast<Index>(at));
                norm += static_cast<long double>(weight(j)) * value * value;
            });
            norm = std::round(4 * norm) / 4;  // as it is exactly
        }
        if (usual) usual_norm = norm;
        const bool constant = row == 0 && axis_kind(axis).constant_mode;
        const long double there = constant ? 1 / norm : 1 / std::sqrt(norm), back = constant ? 1 : there;
        rows.push_back({&normed.of(sine, there), &normed.of(sine, back), turn, step});
        double* const forward = modes.forward.data() + row * n;
        for_each_turn(turn, step,
                      [&](Index j, std::size_t at) { forward[j] = weight(j) * (*rows.back().there)[at]; });
        if (static_cast<Index>(rows.size()) < together && row + 1 < n) continue;
        const Index begin = row + 1 - static_cast<Index>(rows.size());
        for (Index j = 0; j < n; ++j)
            for (std::size_t i = 0; i < rows.size(); ++i) {
                Row& each = rows[i];
                modes.backward[static_cast<std::size_t>(j * n + begin) + i] =
                    (*each.back)[static_cast<std::size_t>(each.turn)];
                each.turn += each.step;
                each.turn -= each.turn < waves.period() ? 0 : waves.period();
            }
        rows.clear();
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
