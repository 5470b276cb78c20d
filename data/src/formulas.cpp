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

// Pressure in a box driven by its lid, y = 1, with a speed that falls to 0 at the edges. On the unit cube, at
// Reynolds number 10, the velocity
//     u = 8 f(x) g'(y) s(z),   v = −8 f'(x) g(y) s(z),   w = 0,
//     f = x²(1 − x)²,   g = y⁴ − y²,   s = sin πz + ½ sin 2πz,
// is free of divergence and 0 on all walls but the lid. f and g are those of Shih, Tan and Hwang, Int. J. Numer.
// Methods Fluids 9 (1989) 193; s makes a third dimension of it. The x component of the steady Navier–Stokes
// equations without a body force is then ∂p/∂x = (8/Re)(f'' g' s + f g''' s + f g' s'') − 64 f f' (g'² − g g'') s²,
// so with the antiderivatives that have mean 0
//     p = (8/Re)(f' g' s + F g''' s + F g' s'') + 32 (f² − 1/630) (g g'' − g'²) s² + ½ (y⁴ − ⅕)(1 + z),   F' = f.
// The y and z components want a body force, which may hold any function of y and z: the last term, without which p
// would be 0 on three walls. ∂p/∂n is not 0 on any. Other boxes get p(x/Lx, y/Ly, z/Lz).
std::vector<Term> cavity() {
    constexpr double viscous = 8.0 / 10.0, square = std::numbers::pi * std::numbers::pi;
    const AxisFunction slope = polynomial({0.0, 2.0, -6.0, 4.0});                             // f'
    const AxisFunction area = polynomial({-1.0 / 60.0, 0.0, 0.0, 1.0 / 3.0, -0.5, 0.2});      // F
    const AxisFunction inertia = polynomial({-1.0 / 630.0, 0.0, 0.0, 0.0, 1, -4, 6, -4, 1});  // f² − 1/630
    const AxisFunction profile = polynomial({0.0, -2.0, 0.0, 4.0});                           // g'
    const AxisFunction bend = polynomial({0.0, 24.0});                                        // g'''
    const AxisFunction suction = polynomial({0.0, 0.0, -2.0, 0.0, 2.0, 0.0, -4.0});           // g g'' − g'²
    const AxisFunction span = sine_series({1.0, 0.5}), span_bend = sine_series({-square, -2.0 * square});
    const AxisFunction span_square = cosine_series({0.625, 0.5, -0.5, -0.5, -0.125});
    return {{viscous, {slope, profile, span}},
            {viscous, {area, bend, span}},
            {viscous, {area, profile, span_bend}},
            {32.0, {inertia, suction, span_square}},
            {0.5, {constant(), polynomial({-0.2, 0.0, 0.0, 0.0, 1.0}), polynomial({1.0, 1.0})}}};
}

// Powers of the position between the faces. What varies along a periodic axis is left out, so that every mix of
// boundaries fits. The value lies between 1 and 5: no digits cancel where faces meet.
std::vector<Term> powers(const Grid& grid, bool quadratic) {
    const std::array<AxisFunction, 3> power{constant(), polynomial({0.0, 1.0}), polynomial({0.0, 0.0, 1.0})};
    std::vector<Term> terms;
    const auto add = [&](double amplitude, const std::array<std::size_t, 3>& exponents) {
        Term term{amplitude, {}};
        for (std::size_t a = 0; a < 3; ++a) {
            if (exponents[a] > 0 && grid.axes[a].periodic()) return;
            term.factors[a] = power[exponents[a]];
        }
        terms.push_back(term);
    };
    add(2.0, {0, 0, 0});
    add(1.0, {1, 0, 0});
    add(-0.75, {0, 1, 0});
    add(0.5, {0, 0, 1});
    if (!quadratic) return terms;
    add(0.25, {2, 0, 0});
    add(0.375, {0, 2, 0});
    add(-0.5, {0, 0, 2});
    add(0.625, {1, 1, 0});
    add(-0.25, {0, 1, 1});
    add(0.75, {1, 0, 1});
    return terms;
}

void require_boundaries(const std::string& field, const Grid& grid, const std::array<Boundary, 3>& wanted) {
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        if (axis.lower == wanted[a] && axis.upper == wanted[a]) continue;
        std::string text = "the known field " + field + " needs the boundary ";
        for (std::size_t b = 0; b < 3; ++b)
            text.append(b == 0 ? "" : ",").append(1, grid.labels[b]).append("=").append(name(wanted[b]));
        text.append(", found on axis ").append(1, grid.labels[a]).append(" ").append(name(axis.lower));
        text.append(":")
            .append(name(axis.upper))
            .append("; linear, mixed, quadratic and random take any boundary, gaussians all but robin");
        throw Error(ErrorCode::usage, text);
    }
}

void refuse_robin(const std::string& field, const Grid& grid) {
    for (std::size_t a = 0; a < 3; ++a)
        if (grid.axes[a].lower == Boundary::robin || grid.axes[a].upper == Boundary::robin)
            throw Error(ErrorCode::usage, "the known field " + field +
                                              " is made of eigenfunctions, and has none between Robin faces as on "
                                              "axis " +
                                              grid.labels[a] + "; linear, quadratic and random take them");
}

void refuse_free(const std::string& field, const Grid& grid) {
    for (std::size_t a = 0; a < 3; ++a)
        if (grid.axes[a].unbounded())
            throw Error(ErrorCode::usage, "the known field " + field +
                                              " is a formula between walls, and there is a free face on axis " +
                                              grid.labels[a] + "; gaussians, ring and random take them");
}

}  // namespace

std::vector<Term> known_terms(const std::string& name, const Grid& grid) {
    constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann;
    if (name == "sine" || name == "polynomial") require_boundaries(name, grid, {D, D, D});
    if (name == "cosine" || name == "cavity") require_boundaries(name, grid, {N, N, N});
    if (name == "waves" || name == "taylor-green") require_boundaries(name, grid, {P, P, P});
    if (name == "channel") require_boundaries(name, grid, {P, N, P});

    if (name == "gaussians" || name == "ring") return {};
    if (name != "random") refuse_free(name, grid);
    if (name == "mixed") refuse_robin(name, grid);
    if (name == "sine" || name == "cosine") return {eigen_term(1.0, grid, {1, 2, 3})};
    if (name == "mixed") return {eigen_term(1.0, grid, {1, 2, 3}), eigen_term(0.5, grid, {2, 1, 1})};
    if (name == "waves") return waves();
    if (name == "channel") return channel();
    if (name == "taylor-green") return taylor_green(grid);
    if (name == "cavity") return cavity();
    if (name == "linear" || name == "quadratic") return powers(grid, name == "quadratic");
    if (name == "polynomial") return {{1.0, {bump(1.0), bump(2.0), bump(3.0)}}};
    return {};
}

}  // namespace poisson3d
