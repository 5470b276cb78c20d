#include "gradient_modes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "axis_kind.hpp"
#include "spectrum.hpp"

namespace poisson3d {

namespace {

/// The partner of a transform of values, and where mode k goes: slot k + shift.
struct Partner {
    Transform back;
    Index shift;
    double sign;
};

Partner partner_of(Transform there) {
    switch (there) {
        case Transform::dst2: return {Transform::dct3, 1, 1.0};
        case Transform::dct2: return {Transform::dst3, -1, -1.0};
        case Transform::dst4: return {Transform::dct4, 0, 1.0};
        case Transform::dct4: return {Transform::dst4, 0, -1.0};
        case Transform::dst1: return {Transform::dct1, 1, 1.0};
        case Transform::dct1: return {Transform::dst1, -1, -1.0};
        case Transform::dst3: return {Transform::dct2, 0, 1.0};
        case Transform::dct3: return {Transform::dst2, 0, -1.0};
        default: return {Transform::inverse_dft, 0, 1.0};
    }
}

}  // namespace

LineDerivative line_derivative(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const Partner partner = partner_of(kind.forward);
    const Index n = axis.points;
    const bool node = axis.centering == Centering::node && !axis.periodic();
    LineDerivative line;
    line.there = kind.forward;
    line.back = partner.back;
    line.first_in = kind.first;
    line.points_in = kind.unknowns;
    // A Neumann node has derivative 0 and is no sample of the sines; all other points are samples.
    line.zero_below = node && axis.lower == Boundary::neumann;
    line.zero_above = node && axis.upper == Boundary::neumann;
    line.first_out = line.zero_below ? 1 : 0;
    line.points_out = n - line.first_out - (line.zero_above ? 1 : 0);
    line.source.assign(line.points_out, 0);
    line.factor.assign(line.points_out, 0.0);
    const std::vector<double> squares = eigenvalues(axis, Discretization::spectral);  // −κ²
    for (Index mode = 0; mode < kind.unknowns; ++mode) {
        const double kappa = std::sqrt(-squares[mode]) / static_cast<double>(kind.round_trip);
        Index slot = mode + partner.shift;
        double sign = partner.sign;
        if (axis.periodic()) {
            if (mode == 0 || 2 * mode == n) continue;
            slot = n - mode;                   // Re to Im and the reverse …
            sign = 2 * mode < n ? 1.0 : -1.0;  // … by i
        }
        if (slot < 0 || slot >= line.points_out) continue;
        line.source[slot] = mode;
        line.factor[slot] = sign * kappa;
    }
    return line;
}

}  // namespace poisson3d
