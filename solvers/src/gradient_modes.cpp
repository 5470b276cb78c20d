#include "gradient_modes.hpp"

#include <cmath>

#include "spectrum.hpp"

namespace poisson3d {

std::vector<std::pair<Index, double>> derivative_modes(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const std::vector<double> squares = eigenvalues(axis, Discretization::spectral);  // −κ²
    std::vector<std::pair<Index, double>> modes;
    for (Index q = 0; q < axis_kind(derivative_axis(axis)).unknowns; ++q) {
        const DerivedMode from = derived_mode(kind.forward, kind.unknowns, q);
        const double kappa = std::sqrt(-squares[from.mode]);
        modes.emplace_back(from.mode, from.sign * kappa / static_cast<double>(kind.round_trip));
    }
    return modes;
}

}  // namespace poisson3d
