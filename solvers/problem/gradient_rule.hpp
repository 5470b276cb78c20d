// The first derivative along one axis by central differences, its ends as data: engines know no kinds.
//
// Between the ends it is (u_{j+1} − u_{j−1}) / 2h. At either end it is a sum of up to three values of u and the
// data of the two faces, from the ghost values of ghost.hpp:
//
//            Dirichlet                                          Neumann
//   cell     ghost 2g − u                                       ghost u + h g
//   node     (−3u_0 + 4u_1 − u_2) / 2h, at the other end        −g at the lower face, +g at the upper one
//            mirrored
//
// An axis without fast transform (chain.hpp) has fluxes F, which are of second order where they live on any grid:
//
//   cell     (F_j + F_{j+1}) / 2, F_j = g_j (u_j − u_{j−1}) and at the walls ∓(feed γ − G u)
//   node     (h_{j−1} F_{j+1} + h_j F_j) / (h_{j−1} + h_j); on a Neumann or Robin face by its equation; on a
//            Dirichlet face F_1 + (F_1 − F_2) h_0 / (h_0 + h_1), at the other end mirrored
//
// (the parabola through three centres is of order 0.9 on a grid without pattern). Unlike the stencil, which is
// homogeneous, this reads u as it is, also on Dirichlet nodes. Host and device code share this file.
#pragma once

#include <vector>

#include "boundary_terms.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d {

/// factor · Σ weight_i u[at_i] + Σ data_s g_s, s the lower and the upper face.
template <class T>
struct EndRule {
    Index at[3] = {};
    T weight[3] = {};
    T data[2] = {};
};

template <class T>
struct AxisRule {
    Index points = 0;
    T factor = 0;      ///< 1 / 2h; 1 on an uneven axis
    EndRule<T> first;  ///< at point 0, which may be the last one, too
    EndRule<T> last;   ///< at point n − 1
    /// On an uneven axis: between the ends lower_j (u_j − u_{j−1}) + upper_j (u_{j+1} − u_j), by stored
    /// point. Somebody else's.
    const T* lower = nullptr;
    const T* upper = nullptr;

    [[nodiscard]] POISSON3D_HD bool inside(Index j) const { return j > 0 && j < points - 1; }
};

/// What AxisRule::lower and upper point to.
template <class T>
struct Slopes {
    std::vector<T> lower, upper;
};

/// Fills `slopes` if the axis has no fast transform; the rule is valid as long as they are.
template <class T>
AxisRule<T> make_axis_rule(const Axis& axis, Slopes<T>& slopes);

/// The derivative at point j of a line whose points are `stride` apart; (a, b) is its place on the two faces.
template <class T>
POISSON3D_HD T derivative(const AxisRule<T>& rule, const FaceValues<T> (&face)[2], const T* line, Index stride,
                          Index j, Index a, Index b) {
    if (rule.inside(j)) {
        const T below = line[(j - 1) * stride], above = line[(j + 1) * stride];
        if (rule.lower == nullptr) return rule.factor * (above - below);
        const T here = line[j * stride];
        return rule.lower[j] * (here - below) + rule.upper[j] * (above - here);
    }
    const EndRule<T>& end = j == 0 ? rule.first : rule.last;
    T sum = T(0);
    for (int i = 0; i < 3; ++i)
        if (end.weight[i] != T(0)) sum += end.weight[i] * line[end.at[i] * stride];
    sum *= rule.factor;
    for (int s = 0; s < 2; ++s)
        if (end.data[s] != T(0)) sum += end.data[s] * value_at(face[s], a, b);
    return sum;
}

/// What is computed: planes first … first + planes − 1 of the components that are not null. Plain data, so that
/// kernels can take it.
template <class T>
struct GradientTask {
    const T* u = nullptr;  ///< all of it
    Index u_x = 0, u_y = 0;
    T* out[3] = {};  ///< plane `first` of each
    Index out_x[3] = {}, out_y[3] = {};
    Index first = 0, planes = 0;
    AxisRule<T> rule[3];
    FaceValues<T> face[3][2];

    /// Component c at (i, j, k).
    template <int c>
    [[nodiscard]] POISSON3D_HD T component(Index i, Index j, Index k) const {
        if constexpr (c == 0) return derivative(rule[0], face[0], u + j * u_y + k, u_x, i, j, k);
        if constexpr (c == 1) return derivative(rule[1], face[1], u + i * u_x + k, u_y, j, i, k);
        if constexpr (c == 2) return derivative(rule[2], face[2], u + i * u_x + j * u_y, Index{1}, k, i, j);
    }
    /// The line of component c that begins at (i, j, 0).
    [[nodiscard]] POISSON3D_HD T* line(int c, Index i, Index j) const {
        return out[c] + (i - first) * out_x[c] + j * out_y[c];
    }
};

}  // namespace poisson3d
