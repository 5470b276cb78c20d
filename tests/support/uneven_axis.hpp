// Axes of any spacing and with any walls, for tests: grids that stretch, grids without pattern, all pairs of walls.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "poisson3d/grid.hpp"
#include "random_values.hpp"

namespace poisson3d::test {

enum class Spread { even, tanh, chebyshev, random, alternating };
inline constexpr std::array spreads{Spread::even, Spread::tanh, Spread::chebyshev, Spread::random,
                                    Spread::alternating};

/// The ends of `steps` steps of the interval [0, length], `seed` for those at random.
inline std::vector<double> spread_positions(Spread spread, Index steps, double length, std::uint64_t seed = 0) {
    std::vector<double> x(static_cast<std::size_t>(steps) + 1);
    const auto n = static_cast<double>(steps);
    for (Index j = 1; j <= steps; ++j) {
        const double t = static_cast<double>(j) / n;
        switch (spread) {
            case Spread::even: x[j] = t; break;
            case Spread::tanh: x[j] = 0.5 + 0.5 * std::tanh(3.0 * (2.0 * t - 1.0)) / std::tanh(3.0); break;
            case Spread::chebyshev: x[j] = 0.5 - 0.5 * std::cos(3.14159265358979323846 * t); break;
            case Spread::random: x[j] = x[j - 1] + 1.0 + 0.6 * uniform(j, seed); break;
            case Spread::alternating: x[j] = x[j - 1] + (j % 2 == 0 ? 1.0 : 3.0); break;
        }
    }
    const double scale = length / x.back();
    for (double& each : x) each *= scale;
    return x;
}

struct Walls {
    Boundary lower, upper;
    std::string name;
};

/// All pairs, without those of one periodic side.
inline std::vector<Walls> all_walls() {
    std::vector<Walls> pairs{{Boundary::periodic, Boundary::periodic, "PP"}};
    const std::string letters = "DNR";
    const std::array faces{Boundary::dirichlet, Boundary::neumann, Boundary::robin};
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            pairs.push_back({faces[a], faces[b], std::string{letters[a], letters[b]}});
    return pairs;
}

/// From 0 to `length`, with α and β of Robin faces that differ.
inline Axis uneven_axis(Centering centering, const Walls& walls, Spread spread, Index points, double length = 1.0,
                        std::uint64_t seed = 0) {
    Axis axis{points, 1.0, 0.0, centering, walls.lower, walls.upper};
    axis.robin = {Robin{0.7, 0.4}, Robin{1.3, 0.6}};
    axis.positions = spread_positions(spread, step_count(axis), length, seed);
    return axis;
}

/// γ of a face where u and its derivative are known.
inline double data_of_wall(const Axis& axis, int side, double u, double slope) {
    const double outward = side == 0 ? -slope : slope;
    switch (side == 0 ? axis.lower : axis.upper) {
        case Boundary::dirichlet: return u;
        case Boundary::neumann: return outward;
        case Boundary::robin: return axis.robin[side].alpha * u + axis.robin[side].beta * outward;
        case Boundary::periodic:
        case Boundary::free: break;
    }
    return 0.0;
}

}  // namespace poisson3d::test
