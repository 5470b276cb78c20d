// The rules of the ten kinds of axis, written down for the tests once more from the mathematics, in long double:
// unknowns, weights of the mean, eigenfunctions, eigenvalues, the matrix of d²/dx². Nothing of this is shared with
// the solver, so an error made there is not made here.
#pragma once

#include <numbers>
#include <vector>

#include "matrix.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::test {

/// Which stored points of an axis are unknowns: all but the Dirichlet nodes.
struct Unknowns {
    Index first, count;
    [[nodiscard]] bool contain(Index j) const { return j >= first && j < first + count; }
};

inline Unknowns unknowns(const Axis& axis) {
    const bool node = axis.centering == Centering::node;
    const Index below = node && axis.lower == Boundary::dirichlet ? 1 : 0;
    const Index above = node && axis.upper == Boundary::dirichlet ? 1 : 0;
    return {below, axis.points - below - above};
}

/// From face to face of cells, from node to node (periodic: also from the last to the first).
inline std::vector<Real> plain_steps(const Axis& axis) {
    const bool open = axis.centering == Centering::node && !axis.periodic();
    std::vector<Real> steps(open ? axis.points - 1 : axis.points, static_cast<Real>(axis.spacing));
    for (std::size_t j = 0; j < steps.size(); ++j) {
        if (!axis.widths.empty()) steps[j] = axis.widths[j];
        if (!axis.positions.empty())
            steps[j] = axis.positions[j + 1] - axis.positions[j];  // a double's, by contract
    }
    return steps;
}

/// The step of an axis whose steps are the same.
inline Real plain_step(const Axis& axis) {
    const std::vector<Real> steps = plain_steps(axis);
    Real sum = 0;
    for (const Real step : steps) sum += step;
    return sum / static_cast<Real>(steps.size());
}

/// What a stored point stands for, half a step or cell on each of its sides, in units of the spacing where that is
/// the same everywhere; 0 at Dirichlet nodes.
inline Real control_volume(const Axis& axis, Index j) {
    if (!unknowns(axis).contain(j)) return 0;
    if (!axis.custom.weights.empty()) return axis.custom.weights[j];
    const std::vector<Real> steps = plain_steps(axis);
    const auto n = static_cast<Index>(steps.size());
    if (axis.centering == Centering::cell) return steps[j];
    const auto half = [&](Index side) {
        if (axis.periodic()) return steps[(side + n) % n] / 2;
        return side < 0 || side >= n ? Real(0) : steps[side] / 2;
    };
    return half(j - 1) + half(j);
}

/// The weight of stored point j in the mean along its axis: ½ at Neumann nodes, 0 at Dirichlet nodes.
inline Real mean_weight(const Axis& axis, Index j) {
    if (!has_fast_transform(axis)) return control_volume(axis, j);
    if (!unknowns(axis).contain(j)) return 0;
    const bool end =
        (j == 0 && axis.lower == Boundary::neumann) || (j == axis.points - 1 && axis.upper == Boundary::neumann);
    return axis.centering == Centering::node && end ? 0.5L : 1.0L;
}

/// d²/dx² on an axis of any spacing and with any walls: the difference of the fluxes on both sides of an unknown
/// over its control volume. The value at the wall of a cell follows from α u_w + β (u_w − u)/ρ = 0, ρ half the
/// cell; a node with β > 0 is a wall itself, with the flux −α/β u outwards. Coefficients of an axis are inverse
/// distances.
inline Matrix flux_matrix(const Axis& axis) {
    const auto [first, count] = unknowns(axis);
    const std::vector<Real> steps = plain_steps(axis);
    const auto n = static_cast<Index>(steps.size());
    const bool cells = axis.centering == Centering::cell;
    Matrix matrix(count);
    for (Index r = 0; r < count; ++r) {
        const Index j = first + r;
        const Real volume = control_volume(axis, j);
        for (const Index side : {-1, 1}) {
            // The distance to the next point on that side.
            const Index step = side < 0 ? j - 1 : j;
            const auto next = static_cast<std::size_t>((j + side + axis.points) % axis.points);
            const std::vector<double>& g = axis.custom.conductances;
            Real distance = cells ? (steps[j] + steps[next]) / 2 : steps[(step + n) % n];
            if (!g.empty()) distance = 1 / static_cast<Real>(cells ? g[step + 1] : g[(step + n) % n]);
            const bool last = side < 0 ? r == 0 : r == count - 1;
            if (!last || axis.periodic()) {
                const Index c = (r + side + count) % count;
                matrix[r][c] += 1 / (distance * volume);
                matrix[r][r] -= 1 / (distance * volume);
                continue;
            }
            const Boundary wall = side < 0 ? axis.lower : axis.upper;
            const Robin robin = axis.robin[side < 0 ? 0 : 1];
            const Real alpha = wall == Boundary::dirichlet ? 1 : wall == Boundary::neumann ? 0 : robin.alpha;
            const Real beta = wall == Boundary::dirichlet ? 0 : wall == Boundary::neumann ? 1 : robin.beta;
            if (cells) {
                if (wall == Boundary::neumann) continue;  // whatever the distance is
                const Real rho = g.empty() ? steps[j] / 2 : distance;
                const Real at_wall = beta / rho / (alpha + beta / rho);  // times u
                matrix[r][r] += (at_wall - 1) / (rho * volume);
            } else if (wall == Boundary::dirichlet) {
                matrix[r][r] -= 1 / (distance * volume);
            } else {
                matrix[r][r] -= alpha / beta / volume;
            }
        }
    }
    return matrix;
}

/// d²/dx² by the 3-point stencil, from the ghost values.
inline Matrix stencil_matrix(const Axis& axis) {
    if (!has_fast_transform(axis)) return flux_matrix(axis);
    const auto [first, count] = unknowns(axis);
    Matrix matrix(count);
    const Real step = plain_step(axis), weight = 1 / (step * step);
    for (Index r = 0; r < count; ++r) {
        matrix[r][r] -= 2 * weight;
        for (const Index side : {-1, 1}) {
            const Index c = r + side;
            if (c >= 0 && c < count) {
                matrix[r][c] += weight;
                continue;
            }
            switch (side < 0 ? axis.lower : axis.upper) {
                case Boundary::periodic: matrix[r][(c + count) % count] += weight; break;
                case Boundary::dirichlet:  // the face value is 0: between −u and u, or the node itself
                    if (axis.centering == Centering::cell) matrix[r][r] -= weight;
                    break;
                case Boundary::neumann: {  // mirrored at the face: the cell itself, or the node inside
                    const Index mirror = axis.centering == Centering::cell ? r : r - side;
                    if (mirror >= 0 && mirror < count) matrix[r][mirror] += weight;  // else a Dirichlet node, 0
                    break;
                }
                case Boundary::robin:
                case Boundary::free: break;  // of flux_matrix
            }
        }
    }
    return matrix;
}

/// θ of mode k: the phase of its eigenfunction between neighbouring points.
inline Real mode_angle(const Axis& axis, Index k) {
    const Real pi = std::numbers::pi_v<Real>;
    const Index n = axis.points;
    if (axis.periodic()) return 2 * pi * static_cast<Real>(2 * k <= n ? k : n - k) / n;
    const Real steps = static_cast<Real>(axis.centering == Centering::cell ? n : n - 1);
    if (axis.lower != axis.upper) return pi * (static_cast<Real>(k) + 0.5L) / steps;
    return pi * static_cast<Real>(axis.lower == Boundary::dirichlet ? k + 1 : k) / steps;
}

/// Eigenfunction k at stored point j: a sine or cosine that meets the boundary conditions.
inline Real mode_value(const Axis& axis, Index k, Index j) {
    const Real theta = mode_angle(axis, k);
    if (axis.periodic()) return 2 * k <= axis.points ? std::cos(theta * j) : std::sin(theta * j);
    const Real x = static_cast<Real>(j) + (axis.centering == Centering::cell ? 0.5L : 0.0L);
    return axis.lower == Boundary::dirichlet ? std::sin(theta * x) : std::cos(theta * x);
}

/// Its derivative along the axis.
inline Real mode_slope(const Axis& axis, Index k, Index j) {
    const Real theta = mode_angle(axis, k);
    const Real kappa = theta / plain_step(axis);
    const Real x = static_cast<Real>(j) + (axis.centering == Centering::cell ? 0.5L : 0.0L);
    if (axis.periodic()) {
        if (2 * k == axis.points) return 0;  // its cosine has maxima and minima at the points
        return 2 * k < axis.points ? -kappa * std::sin(theta * j) : kappa * std::cos(theta * j);
    }
    return axis.lower == Boundary::dirichlet ? kappa * std::cos(theta * x) : -kappa * std::sin(theta * x);
}

/// Eigenvalue k of d²/dx².
inline Real mode_eigenvalue(const Axis& axis, Discretization discretization, Index k) {
    const Real theta = mode_angle(axis, k);
    const Real root =
        (discretization == Discretization::spectral ? theta : 2 * std::sin(theta / 2)) / plain_step(axis);
    return -root * root;
}

/// The eigenfunctions as columns, at the unknowns.
inline Matrix mode_matrix(const Axis& axis) {
    const auto [first, count] = unknowns(axis);
    Matrix modes(count);
    for (Index j = 0; j < count; ++j)
        for (Index k = 0; k < count; ++k) modes[j][k] = mode_value(axis, k, first + j);
    return modes;
}

/// d²/dx² = B Λ B⁻¹.
inline Matrix spectral_matrix(const Axis& axis) {
    const Matrix modes = mode_matrix(axis);
    const Matrix back = inverse(modes);
    const Index n = modes.size();
    Matrix result(n);
    for (Index k = 0; k < n; ++k) {
        const Real eigenvalue = mode_eigenvalue(axis, Discretization::spectral, k);
        for (Index r = 0; r < n; ++r)
            for (Index c = 0; c < n; ++c) result[r][c] += modes[r][k] * eigenvalue * back[k][c];
    }
    return result;
}

inline Matrix axis_matrix(const Axis& axis, Discretization discretization) {
    return discretization == Discretization::spectral ? spectral_matrix(axis) : stencil_matrix(axis);
}

}  // namespace poisson3d::test
