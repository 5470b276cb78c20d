// B = S⁻¹ (−A) S⁻¹ of a variable coefficient (variable_sweeps.hpp), a point at a time: how its numbers are made,
// and B w. Host and device share this file.
#pragma once

#include <cmath>

#include "coefficient_faces.hpp"

namespace poisson3d {

POISSON3D_HD double power(double coefficient, double exponent) {
    if (exponent == 0.0) return 1.0;
    if (exponent == 0.5) return std::sqrt(coefficient);
    return exponent == 0.25 ? std::sqrt(std::sqrt(coefficient)) : std::pow(coefficient, exponent);
}

/// Dense fields of all stored points, in memory of the caller. The functions below are for unknowns.
template <class T>
struct ScaledPoints {
    Index points[3] = {};
    AxisNumbers axis[3];
    double helmholtz = 0.0;  ///< λ where the coefficient has none
    T *c = nullptr, *s = nullptr, *a[3] = {};
    double* wall[3][2] = {};  ///< ε at walls, by the point of the face

    [[nodiscard]] POISSON3D_HD Index stride(int along) const {
        return along == 0 ? points[1] * points[2] : along == 1 ? points[2] : 1;
    }
    [[nodiscard]] POISSON3D_HD Index place(Index i, Index j, Index k) const {
        return (i * points[1] + j) * points[2] + k;
    }
    [[nodiscard]] POISSON3D_HD Index wall_place(int along, Index i, Index j, Index k) const {
        return along == 0 ? j * points[2] + k : along == 1 ? i * points[2] + k : i * points[1] + j;
    }
    [[nodiscard]] POISSON3D_HD bool unknown(Index i, Index j, Index k) const {
        return axis[0].unknown(i) && axis[1].unknown(j) && axis[2].unknown(k);
    }
    /// In means.
    [[nodiscard]] POISSON3D_HD double weight(Index i, Index j, Index k) const {
        return axis[0].weight[i] * axis[1].weight[j] * axis[2].weight[k];
    }

    /// ε on lower faces into a, its mean by the diagonal into s, at walls into their arrays.
    POISSON3D_HD void take_faces(const Coefficient<T>& coefficient, Index i, Index j, Index k) const {
        const Index at[3] = {i, j, k};
        double sum = 0.0, steps = 0.0;
        for (int n = 0; n < 3; ++n) {
            const double below = coefficient.face(axis, n, i, j, k, 0);
            const double above = coefficient.face(axis, n, i, j, k, 1);
            a[n][place(i, j, k)] = static_cast<T>(below);
            sum += axis[n].lower[at[n]] * below + axis[n].upper[at[n]] * above;
            steps += axis[n].lower[at[n]] + axis[n].upper[at[n]];
            if (at[n] == axis[n].first) wall[n][0][wall_place(n, i, j, k)] = below;
            if (at[n] == axis[n].last) wall[n][1][wall_place(n, i, j, k)] = above;
        }
        s[place(i, j, k)] = static_cast<T>(steps > 0.0 ? sum / steps : 1.0);
    }

    /// Adds |jump| and its square for the jumps of ln ε̄ to the next points; ε̄ is still in s.
    POISSON3D_HD void add_jumps(Index i, Index j, Index k, double& sum, double& squares) const {
        const Index at[3] = {i, j, k};
        const T* const here = s + place(i, j, k);
        for (int n = 0; n < 3; ++n) {
            if (at[n] == axis[n].last) continue;
            const double ratio = static_cast<double>(here[stride(n)]) / static_cast<double>(*here);
            if (ratio > 0.99 && ratio < 1.01) continue;
            const double jump = std::abs(std::log(ratio));
            sum += jump;
            squares += jump * jump;
        }
    }

    /// From ε on faces and ε̄ in s, to a.
    POISSON3D_HD void scale_faces(double exponent, Index i, Index j, Index k) const {
        const Index at[3] = {i, j, k};
        const Index here = place(i, j, k);
        for (int n = 0; n < 3; ++n) {
            T& face = a[n][here];
            if (!axis[n].linked(at[n], 0)) {
                face = T(0);
                continue;
            }
            const Index there = here + (axis[n].beside(at[n], 0) - at[n]) * stride(n);
            const double product = static_cast<double>(s[here]) * static_cast<double>(s[there]);
            face = static_cast<T>(static_cast<double>(face) / power(product, exponent));
        }
    }

    /// c, from a and s. At a wall u is 0, or what boundary data adds to f̃: no neighbour, but ε of the wall.
    POISSON3D_HD void find_rest(const Coefficient<T>& coefficient, Index i, Index j, Index k) const {
        const Index at[3] = {i, j, k};
        const Index here = place(i, j, k);
        const auto own = static_cast<double>(s[here]);
        double sum = 0.0, walls = coefficient.helmholtz_at(i, j, k, helmholtz);
        for (int n = 0; n < 3; ++n)
            for (int side = 0; side < 2; ++side) {
                if (axis[n].linked(at[n], side)) {
                    const Index there = here + (axis[n].beside(at[n], side) - at[n]) * stride(n);
                    const auto face = static_cast<double>(a[n][side == 0 ? here : there]);
                    sum += axis[n].step(at[n], side) * face * (static_cast<double>(s[there]) - own) / own;
                } else {
                    walls +=
                        (side == 0 ? axis[n].lower : axis[n].upper)[at[n]] * wall[n][side][wall_place(n, i, j, k)];
                }
            }
        c[here] = static_cast<T>(sum + walls / (own * own));
    }

    /// (B w)(i, j, k) in numbers of M, of w with these strides, c and a of N; `diagonal`: that of B. Nothing
    /// is decided, so that a thread waits for memory once.
    template <class M, class N>
    POISSON3D_HD M multiply(const N* rest, const N* const (&faces)[3], const N* w, Index stride_x, Index stride_y,
                            Index i, Index j, Index k, M& diagonal) const {
        const Index at[3] = {i, j, k}, step_of_w[3] = {stride_x, stride_y, 1};
        const Index here = place(i, j, k), here_of_w = i * stride_x + j * stride_y + k;
        M face[6], beside[6];
        POISSON3D_UNROLL
        for (int f = 0; f < 6; ++f) {
            const int n = f / 2, side = f % 2;
            const Index to = axis[n].next[side][at[n]] - at[n];
            face[f] = static_cast<M>(axis[n].step_to[side][at[n]]) *
                      static_cast<M>(faces[n][side == 0 ? here : here + to * stride(n)]);
            beside[f] = static_cast<M>(w[here_of_w + to * step_of_w[n]]);
        }
        const M value = static_cast<M>(w[here_of_w]);
        diagonal = static_cast<M>(rest[here]);
        M sum = diagonal * value;
        POISSON3D_UNROLL
        for (int f = 0; f < 6; ++f) {
            diagonal += face[f];
            sum += face[f] * (value - beside[f]);
        }
        return sum;
    }
};

}  // namespace poisson3d
