// The lowest modes of an axis as functions of its points:
//
//     periodic cos(2πm (j + ½)/n + 1) · D–D sin(π(m+1) x) · N–N cos(πm x) · D–N sin(π(m+½) x) · N–D cos(π(m+½) x)
//
// with x = (j + ½)/n of cells, j/(n − 1) of nodes. (The phase of a periodic mode is open.)
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "axis_kind.hpp"

namespace poisson3d {

struct LowMode {
    std::vector<double> values;    ///< by stored point
    std::vector<double> weighted;  ///< times the weights of means: what a field is multiplied with to get its share
    double square;                 ///< its eigenvalue of −d²/dx², second-order
};

/// The first `most` modes of an axis with fast transform, or as many as it has.
inline std::vector<LowMode> low_modes(const Axis& axis, Index most) {
    constexpr double pi = std::numbers::pi;
    const bool cells = axis.centering == Centering::cell;
    const bool below = axis.lower == Boundary::dirichlet;
    const bool above = axis.upper == Boundary::dirichlet;
    const double period = static_cast<double>(cells || axis.periodic() ? axis.points : axis.points - 1);
    const std::vector<double> weights = mean_weights(axis);
    std::vector<LowMode> modes;
    for (Index m = 0; m < std::min(most, axis_kind(axis).unknowns); ++m) {
        const double shift = below && above ? 1.0 : below != above ? 0.5 : 0.0;
        const double angle = pi / period * (static_cast<double>(m) + shift) * (axis.periodic() ? 2.0 : 1.0);
        const double phase = axis.periodic() && m > 0 ? 1.0 : 0.0;
        LowMode mode;
        for (Index j = 0; j < axis.points; ++j) {
            const double place = angle * (static_cast<double>(j) + (cells ? 0.5 : 0.0)) + phase;
            mode.values.push_back(below ? std::sin(place) : std::cos(place));
            mode.weighted.push_back(weights[static_cast<std::size_t>(j)] * mode.values.back());
        }
        const double root = 2.0 * std::sin(0.5 * angle) / axis.step();
        mode.square = root * root;
        modes.push_back(std::move(mode));
    }
    return modes;
}

}  // namespace poisson3d
