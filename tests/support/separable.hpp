// References at real sizes in long double: the operator and its inverse axis by axis, through small dense matrices.
// Slower than any FFT, but exact enough to judge one, and free of its ideas.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "axis_rules.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::test {

/// Values at the unknowns, without the Dirichlet nodes between.
class UnknownField {
public:
    template <class T>
    UnknownField(const Grid& grid, FieldView<const T> field) : grid_(grid) {
        for (int a = 0; a < 3; ++a) rows_[a] = unknowns(grid.axes[a]);
        values_.resize(static_cast<std::size_t>(rows_[0].count * rows_[1].count * rows_[2].count));
        for_each([&](Real& value, Index i, Index j, Index k) {
            value = field(rows_[0].first + i, rows_[1].first + j, rows_[2].first + k);
        });
    }

    /// body(value, i, j, k) with indices that count unknowns.
    template <class Body>
    void for_each(Body body) {
        auto value = values_.begin();
        for (Index i = 0; i < rows_[0].count; ++i)
            for (Index j = 0; j < rows_[1].count; ++j)
                for (Index k = 0; k < rows_[2].count; ++k) body(*value++, i, j, k);
    }

    /// Multiplies every line along an axis by a matrix.
    void multiply(int axis, const Matrix& matrix) {
        const Index n = rows_[axis].count;
        const Index stride = axis == 2 ? 1 : axis == 1 ? rows_[2].count : rows_[1].count * rows_[2].count;
        std::vector<Real> sums(stride);
        std::vector<Real> slab(n * stride);
        for (Real* base = values_.data(); base != values_.data() + values_.size(); base += n * stride) {
            std::copy_n(base, n * stride, slab.data());
            for (Index r = 0; r < n; ++r) {
                std::fill(sums.begin(), sums.end(), Real(0));
                for (Index c = 0; c < n; ++c) {
                    const Real factor = matrix[r][c];
                    const Real* const from = slab.data() + c * stride;
                    for (Index s = 0; s < stride; ++s) sums[s] += factor * from[s];
                }
                std::copy(sums.begin(), sums.end(), base + r * stride);
            }
        }
    }

    UnknownField& operator+=(const UnknownField& other) {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += other.values_[i];
        return *this;
    }

    /// All stored points, 0 at Dirichlet nodes.
    [[nodiscard]] Field<Real> stored() {
        Field<Real> field(grid_.points());
        const FieldView<Real> view = field.view();
        for (Index i = 0; i < view.size(); ++i) view.data[i] = 0;
        for_each([&](const Real& value, Index i, Index j, Index k) {
            view(rows_[0].first + i, rows_[1].first + j, rows_[2].first + k) = value;
        });
        return field;
    }

private:
    Grid grid_;
    std::array<Unknowns, 3> rows_{};
    std::vector<Real> values_;
};

/// (∇² − λ) u.
template <class T>
Field<Real> separable_apply(const Problem& problem, FieldView<const T> u) {
    UnknownField sum(problem.grid, u);
    sum.for_each([&](Real& value, Index, Index, Index) { value *= -static_cast<Real>(problem.helmholtz); });
    for (int a = 0; a < 3; ++a) {
        UnknownField part(problem.grid, u);
        part.multiply(a, axis_matrix(problem.grid.axes[a], problem.discretization));
        sum += part;
    }
    return sum.stored();
}

/// The solution along one axis that has no modes here: (A + (Λ_b + Λ_c − λ)) u = f line by line, by elimination
/// with the whole matrix, where that is singular with the mean of f removed and that of u set to 0.
inline void solve_lines(const Problem& problem, int axis, const std::array<std::vector<Real>, 3>& eigenvalues,
                        UnknownField& u) {
    const Matrix whole = axis_matrix(problem.grid.axes[axis], problem.discretization);
    const Index n = whole.size();
    std::vector<Real> weights(n);
    Real total = 0;
    for (Index j = 0; j < n; ++j)
        total += weights[j] = mean_weight(problem.grid.axes[axis], unknowns(problem.grid.axes[axis]).first + j);
    // Lines by their index across the axis.
    const int b = axis == 0 ? 1 : 0;
    const int c = axis == 2 ? 1 : 2;
    std::vector<std::vector<Real>> lines(eigenvalues[b].size() * eigenvalues[c].size(), std::vector<Real>(n));
    const auto visit = [&](const auto& body) {
        u.for_each([&](Real& value, Index i, Index j, Index k) {
            const std::array<Index, 3> at{i, j, k};
            body(value, lines[at[b] * eigenvalues[c].size() + at[c]], at[axis]);
        });
    };
    visit([](Real& value, std::vector<Real>& line, Index j) { line[j] = value; });
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const Real shift = eigenvalues[b][l / eigenvalues[c].size()] + eigenvalues[c][l % eigenvalues[c].size()] -
                           problem.helmholtz;
        const bool singular_line = l == 0 && singular(problem);
        Matrix a(singular_line ? n + 1 : n);
        for (Index r = 0; r < n; ++r) {
            for (Index s = 0; s < n; ++s) a[r][s] = whole[r][s];
            a[r][r] += shift;
            if (singular_line) a[r][n] = 1, a[n][r] = weights[r] / total;
        }
        std::vector<Real> right = lines[l];
        right.resize(a.size(), 0);
        const std::vector<Real> solution = LU(a).solve(right);
        std::copy_n(solution.begin(), n, lines[l].begin());
    }
    visit([](Real& value, const std::vector<Real>& line, Index j) { value = line[j]; });
}

/// Eigenvalues, vectors as columns, and the inverse of those.
struct AxisModes {
    std::vector<Real> eigenvalues;
    Matrix to_values, from_values;
};

/// Of any axis of second order, by Jacobi rotations of S = D^½ A D^−½ with A = d²/dx² and D the control volumes.
inline AxisModes modes_by_rotations(const Axis& axis) {
    const auto [first, n] = unknowns(axis);
    Matrix s = axis_matrix(axis, Discretization::second_order);
    std::vector<Real> root(n);
    for (Index j = 0; j < n; ++j) root[j] = std::sqrt(mean_weight(axis, first + j));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) s[i][j] *= root[i] / root[j];
    Matrix v(n);
    for (Index i = 0; i < n; ++i) v[i][i] = 1;
    for (bool more = true; more;) {
        more = false;
        for (Index p = 0; p < n; ++p)
            for (Index q = p + 1; q < n; ++q) {
                const Real limit = std::sqrt(std::abs(s[p][p]) * std::abs(s[q][q]));
                if (std::abs(s[p][q]) <= std::numeric_limits<Real>::epsilon() * limit || s[p][q] == 0) continue;
                if (std::abs(s[p][q]) <= 1e-40L) continue;
                more = true;
                const Real tau = (s[q][q] - s[p][p]) / (2 * s[p][q]);
                const Real t = (tau < 0 ? -1 : 1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
                const Real c = 1 / std::sqrt(1 + t * t);
                for (Index k = 0; k < n; ++k) {
                    const Real a = s[k][p], b = s[k][q];
                    s[k][p] = c * (a - t * b), s[k][q] = c * (b + t * a);
                }
                for (Index k = 0; k < n; ++k) {
                    const Real a = s[p][k], b = s[q][k];
                    s[p][k] = c * (a - t * b), s[q][k] = c * (b + t * a);
                }
                for (Index k = 0; k < n; ++k) {
                    const Real a = v[k][p], b = v[k][q];
                    v[k][p] = c * (a - t * b), v[k][q] = c * (b + t * a);
                }
            }
    }
    AxisModes modes{std::vector<Real>(n), Matrix(n), Matrix(n)};
    for (Index k = 0; k < n; ++k) {
        modes.eigenvalues[k] = s[k][k];
        for (Index j = 0; j < n; ++j) {
            modes.to_values[j][k] = v[j][k] / root[j];
            modes.from_values[k][j] = v[j][k] * root[j];
        }
    }
    return modes;
}

/// The solution u = B (Λ − λ)⁻¹ B⁻¹ f, the constant mode of a singular problem set to 0. Of axes without formulas
/// for their modes the last is solved line by line; where there are more of them, the problem must not be singular.
template <class T>
Field<Real> separable_solve(const Problem& problem, FieldView<const T> f) {
    UnknownField u(problem.grid, f);
    std::array<std::vector<Real>, 3> eigenvalues;
    std::array<Matrix, 3> to_values{Matrix(0), Matrix(0), Matrix(0)};
    int without_modes = -1;
    for (int a = 0; a < 3; ++a)
        if (!has_fast_transform(problem.grid.axes[a])) without_modes = a;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        if (a == without_modes) continue;
        if (!has_fast_transform(axis)) {
            AxisModes modes = modes_by_rotations(axis);
            eigenvalues[a] = modes.eigenvalues;
            to_values[a] = modes.to_values;
            u.multiply(a, modes.from_values);
            continue;
        }
        for (Index k = 0; k < unknowns(axis).count; ++k)
            eigenvalues[a].push_back(mode_eigenvalue(axis, problem.discretization, k));
        to_values[a] = mode_matrix(axis);
        u.multiply(a, inverse(to_values[a]));
    }
    if (without_modes >= 0) solve_lines(problem, without_modes, eigenvalues, u);
    if (without_modes < 0)
        u.for_each([&](Real& value, Index i, Index j, Index k) {
            const Real sum = eigenvalues[0][i] + eigenvalues[1][j] + eigenvalues[2][k] - problem.helmholtz;
            value = sum == 0 ? 0 : value / sum;  // 0 only for the constant: its three eigenvalues are exactly 0
        });
    for (int a = 0; a < 3; ++a)
        if (a != without_modes) u.multiply(a, to_values[a]);
    return u.stored();
}

}  // namespace poisson3d::test
