#include "line_modes.hpp"

#include <algorithm>
#include <utility>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "chain_modes.hpp"
#include "wave_tables.hpp"

namespace poisson3d::lines {

namespace {

/// The values of a mode from one unknown to the next.
struct Walk {
    const double* values;
    Index turn, step, period;

    double next() {
        const double value = values[turn];
        turn += step;
        turn -= turn < period ? 0 : period;
        return value;
    }
};

LineModes uniform_modes(const Axis& axis) {
    WaveTables tables = make_wave_tables(axis);
    const Index n = axis_kind(axis).unknowns;
    const auto size = static_cast<std::size_t>(n);
    LineModes modes{std::move(tables.slots), std::move(tables.eigenvalues), std::vector<double>(size * size),
                    std::vector<double>(size * size)};
    const auto walk = [&](Index k, Index table) {
        const ModeWave& mode = tables.modes[static_cast<std::size_t>(k)];
        return Walk{tables.values.data() + table, mode.turn, mode.step, tables.period};
    };
    double* forward = modes.forward.data();
    for (Index k = 0; k < n; ++k) {
        Walk there = walk(k, tables.modes[static_cast<std::size_t>(k)].forward);
        for (const double weight : tables.weights) *forward++ = weight * there.next();
    }
    constexpr Index together = 8;  // columns of the way back: a cache line
    std::vector<Walk> back;
    for (Index begin = 0; begin < n; begin += together) {
        back.clear();
        for (Index k = begin; k < std::min(begin + together, n); ++k)
            back.push_back(walk(k, tables.modes[static_cast<std::size_t>(k)].backward));
        for (Index j = 0; j < n; ++j) {
            double* row = modes.backward.data() + j * n + begin;
            for (Walk& each : back) *row++ = each.next();
        }
    }
    return modes;
}

}  // namespace

bool has_even_modes(const Axis& axis) {
    return has_fast_transform(axis) && (axis.periodic() || axis.lower == axis.upper);
}

Index even_modes(const Axis& axis) {
    const Index n = axis_kind(axis).unknowns;
    if (!has_even_modes(axis)) return 0;
    return axis.periodic() ? n / 2 + 1 : (n + 1) / 2;
}

LineModes make_line_modes(const Axis& axis, ThreadTeam* team) {
    if (has_fast_transform(axis)) return uniform_modes(axis);
    ChainModes chain = make_chain_modes(make_chain(axis), team);
    for (double& each : chain.eigenvalues) each = -each;
    return {{}, std::move(chain.eigenvalues), std::move(chain.forward), std::move(chain.backward)};
}

}  // namespace poisson3d::lines
