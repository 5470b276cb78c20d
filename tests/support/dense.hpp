// The solution by brute force in long double, sharing nothing with the solver but the description of the problem.
//
// Per axis the matrix of d²/dx² is written down from the rules of its kind:
//   second-order   the 3-point stencil with the ghost values of the boundaries
//   spectral       B Λ B⁻¹, B the eigenfunctions of the differential operator sampled at the unknowns
// The Kronecker sum of the three minus λ is solved by LU with pivoting. A singular problem is bordered,
//   [A 1; wᵀ 0] (u, μ) = (f, 0),   w the weights of the mean,
// which has one solution: μ is the mean removed from f, and u has mean zero.
#pragma once

#include <array>

#include "axis_rules.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::test {

/// The whole system, factored once. Meant for some hundred unknowns.
class Dense {
public:
    struct Solution {
        Field<Real> u;
        Real mean_removed = 0;
    };

    explicit Dense(const Problem& problem)
        : problem_(problem), singular_(constants_vanish(problem)), lu_(system()) {}

    template <class T>
    [[nodiscard]] Solution solve(FieldView<const T> f) const {
        std::vector<Real> b;
        for_each([&](Index i, Index j, Index k) { b.push_back(f(i, j, k)); });
        if (singular_) b.push_back(0);
        const std::vector<Real> x = lu_.solve(b);
        Solution solution{Field<Real>(problem_.grid.points())};
        const FieldView<Real> u = solution.u.view();
        for (Index i = 0; i < u.size(); ++i) u.data[i] = 0;
        Index row = 0;
        for_each([&](Index i, Index j, Index k) { u(i, j, k) = x[row++]; });
        if (singular_) solution.mean_removed = x.back();
        return solution;
    }

private:
    static bool constants_vanish(const Problem& problem) {
        bool answer = problem.helmholtz == 0.0;
        for (const Axis& axis : problem.grid.axes)
            for (const int side : {0, 1}) {
                const Boundary wall = side == 0 ? axis.lower : axis.upper;
                answer = answer && wall != Boundary::dirichlet &&
                         !(wall == Boundary::robin && axis.robin[side].alpha > 0.0);
            }
        return answer;
    }

    /// Every unknown, in the order of the rows of the system.
    template <class Body>
    void for_each(Body body) const {
        const auto [x, y, z] = std::array{unknowns(axis(0)), unknowns(axis(1)), unknowns(axis(2))};
        for (Index i = x.first; i < x.first + x.count; ++i)
            for (Index j = y.first; j < y.first + y.count; ++j)
                for (Index k = z.first; k < z.first + z.count; ++k) body(i, j, k);
    }

    [[nodiscard]] const Axis& axis(int a) const { return problem_.grid.axes[a]; }

    [[nodiscard]] Matrix system() const {
        const Matrix x = axis_matrix(axis(0), problem_.discretization);
        const Matrix y = axis_matrix(axis(1), problem_.discretization);
        const Matrix z = axis_matrix(axis(2), problem_.discretization);
        const Index size = x.size() * y.size() * z.size();
        Matrix a(singular_ ? size + 1 : size);
        const auto row_of = [&](Index i, Index j, Index k) { return (i * y.size() + j) * z.size() + k; };
        for (Index i = 0; i < x.size(); ++i)
            for (Index j = 0; j < y.size(); ++j)
                for (Index k = 0; k < z.size(); ++k) {
                    Real* const row = a[row_of(i, j, k)];
                    for (Index c = 0; c < x.size(); ++c) row[row_of(c, j, k)] += x[i][c];
                    for (Index c = 0; c < y.size(); ++c) row[row_of(i, c, k)] += y[j][c];
                    for (Index c = 0; c < z.size(); ++c) row[row_of(i, j, c)] += z[k][c];
                    row[row_of(i, j, k)] -= problem_.helmholtz;
                }
        if (singular_) {
            Index row = 0;
            for_each([&](Index i, Index j, Index k) {
                a[row][size] = 1;
                a[size][row++] = mean_weight(axis(0), i) * mean_weight(axis(1), j) * mean_weight(axis(2), k);
            });
        }
        return a;
    }

    Problem problem_;
    bool singular_;
    LU lu_;
};

/// ‖a − reference‖ / ‖reference‖ in the L2 norm; a zero reference asks for exact zeros. NaN stays NaN.
template <class T>
double relative_error(FieldView<const T> a, FieldView<const Real> reference) {
    Real difference = 0;
    Real norm = 0;
    for (Index i = 0; i < a.extents[0]; ++i)
        for (Index j = 0; j < a.extents[1]; ++j)
            for (Index k = 0; k < a.extents[2]; ++k) {
                const Real d = a(i, j, k) - reference(i, j, k);
                difference += d * d;
                norm += reference(i, j, k) * reference(i, j, k);
            }
    return static_cast<double>(difference == 0 ? 0 : std::sqrt(difference / norm));
}

}  // namespace poisson3d::test
