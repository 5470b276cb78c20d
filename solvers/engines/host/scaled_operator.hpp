// B = S⁻¹ (−A) S⁻¹ by its numbers: c and s at points, a on lower faces (variable_sweeps.hpp), in memory of the
// caller.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "axis_kind.hpp"
#include "poisson3d/boundary_data.hpp"
#include "unknown_rows.hpp"

namespace poisson3d::host {

inline double power(double coefficient, double exponent) {
    if (exponent == 0.0) return 1.0;
    if (exponent == 0.5) return std::sqrt(coefficient);
    return exponent == 0.25 ? std::sqrt(std::sqrt(coefficient)) : std::pow(coefficient, exponent);
}

template <class T>
class ScaledOperator {
public:
    static constexpr int fields = 5;

    /// `memory`: so many fields, each `pitch` elements after the one before.
    ScaledOperator(UnknownRows& rows, double helmholtz, T* memory, Index pitch)
        : rows_(rows), helmholtz_(helmholtz), c_(memory), s_(memory + pitch) {
        for (int a = 0; a < 3; ++a) {
            a_[a] = memory + (2 + a) * pitch;
            const auto face = extents_of_face(rows.points(), a);
            for (auto& wall : wall_[a]) wall.resize(static_cast<std::size_t>(face[0] * face[1]));
        }
    }

    /// Chooses θ where none is given. Returns θ.
    double set(const Coefficient<T>& coefficient, std::optional<double> scaling) {
        take_faces(coefficient);
        const double theta = scaling.value_or(is_sharp() ? 0.5 : 1.0);
        scale_faces(0.5 * theta);
        find_rest(coefficient, 0.5 * theta);
        return theta;
    }

    /// λ₀: mean of λ/s² over that of ε̄/s².
    [[nodiscard]] double shift() const noexcept { return shift_; }
    /// A mean value of ε/s², geometric: the size of a.
    [[nodiscard]] double typical() const noexcept { return typical_; }
    [[nodiscard]] const T* c(Index i, Index j) const noexcept { return c_ + rows_.row(i, j); }
    [[nodiscard]] const T* s(Index i, Index j) const noexcept { return s_ + rows_.row(i, j); }
    [[nodiscard]] const T* a(int axis, Index i, Index j) const noexcept { return a_[axis] + rows_.row(i, j); }
    /// ε at a wall, by the point of the face.
    [[nodiscard]] const std::vector<double>& wall(int axis, int side) const noexcept { return wall_[axis][side]; }

    /// body(k, (B w)(i, j, k), B's diagonal there) for all unknowns of a row, in double; w has these strides.
    template <class Body>
    void multiply_row(const T* w, Index stride_y, Index stride_x, Index i, Index j, const Body& body) const {
        const auto& [x, y, z] = rows_.axes();
        const Index above = x.linked(i, 1) ? x.beside(i, 1) : i, right = y.linked(j, 1) ? y.beside(j, 1) : j;
        const Index below = x.linked(i, 0) ? x.beside(i, 0) : i, left = y.linked(j, 0) ? y.beside(j, 0) : j;
        const double x_lower = step(x, i, 0), x_upper = step(x, i, 1);
        const double y_lower = step(y, j, 0), y_upper = step(y, j, 1);
        const T* const here = w + i * stride_x + j * stride_y;
        const T* const w_below = w + below * stride_x + j * stride_y;
        const T* const w_above = w + above * stride_x + j * stride_y;
        const T* const w_left = w + i * stride_x + left * stride_y;
        const T* const w_right = w + i * stride_x + right * stride_y;
        const T *const rest = c(i, j), *const a_z = a(2, i, j);
        const T *const a_below = a(0, i, j), *const a_above = a(0, above, j);
        const T *const a_left = a(1, i, j), *const a_right = a(1, i, right);
        const auto n = [](T value) { return static_cast<double>(value); };
        const auto at = [&](Index k, Index before, Index after, double z_lower, double z_upper) {
            const double p = n(here[k]);
            const double faces[6] = {x_lower * n(a_below[k]), x_upper * n(a_above[k]), y_lower * n(a_left[k]),
                                     y_upper * n(a_right[k]), z_lower * n(a_z[k]),     z_upper * n(a_z[after])};
            const double sum = n(rest[k]) * p + faces[0] * (p - n(w_below[k])) + faces[1] * (p - n(w_above[k])) +
                               faces[2] * (p - n(w_left[k])) + faces[3] * (p - n(w_right[k])) +
                               faces[4] * (p - n(here[before])) + faces[5] * (p - n(here[after]));
            body(k, sum, n(rest[k]) + faces[0] + faces[1] + faces[2] + faces[3] + faces[4] + faces[5]);
        };
        const auto at_end = [&, &along = z](Index k) {
            at(k, along.linked(k, 0) ? along.beside(k, 0) : k, along.linked(k, 1) ? along.beside(k, 1) : k,
               step(along, k, 0), step(along, k, 1));
        };
        const double *const z_lower = z.lower.data(), *const z_upper = z.upper.data();
        at_end(z.first);
        for (Index k = z.first + 1; k < z.last; ++k) at(k, k - 1, k + 1, z_lower[k], z_upper[k]);
        if (z.last > z.first) at_end(z.last);
    }

    /// What the difference to the neighbour on one side is multiplied by, beside a; 0 if that is no unknown.
    static double step(const VariableAxis& axis, Index n, int side) {
        return !axis.linked(n, side) ? 0.0 : side == 0 ? axis.lower[n] : axis.upper[n];
    }

private:
    /// ε on lower faces into a, its mean by the diagonal into s, at walls into their arrays.
    void take_faces(const Coefficient<T>& coefficient) {
        const auto& axes = rows_.axes();
        rows_.for_rows([&](Index i, Index j) {
            const Index row = rows_.row(i, j);
            for (Index k = rows_.first(); k < rows_.end(); ++k) {
                const Index at[3] = {i, j, k};
                double sum = 0.0, steps = 0.0;
                for (int a = 0; a < 3; ++a) {
                    const double below = coefficient.face(axes, a, i, j, k, 0);
                    const double above = coefficient.face(axes, a, i, j, k, 1);
                    a_[a][row + k] = static_cast<T>(below);
                    sum += axes[a].lower[at[a]] * below + axes[a].upper[at[a]] * above;
                    steps += axes[a].lower[at[a]] + axes[a].upper[at[a]];
                    const auto [b, c] = across(a);
                    const Index place = at[b] * rows_.points()[c] + at[c];
                    if (at[a] == axes[a].first) wall_[a][0][place] = below;
                    if (at[a] == axes[a].last) wall_[a][1][place] = above;
                }
                s_[row + k] = static_cast<T>(steps > 0.0 ? sum / steps : 1.0);
            }
        });
    }

    /// Whether ln ε jumps from point to point rather than to vary over several; some rows tell.
    [[nodiscard]] bool is_sharp() const {
        const auto& axes = rows_.axes();
        double sum = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity(), most = 0.0;
        for (Index i = axes[0].first; i <= axes[0].last; ++i)
            for (Index j = axes[1].first + i % 4; j <= axes[1].last; j += 4)
                for (Index k = rows_.first(); k < rows_.end(); ++k) {
                    const T* const here_at = s(i, j) + k;
                    const auto here = static_cast<double>(*here_at);
                    least = std::min(least, here);
                    most = std::max(most, here);
                    const Index at[3] = {i, j, k}, stride[3] = {rows_.stride_x(), rows_.points()[2], 1};
                    for (int a = 0; a < 3; ++a) {
                        if (at[a] == axes[a].last) continue;
                        const double ratio = static_cast<double>(here_at[stride[a]]) / here;
                        if (ratio > 0.99 && ratio < 1.01) continue;
                        const double jump = std::abs(std::log(ratio));
                        sum += jump;
                        squares += jump * jump;
                    }
                }
        return squares > 0.4 * sum * std::log(most / least);
    }

    /// From ε on faces and at points, which is still in s, to a.
    void scale_faces(double exponent) {
        const auto& axes = rows_.axes();
        rows_.for_rows([&](Index i, Index j) {
            for (Index k = rows_.first(); k < rows_.end(); ++k) {
                const Index at[3] = {i, j, k}, stride[3] = {rows_.stride_x(), rows_.points()[2], 1};
                const Index here = rows_.row(i, j) + k;
                for (int a = 0; a < 3; ++a) {
                    T& face = a_[a][here];
                    if (!axes[a].linked(at[a], 0)) {
                        face = T(0);
                        continue;
                    }
                    const Index there = here + (axes[a].beside(at[a], 0) - at[a]) * stride[a];
                    const double product = static_cast<double>(s_[here]) * static_cast<double>(s_[there]);
                    face = static_cast<T>(static_cast<double>(face) / power(product, exponent));
                }
            }
        });
        const double logarithm = rows_.weighted_mean([&](Index i, Index j) {
            return [s = s_ + rows_.row(i, j)](Index k) { return std::log(static_cast<double>(s[k])); };
        });
        typical_ = std::exp((1.0 - 2.0 * exponent) * logarithm);
    }

    /// c, and s from ε̄. At a wall u is 0, or what boundary data adds to f̃: no neighbour, but ε of the wall.
    void find_rest(const Coefficient<T>& coefficient, double exponent) {
        const auto& axes = rows_.axes();
        const Sums sums = rows_.sum_rows([&](Index i, Index j, Sums& all, int) {
            const Index row = rows_.row(i, j);
            add_along<2>(rows_.first(), rows_.end(), rows_.weight(i, j), rows_.weights(), all,
                         [&](Index k, double* value) {
                             const double mean = static_cast<double>(s_[row + k]);
                             const double square = power(mean, 2.0 * exponent);
                             value[0] = coefficient.helmholtz_at(i, j, k, helmholtz_) / square;
                             value[1] = mean / square;
                         });
        });
        shift_ = sums.value[0] / sums.value[1];
        rows_.for_rows([&](Index i, Index j) {
            T* const s = s_ + rows_.row(i, j);
            for (Index k = rows_.first(); k < rows_.end(); ++k)
                s[k] = static_cast<T>(power(static_cast<double>(s[k]), exponent));
        });
        rows_.for_rows([&](Index i, Index j) {
            for (Index k = rows_.first(); k < rows_.end(); ++k) {
                const Index at[3] = {i, j, k}, stride[3] = {rows_.stride_x(), rows_.points()[2], 1};
                const Index here = rows_.row(i, j) + k;
                const auto s = static_cast<double>(s_[here]);
                double sum = 0.0, walls = coefficient.helmholtz_at(i, j, k, helmholtz_);
                for (int a = 0; a < 3; ++a)
                    for (int side = 0; side < 2; ++side) {
                        const VariableAxis& along = axes[a];
                        if (along.linked(at[a], side)) {
                            const Index there = here + (along.beside(at[a], side) - at[a]) * stride[a];
                            const auto face = static_cast<double>(a_[a][side == 0 ? here : there]);
                            sum += step(along, at[a], side) * face * (static_cast<double>(s_[there]) - s) / s;
                            continue;
                        }
                        const auto [b, c] = across(a);
                        const double wall = wall_[a][side][at[b] * rows_.points()[c] + at[c]];
                        walls += (side == 0 ? along.lower : along.upper)[at[a]] * wall;
                    }
                c_[here] = static_cast<T>(sum + walls / (s * s));
            }
        });
    }

    UnknownRows& rows_;
    double helmholtz_, shift_ = 0.0, typical_ = 1.0;
    T *c_, *s_, *a_[3] = {};
    std::vector<double> wall_[3][2];
};

}  // namespace poisson3d::host
