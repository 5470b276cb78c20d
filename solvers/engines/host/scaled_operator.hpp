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
#include "scaled_points.hpp"
#include "unknown_rows.hpp"

namespace poisson3d::host {

template <class T>
class ScaledOperator {
public:
    static constexpr int fields = 5;

    /// `memory`: so many fields, each `pitch` elements after the one before.
    ScaledOperator(UnknownRows& rows, double helmholtz, T* memory, Index pitch) : rows_(rows) {
        points_.helmholtz = helmholtz;
        points_.c = memory, points_.s = memory + pitch;
        for (int a = 0; a < 3; ++a) {
            points_.points[a] = rows.points()[a];
            points_.axis[a] = rows.axes()[a].numbers();
            points_.a[a] = memory + (2 + a) * pitch;
            const auto face = extents_of_face(rows.points(), a);
            for (int side = 0; side < 2; ++side) {
                wall_[a][side].resize(static_cast<std::size_t>(face[0] * face[1]));
                points_.wall[a][side] = wall_[a][side].data();
            }
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
    [[nodiscard]] const T* c(Index i, Index j) const noexcept { return points_.c + rows_.row(i, j); }
    [[nodiscard]] const T* s(Index i, Index j) const noexcept { return points_.s + rows_.row(i, j); }
    [[nodiscard]] const T* a(int axis, Index i, Index j) const noexcept {
        return points_.a[axis] + rows_.row(i, j);
    }
    /// ε at a wall, by the point of the face.
    [[nodiscard]] const std::vector<double>& wall(int axis, int side) const noexcept { return wall_[axis][side]; }

    /// body(k, (B w)(i, j, k), B's diagonal there) for all unknowns of a row, in double; w has these strides.
    template <class Body>
    void multiply_row(const T* w, Index stride_y, Index stride_x, Index i, Index j, const Body& body) const {
        const T* const faces[3] = {points_.a[0], points_.a[1], points_.a[2]};
        for (Index k = rows_.first(); k < rows_.end(); ++k) {
            double diagonal = 0.0;
            const T* const rest = points_.c;
            const double product = points_.multiply(rest, faces, w, stride_x, stride_y, i, j, k, diagonal);
            body(k, product, diagonal);
        }
    }

    static double step(const VariableAxis& axis, Index n, int side) { return axis.numbers().step(n, side); }

private:
    void take_faces(const Coefficient<T>& coefficient) {
        for_points([&](Index i, Index j, Index k) { points_.take_faces(coefficient, i, j, k); });
    }

    /// Whether ln ε jumps from point to point rather than to vary over several; some rows tell.
    [[nodiscard]] bool is_sharp() const {
        const auto& axes = rows_.axes();
        double sum = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity(), most = 0.0;
        for (Index i = axes[0].first; i <= axes[0].last; ++i)
            for (Index j = axes[1].first + i % 4; j <= axes[1].last; j += 4)
                for (Index k = rows_.first(); k < rows_.end(); ++k) {
                    const auto here = static_cast<double>(s(i, j)[k]);
                    least = std::min(least, here);
                    most = std::max(most, here);
                    points_.add_jumps(i, j, k, sum, squares);
                }
        return squares > 0.4 * sum * std::log(most / least);
    }

    /// From ε on faces and at points, which is still in s, to a.
    void scale_faces(double exponent) {
        for_points([&](Index i, Index j, Index k) { points_.scale_faces(exponent, i, j, k); });
        const double logarithm = rows_.weighted_mean([&](Index i, Index j) {
            return [s = s(i, j)](Index k) { return std::log(static_cast<double>(s[k])); };
        });
        typical_ = std::exp((1.0 - 2.0 * exponent) * logarithm);
    }

    /// c, and s from ε̄.
    void find_rest(const Coefficient<T>& coefficient, double exponent) {
        const Sums sums = rows_.sum_rows([&](Index i, Index j, Sums& all, int) {
            add_along<2>(rows_.first(), rows_.end(), rows_.weight(i, j), rows_.weights(), all,
                         [&, mean = s(i, j)](Index k, double* value) {
                             const auto here = static_cast<double>(mean[k]);
                             const double square = power(here, 2.0 * exponent);
                             value[0] = coefficient.helmholtz_at(i, j, k, points_.helmholtz) / square;
                             value[1] = here / square;
                         });
        });
        shift_ = sums.value[0] / sums.value[1];
        for_points([&](Index i, Index j, Index k) {
            T& s = points_.s[points_.place(i, j, k)];
            s = static_cast<T>(power(static_cast<double>(s), exponent));
        });
        for_points([&](Index i, Index j, Index k) { points_.find_rest(coefficient, i, j, k); });
    }

    template <class Body>
    void for_points(const Body& body) const {
        rows_.for_rows([&](Index i, Index j) {
            for (Index k = rows_.first(); k < rows_.end(); ++k) body(i, j, k);
        });
    }

    UnknownRows& rows_;
    ScaledPoints<T> points_;
    double shift_ = 0.0, typical_ = 1.0;
    std::vector<double> wall_[3][2];
};

}  // namespace poisson3d::host
