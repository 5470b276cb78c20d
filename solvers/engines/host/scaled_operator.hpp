// B = S⁻¹ (−A) S⁻¹ by its numbers: d at points, a on lower faces, s (variable_sweeps.hpp), in memory of the caller.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "axis_kind.hpp"
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
        : rows_(rows), helmholtz_(helmholtz), d_(memory), s_(memory + pitch) {
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
        return theta;
    }

    /// λ₀: mean of λ/s² over the mean of d without λ, in units of the diagonal of −∇².
    [[nodiscard]] double shift() const noexcept { return shift_; }
    [[nodiscard]] const T* d(Index i, Index j) const noexcept { return d_ + rows_.row(i, j); }
    [[nodiscard]] const T* s(Index i, Index j) const noexcept { return s_ + rows_.row(i, j); }
    /// ε at a wall, by the point of the face.
    [[nodiscard]] const std::vector<double>& wall(int axis, int side) const noexcept { return wall_[axis][side]; }

    /// body(k, (B w)(i, j, k)) for all unknowns of a row; w has these strides.
    template <class Number, class Body>
    void multiply_row(const T* w, Index stride_y, Index stride_x, Index i, Index j, const Body& body) const {
        const auto& [x, y, z] = rows_.axes();
        const auto beside = [](const VariableAxis& axis, Index n, int side, Index otherwise) {
            return axis.linked(n, side) ? axis.beside(n, side) : otherwise;
        };
        const auto factor = [](const VariableAxis& axis, Index n, int side) {
            return static_cast<Number>(!axis.linked(n, side) ? 0.0 : side == 0 ? axis.lower[n] : axis.upper[n]);
        };
        const Index below = beside(x, i, 0, i), above = beside(x, i, 1, i);
        const Index left = beside(y, j, 0, j), right = beside(y, j, 1, j);
        const Number x_lower = factor(x, i, 0), x_upper = factor(x, i, 1);
        const Number y_lower = factor(y, j, 0), y_upper = factor(y, j, 1);
        const T* const c = w + i * stride_x + j * stride_y;
        const T* const w_below = w + below * stride_x + j * stride_y;
        const T* const w_above = w + above * stride_x + j * stride_y;
        const T* const w_left = w + i * stride_x + left * stride_y;
        const T* const w_right = w + i * stride_x + right * stride_y;
        const T* const d = d_ + rows_.row(i, j);
        const T* const a_below = a_[0] + rows_.row(i, j);
        const T* const a_above = a_[0] + rows_.row(above, j);
        const T* const a_left = a_[1] + rows_.row(i, j);
        const T* const a_right = a_[1] + rows_.row(i, right);
        const T* const a_z = a_[2] + rows_.row(i, j);
        const double* const z_lower = z.lower.data();
        const double* const z_upper = z.upper.data();
        const auto n = [](T value) { return static_cast<Number>(value); };
        const auto across_z = [&](Index k) {
            return n(d[k]) * n(c[k]) - x_lower * n(a_below[k]) * n(w_below[k]) -
                   x_upper * n(a_above[k]) * n(w_above[k]) - y_lower * n(a_left[k]) * n(w_left[k]) -
                   y_upper * n(a_right[k]) * n(w_right[k]);
        };
        const auto at_end = [&, &along = z](Index k) {
            const Index lower = beside(along, k, 0, k), upper = beside(along, k, 1, k);
            return across_z(k) - factor(along, k, 0) * n(a_z[k]) * n(c[lower]) -
                   factor(along, k, 1) * n(a_z[upper]) * n(c[upper]);
        };
        body(z.first, at_end(z.first));
        for (Index k = z.first + 1; k < z.last; ++k)
            body(k, across_z(k) - static_cast<Number>(z_lower[k]) * n(a_z[k]) * n(c[k - 1]) -
                        static_cast<Number>(z_upper[k]) * n(a_z[k + 1]) * n(c[k + 1]));
        if (z.last > z.first) body(z.last, at_end(z.last));
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

    /// From ε on faces and at points to a, d and s.
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
        const Sums sums = rows_.sum_rows([&](Index i, Index j, Sums& plane) {
            const Index row = rows_.row(i, j);
            for (Index k = rows_.first(); k < rows_.end(); ++k) {
                const auto mean = static_cast<double>(s_[row + k]);
                const double steps = axes[0].lower[i] + axes[0].upper[i] + axes[1].lower[j] + axes[1].upper[j] +
                                     axes[2].lower[k] + axes[2].upper[k];
                const double s = power(mean, exponent);
                s_[row + k] = static_cast<T>(s);
                d_[row + k] = static_cast<T>((steps * mean + helmholtz_) / (s * s));
                const double v = rows_.weight(i, j) * rows_.weights()[k];
                plane.value[0] += v * helmholtz_ / (s * s);
                plane.value[1] += v * mean / (s * s);
            }
        });
        shift_ = sums.value[0] / sums.value[1];
    }

    UnknownRows& rows_;
    double helmholtz_, shift_ = 0.0;
    T *d_, *s_, *a_[3] = {};
    std::vector<double> wall_[3][2];
};

}  // namespace poisson3d::host
