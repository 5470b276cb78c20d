// Solutions that are known and are no eigenfunctions: u(x,y,z) = g₀(x/L₀) g₁(y/L₁) g₂(z/L₂), f = (∇² − λ) u.
//
// g(s) = A(s) exp(β B(s)) on s in [0, 1]: A meets the boundary conditions, B keeps them and spoils the symmetry.
//     periodic  1 · exp(β cos(2πs + 0.4))      Dirichlet          sin(πs)   · exp(β cos πs)
//     Neumann   1 · exp(β cos πs)              Dirichlet–Neumann  sin(πs/2) · exp(β cos πs), or cos(πs/2)
// Their periodic, odd or even extensions are entire functions, which is what spectral accuracy takes. The rough
// ones are as smooth inside and meet the same conditions, but their extensions have a jump in a higher derivative.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "axis_rules.hpp"
#include "problems.hpp"

namespace poisson3d::test {

struct Shape {
    Real value, first, second;  ///< g, g', g''
};

inline Shape smooth_shape(const Axis& axis, Real steepness, Real s) {
    const Real pi = std::numbers::pi_v<Real>;
    const auto sine = [&](Real rate) -> Shape {
        return {std::sin(rate * s), rate * std::cos(rate * s), -rate * rate * std::sin(rate * s)};
    };
    const auto cosine = [&](Real rate, Real shift) -> Shape {
        const Real x = rate * s + shift;
        return {std::cos(x), -rate * std::sin(x), -rate * rate * std::cos(x)};
    };
    Shape a{1, 0, 0};
    Shape b = cosine(pi, 0);  // even about both ends
    if (axis.periodic())
        b = cosine(2 * pi, 0.4L);
    else if (axis.lower == Boundary::dirichlet)
        a = sine(axis.upper == Boundary::dirichlet ? pi : pi / 2);
    else if (axis.upper == Boundary::dirichlet)
        a = cosine(pi / 2, 0);
    const Real b1 = steepness * b.first;
    const Real b2 = steepness * b.second;
    const Real e = std::exp(steepness * b.value);
    return {a.value * e, (a.first + a.value * b1) * e,
            (a.second + 2 * a.first * b1 + a.value * (b2 + b1 * b1)) * e};
}

/// p(s) eˢ with p = s(1−s), or s²(1−s)² between Neumann walls: g'' or g''' is not 0 at the walls, as the odd or
/// even extension would have it. Only for the kinds with two equal walls.
inline Shape rough_shape(const Axis& axis, Real s) {
    const Real q = s * (1 - s);
    const Real q1 = 1 - 2 * s;
    const bool square = axis.lower == Boundary::neumann;
    const Real p = square ? q * q : q;
    const Real p1 = square ? 2 * q * q1 : q1;
    const Real p2 = square ? 2 * q1 * q1 - 4 * q : -2;
    const Real e = std::exp(s);
    return {p * e, (p + p1) * e, (p + 2 * p1 + p2) * e};
}

enum class Extension { smooth, rough };

/// A steepness with which few points resolve a smooth shape, but 8 do not. The period of a wall's extension is 2 L
/// or 4 L, so that as many points carry twice the modes.
inline Real usual_steepness(int kind) {
    return kinds[kind].lower == Boundary::periodic ? 1 : 2;
}
inline std::array<Real, 3> usual_steepness(const Kinds& which) {
    return {usual_steepness(which[0]), usual_steepness(which[1]), usual_steepness(which[2])};
}

/// A box of edges 1 × 1.4 × 0.8 with so many steps between the faces, and what is known in it. A periodic axis of
/// steepness 0 takes no part: u does not vary along it.
class Manufactured {
public:
    Manufactured(const Kinds& which, const Extents& steps, const std::array<Real, 3>& steepness,
                 Discretization discretization, double helmholtz = 0.0, Extension extension = Extension::smooth) {
        constexpr std::array<double, 3> lengths{1.0, 1.4, 0.8};
        problem_.discretization = discretization;
        problem_.helmholtz = helmholtz;
        for (int a = 0; a < 3; ++a) {
            Axis& axis = problem_.grid.axes[a];
            axis = make_axis(which[a], steps[a], lengths[a] / static_cast<double>(steps[a]), -0.3);
            const bool node = axis.centering == Centering::node;
            if (node && !axis.periodic()) ++axis.points;
            length_[a] = axis.length();
            for (Index j = 0; j < axis.points; ++j) {
                const Real s = (static_cast<Real>(j) + (node ? 0.0L : 0.5L)) / static_cast<Real>(steps[a]);
                shapes_[a].push_back(extension == Extension::smooth ? smooth_shape(axis, steepness[a], s)
                                                                    : rough_shape(axis, s));
            }
        }
    }

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] Real solution(Index i, Index j, Index k) const {
        return shapes_[0][i].value * shapes_[1][j].value * shapes_[2][k].value;
    }
    /// ∂u/∂x, or along another axis.
    [[nodiscard]] Real slope(Index i, Index j, Index k, int axis = 0) const {
        const std::array shapes{shapes_[0][i], shapes_[1][j], shapes_[2][k]};
        Real product = 1 / length_[axis];
        for (int a = 0; a < 3; ++a) product *= a == axis ? shapes[a].first : shapes[a].value;
        return product;
    }
    [[nodiscard]] Real right_hand_side(Index i, Index j, Index k) const {
        const Shape& x = shapes_[0][i];
        const Shape& y = shapes_[1][j];
        const Shape& z = shapes_[2][k];
        return x.second * y.value * z.value / (length_[0] * length_[0]) +
               x.value * y.second * z.value / (length_[1] * length_[1]) +
               x.value * y.value * z.second / (length_[2] * length_[2]) -
               static_cast<Real>(problem_.helmholtz) * x.value * y.value * z.value;
    }

private:
    Problem problem_;
    std::array<Real, 3> length_{};
    std::array<std::vector<Shape>, 3> shapes_;
};

}  // namespace poisson3d::test
