// Planning mixed precision: what its sweeps are told, what float is given, how many steps there are.
#include "refinement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "axis_kind.hpp"
#include "poisson3d/residual.hpp"
#include "spectrum.hpp"
#include "stencil.hpp"

namespace poisson3d {

namespace {

/// No Dirichlet face.
bool closed(const Grid& grid) {
    return std::ranges::all_of(grid.axes, [](const Axis& axis) { return axis_kind(axis).constant_mode; });
}

}  // namespace

Refinement make_refinement(const Problem& problem, const UnevenStepArrays& steps) {
    Refinement r;
    r.op = make_seven_point(problem, steps);
    r.terms = make_boundary_terms<double>(problem.grid);
    r.points = problem.grid.points();
    r.closed = closed(problem.grid);
    r.singular = singular(problem);
    r.centred = r.closed && !(r.singular && problem.gauge.point);
    r.exponent = std::clamp(std::ilogb(operator_norm(problem)) / 2, -60, 60);
    if (!r.closed) return r;  // the mean is needed where the constant is a mode
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        const std::vector<double> weights = mean_weights(axis);
        r.total *= std::accumulate(weights.begin(), weights.end(), 0.0);
        r.weight[a][0] = weights.front();
        r.weight[a][1] = weights.back();
    }
    return r;
}

Problem problem_in_single(const Problem& problem) {
    Problem single = problem;
    single.helmholtz = 0.0;
    single.gauge = {};
    const bool nothing = closed(problem.grid) && problem.helmholtz != 0.0 &&
                         std::abs(problem.helmholtz) <= std::ldexp(smallest_eigenvalue(single), -22);
    return nothing ? single : problem;
}

int refinements_needed(const Problem& problem, bool on_device) {
    constexpr double q = 0x1p-22;
    constexpr double wanted = 0x1p-51;
    double unknowns = 1.0;
    for (const Axis& axis : problem.grid.axes) unknowns *= static_cast<double>(axis_kind(axis).unknowns);
    const double least_eigenvalue = smallest_eigenvalue(problem);
    const double rho =
        (on_device ? 0x1p-19 : 0x1p-22) * operator_norm(problem) / (least_eigenvalue * std::sqrt(unknowns));
    const double g = problem.helmholtz < 0.0 ? 1.0 - 2.0 * problem.helmholtz / least_eigenvalue : 1.0;
    double noise = q;
    double least = g * q;
    int steps = 0;
    for (; steps <= max_refinements && !(noise <= wanted && least <= g * wanted); ++steps) {
        const double before = noise;
        noise = q * (noise + least);
        least = rho * before + g * q * least;
    }
    return steps;
}

}  // namespace poisson3d
