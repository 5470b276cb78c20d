#include "formulas.hpp"

#include <cstddef>
#include <numbers>

#include "poisson3d/error.hpp"

namespace poisson3d {

namespace {

using Modes = std::array<int, 3>;
using Phases = std::array<double, 3>;

// Unequal numbers and phases per axis, so that swapped axes and shifted points show.
constexpr Phases phases{0.4, 1.1, 2.3};

Term waves_term(double amplitude, const Modes& modes, const Phases& shifts) {
    return {amplitude, {wave(modes[0], shifts[0]), wave(modes[1], shifts[1]), wave(modes[2], shifts[2])}};
}

// The product of the axes' own eigenfunctions, whatever their faces are.
Term eigen_term(double amplitude, const Grid& grid, const Modes& modes) {
    Term term{amplitude, {}};
    for (std::size_t a = 0; a < 3; ++a)
        term.factors[a] = eigenfunction(grid.axes[a].lower, grid.axes[a].upper, modes[a], phases[a]);
    return term;
}

std::vector<Term> waves() {
    return {waves_term(1.0, {1, 2, 3}, phases), waves_term(0.5, {2, 1, 1}, {1.9, 0.2, 0.7}),
            waves_term(0.3, {0, 3, 1}, {0.0, 2.9, 1.3}), waves_term(0.2, {1, 0, 0}, {0.6, 0.0, 0.0})};
}

// A mean profile, a wavy wall's imprint that decays into the core, and its first harmonic.
std::vector<Term> channel() {
    return {{0.5, {constant(), wall_layer(6.0), constant()}},
            {1.0, {wave(1, 0.4), wall_layer(4.0), constant()}},
            {0.4, {wave(2, 1.1), core(3.0), wave(1, 2.3)}}};
}

// Velocity u = sin X cos Y cos Z, v = −(kx/ky) cos X sin Y cos Z, w = 0 with X = kx x, kx = 2π/Lx and so on: the
// vortex of Taylor and Green (1937) with C = 0, on any box. The pressure obeys
//   ∇²p = −∂i uj ∂j ui = −½ kx² (cos 2X + cos 2Y)(1 + cos 2Z),
// so each of its four modes is divided by its own wave number; on a cube of side 2π
//   p = (cos 2X + cos 2Y)(cos 2Z + 2)/16.
std::vector<Term> taylor_green(const Grid& grid) {
    std::array<double, 3> k{};
    for (std::size_t a = 0; a < 3; ++a) k[a] = 2.0 * std::numbers::pi / grid.axes[a].length();
    const double source = 0.5 * k[0] * k[0];
    const auto term = [&](const Modes& modes) {
        double square = 0.0;
        for (std::size_t a = 0; a < 3; ++a) square += modes[a] * k[a] * modes[a] * k[a];
        return waves_term(source / square, modes, {0.0, 0.0, 0.0});
    };
    return {term({2, 0, 0}), term({0, 2, 0}), term({2, 0, 2}), term({0, 2, 2})};
}

void require_boundaries(const std::string& field, const Grid& grid, const std::array<Boundary, 3>& wanted) {
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        if (axis.lower == wanted[a] && axis.upper == wanted[a]) continue;
        std::string text = "the known field " + field + " needs the boundary ";
        for (std::size_t b = 0; b < 3; ++b)
            text.append(b == 0 ? "" : ",").append(1, grid.labels[b]).append("=").append(name(wanted[b]));
        text.append(", found on axis ").append(1, grid.labels[a]).append(" ").append(name(axis.lower));
        text.append(":").append(name(axis.upper)).append("; mixed and random take any boundary");
        throw Error(ErrorCode::usage, text);
    }
}

}  // namespace

std::vector<Term> known_terms(const std::string& name, const Grid& grid) {
    constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann;
    if (name == "sine" || name == "polynomial") require_boundaries(name, grid, {D, D, D});
    if (name == "cosine") require_boundaries(name, grid, {N, N, N});
    if (name == "waves" || name == "taylor-green") require_boundaries(name, grid, {P, P, P});
    if (name == "channel") require_boundaries(name, grid, {P, N, P});

    if (name == "sine" || name == "cosine") return {eigen_term(1.0, grid, {1, 2, 3})};
    if (name == "mixed") return {eigen_term(1.0, grid, {1, 2, 3}), eigen_term(0.5, grid, {2, 1, 1})};
    if (name == "waves") return waves();
    if (name == "channel") return channel();
    if (name == "taylor-green") return taylor_green(grid);
    if (name == "polynomial") return {{1.0, {bump(1.0), bump(2.0), bump(3.0)}}};
    return {};
}

}  // namespace poisson3d
