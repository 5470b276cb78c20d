// The fields of conjugate gradients in numbers of N, and what an iteration does with them (variable_sweeps.hpp).
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "scaled_operator.hpp"
#include "variable_kernels.hpp"

namespace poisson3d::host {

/// Of a solution in T. Where N is another type the operator has a copy in it, over a mean value κ of a, and r is
/// the residual over its size σ: a step α along p is then α σ/κ for w.
template <class T, class N>
class IterationFields {
public:
    static constexpr bool copies = !std::is_same_v<T, N>;
    static constexpr int fields = copies ? 8 : 4;

    /// `memory`: so many fields, each `pitch` elements after the one before.
    IterationFields(const ScaledOperator<T>& of, UnknownRows& rows, N* memory, Index pitch)
        : operator_(of), rows_(rows), memory_(memory), pitch_(pitch) {
        const VariableAxis& z = rows.axes()[2];
        for (Index k = 0; k < z.points; ++k) {
            z_lower_.push_back(z.linked(k, 0) ? static_cast<N>(z.lower[k]) : N(0));
            z_upper_.push_back(z.linked(k, 1) ? static_cast<N>(z.upper[k]) : N(0));
        }
    }

    [[nodiscard]] N* r() const noexcept { return memory_; }
    [[nodiscard]] N* z() const noexcept { return memory_ + 3 * pitch_; }
    [[nodiscard]] N* end() const noexcept { return memory_ + fields * pitch_; }
    [[nodiscard]] double typical() const noexcept { return copies ? operator_.typical() : 1.0; }
    [[nodiscard]] double size() const noexcept { return size_; }
    void set_size(double size) noexcept { size_ = size; }
    /// A field that overwrites r and what follows.
    template <class Number>
    [[nodiscard]] Number* scratch() const noexcept {
        return reinterpret_cast<Number*>(memory_);
    }

    /// Once the operator is set.
    void take_operator() {
        if constexpr (copies) {
            const double inverse = 1.0 / typical();
            rows_.for_rows([&](Index i, Index j) {
                const T* const from[4] = {operator_.c(i, j), operator_.a(0, i, j), operator_.a(1, i, j),
                                          operator_.a(2, i, j)};
                for (int n = 0; n < 4; ++n) {
                    N* const to = memory_ + (4 + n) * pitch_ + rows_.row(i, j);
                    for (Index k = rows_.first(); k < rows_.end(); ++k)
                        to[k] = static_cast<N>(inverse * static_cast<double>(from[n][k]));
                }
            });
        }
    }

    double residual_with(double constant) { return product(r(), z(), constant); }
    double residual_along() { return product(r(), p(), 0.0); }
    double correction_along(double constant) { return product(q(), z(), constant); }

    double direction(FieldView<T> w, bool first_time, double alpha, double beta, double constant) {
        const auto a = static_cast<T>(step(alpha));
        const auto b = static_cast<N>(beta), c = static_cast<N>(constant);
        const VariableAxis &x = rows_.axes()[0], &y = rows_.axes()[1];
        const auto new_plane = [&](Index i) {
            for (Index j = y.first; j <= y.last; ++j) {
                N* const p = this->p() + rows_.row(i, j);
                if (first_time) std::fill(p + rows_.first(), p + rows_.end(), N(0));
                kernels_.direction(&w(i, j, 0), p, z() + rows_.row(i, j), a, b, c, rows_.first(), rows_.end());
            }
        };
        // Slabs of planes. Their first and last planes come before all others, since neighbours read them.
        const Index planes = x.last - x.first + 1;
        const Index slabs = std::clamp<Index>(planes / 8, 1, Index{4} * rows_.team().size());
        const auto slab = [&](Index n) { return x.first + n * planes / slabs; };
        rows_.team().parallel_for(2 * slabs, 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const Index low = slab(n / 2), high = slab(n / 2 + 1) - 1;
                if (n % 2 == 0) new_plane(low);
                if (n % 2 == 1 && high > low) new_plane(high);
            }
        });
        rows_.team().parallel_for(slabs, 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const Index low = slab(n), high = slab(n + 1) - 1;
                for (Index i = low; i <= high; ++i) {
                    if (i + 1 < high) new_plane(i + 1);
                    multiply_plane(i);
                }
            }
        });
        return rows_.mean(rows_.total());
    }

    double reduce(double alpha) {
        return size_ * size_ * rows_.mean_of_rows([&](Index i, Index j) {
            return kernels_.reduce(r() + rows_.row(i, j), q() + rows_.row(i, j), static_cast<N>(alpha),
                                   rows_.weights(), rows_.first(), rows_.end());
        });
    }

    double unscaled() {
        return size_ * size_ * rows_.weighted_mean([&](Index i, Index j) {
            return [r = r() + rows_.row(i, j), s = operator_.s(i, j)](Index k) {
                const double value = static_cast<double>(r[k]) * static_cast<double>(s[k]);
                return value * value;
            };
        });
    }

    void advance(FieldView<T> w, double alpha) {
        const auto a = static_cast<T>(step(alpha));
        rows_.for_rows([&](Index i, Index j) {
            T* const to = &w(i, j, 0);
            const N* const p = this->p() + rows_.row(i, j);
            for (Index k = rows_.first(); k < rows_.end(); ++k) to[k] += a * static_cast<T>(p[k]);
        });
    }

private:
    [[nodiscard]] N* p() const noexcept { return memory_ + pitch_; }
    [[nodiscard]] N* q() const noexcept { return memory_ + 2 * pitch_; }
    /// ⟨a, b + constant⟩
    double product(const N* a, const N* b, double constant) {
        return rows_.mean_of_rows([&](Index i, Index j) {
            return kernels_.dot(a + rows_.row(i, j), b + rows_.row(i, j), static_cast<N>(constant), rows_.weights(),
                                rows_.first(), rows_.end());
        });
    }
    [[nodiscard]] double step(double alpha) const { return alpha * size_ / typical(); }
    [[nodiscard]] const N* rest(Index i, Index j) const noexcept {
        if constexpr (copies)
            return memory_ + 4 * pitch_ + rows_.row(i, j);
        else
            return operator_.c(i, j);
    }
    [[nodiscard]] const N* faces(int axis, Index i, Index j) const noexcept {
        if constexpr (copies)
            return memory_ + (5 + axis) * pitch_ + rows_.row(i, j);
        else
            return operator_.a(axis, i, j);
    }

    /// q of a plane, and its sum.
    void multiply_plane(Index i) {
        const auto& [x, y, z] = rows_.axes();
        const auto beside = [](const VariableAxis& axis, Index n, int side) {
            return axis.linked(n, side) ? axis.beside(n, side) : n;
        };
        const auto step = [](const VariableAxis& axis, Index n, int side) {
            return static_cast<N>(ScaledOperator<T>::step(axis, n, side));
        };
        StencilRow<N> row;
        row.x_lower = step(x, i, 0), row.x_upper = step(x, i, 1);
        row.z_lower = z_lower_.data(), row.z_upper = z_upper_.data();
        row.first = rows_.first(), row.end = rows_.end();
        row.before_first = beside(z, z.first, 0), row.after_last = beside(z, z.last, 1);
        row.weights = rows_.weights();
        const Index below = beside(x, i, 0), above = beside(x, i, 1);
        double plane = 0.0;
        for (Index j = y.first; j <= y.last; ++j) {
            const Index left = beside(y, j, 0), right = beside(y, j, 1);
            row.y_lower = step(y, j, 0), row.y_upper = step(y, j, 1);
            row.centre = p() + rows_.row(i, j);
            row.below = p() + rows_.row(below, j), row.above = p() + rows_.row(above, j);
            row.left = p() + rows_.row(i, left), row.right = p() + rows_.row(i, right);
            row.c = rest(i, j);
            row.a_below = faces(0, i, j), row.a_above = faces(0, above, j);
            row.a_left = faces(1, i, j), row.a_right = faces(1, i, right);
            row.a_z = faces(2, i, j);
            plane += rows_.weight(i, j) * kernels_.product(row, q() + rows_.row(i, j));
        }
        rows_.set_partial(i, {{plane}});
    }

    const ScaledOperator<T>& operator_;
    UnknownRows& rows_;
    N* memory_;  ///< r, p, q, z; of another type c and a, too
    Index pitch_;
    double size_ = 1.0;  ///< σ
    std::vector<N> z_lower_, z_upper_;
    const VariableKernels<T, N>& kernels_ = variable_kernels<T, N>();
};

}  // namespace poisson3d::host
