// Free space by brute force in long double: u = −K f with the Green's function of the box as a sum over times of
// products of one matrix for each axis: heat kernels of free axes (solvers/problem/heat_kernel.hpp), of others
// e^{−tA}, A the matrix of −d²/dx². Where λ = 0 and the constant is a mode of an axis that is not free, it has
// nodes of its own.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "axis_kind.hpp"
#include "axis_rules.hpp"
#include "heat_kernel.hpp"
#include "poisson3d/field.hpp"
#include "spectrum.hpp"
#include "time_nodes.hpp"

namespace poisson3d::test {

/// Second-order, two or three free axes.
class FreeGreen {
public:
    explicit FreeGreen(const Problem& problem) : problem_(problem) {
        for (int a = 0; a < 3; ++a) {
            count_[a] = axis_kind(problem.grid.axes[a]).unknowns;
            first_[a] = axis_kind(problem.grid.axes[a]).first;
            if (!problem.grid.axes[a].unbounded()) bound_ = a;
        }
    }

    /// K f, at the unknowns; the rest is 0.
    template <class T>
    Field<Real> solve(FieldView<const T> f) const {
        std::vector<Real> from(count_[0] * count_[1] * count_[2]);
        std::size_t at = 0;
        for (Index i = 0; i < count_[0]; ++i)
            for (Index j = 0; j < count_[1]; ++j)
                for (Index k = 0; k < count_[2]; ++k) from[at++] = f(first_[0] + i, first_[1] + j, first_[2] + k);
        std::vector<Real> u(from.size(), 0);
        constexpr double eps = 1e-19;
        const Real lambda = problem_.helmholtz;
        if (bound_ < 0) {
            add(all_times(problem_.grid, lambda, eps), Modes::all, from, u);
        } else {
            const Axis& axis = problem_.grid.axes[bound_];
            const std::vector<double> mu = eigenvalues(axis, Discretization::second_order);
            const bool apart = problem_.helmholtz == 0 && axis_kind(axis).constant_mode;
            if (apart) add(all_times(problem_.grid, 0, eps), Modes::constant, from, u);
            if (!apart || count_[bound_] > 1)
                add(all_times(problem_.grid, lambda - static_cast<Real>(mu[apart ? 1 : 0]), eps),
                    apart ? Modes::others : Modes::all, from, u);
        }
        Field<Real> solution(problem_.grid.points());
        const FieldView<Real> view = solution.view();
        for (Index i = 0; i < view.size(); ++i) view.data[i] = 0;
        at = 0;
        for (Index i = 0; i < count_[0]; ++i)
            for (Index j = 0; j < count_[1]; ++j)
                for (Index k = 0; k < count_[2]; ++k) view(first_[0] + i, first_[1] + j, first_[2] + k) = u[at++];
        return solution;
    }

private:
    enum class Modes { all, constant, others };

    void add(const TimeNodes& nodes, Modes modes, const std::vector<Real>& from, std::vector<Real>& u) const {
        for (Index q = 0; q < nodes.size(); ++q) {
            std::vector<Real> values = from;
            for (int a = 0; a < 3; ++a)
                values = along(
                    a, a == bound_ ? bound_matrix(nodes.times[q], modes) : free_matrix(a, nodes.times[q]), values);
            const Real decay = bound_ < 0 ? std::exp(-static_cast<Real>(problem_.helmholtz) * nodes.times[q]) : 1;
            for (std::size_t i = 0; i < u.size(); ++i) u[i] -= nodes.weights[q] * decay * values[i];
        }
    }

    [[nodiscard]] Matrix free_matrix(int a, Real time) const {
        const Axis& axis = problem_.grid.axes[a];
        const std::vector<Real> kernel =
            heat_kernel(Discretization::second_order, axis.step(), time, window(axis) + 3);
        Matrix matrix(count_[a]);
        for (Index i = 0; i < count_[a]; ++i)
            for (Index j = 0; j < count_[a]; ++j)
                matrix[i][j] = heat_between(kernel, axis, first_[a] + i, first_[a] + j);
        return matrix;
    }

    /// e^{−t(A+λ)} by a series at a small part of the time and squares.
    [[nodiscard]] Matrix bound_matrix(Real time, Modes modes) const {
        const Axis& axis = problem_.grid.axes[bound_];
        const Matrix a = axis_matrix(axis, Discretization::second_order);
        const Index n = a.size();
        Matrix mean(n);
        Real weights = 0;
        for (Index j = 0; j < n; ++j) weights += mean_weight(axis, first_[bound_] + j);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) mean[i][j] = mean_weight(axis, first_[bound_] + j) / weights;
        if (modes == Modes::constant) return mean;
        const Real h = axis.step();
        const Real norm = 4 / (h * h) + std::abs(static_cast<Real>(problem_.helmholtz));
        int squares = 0;
        Real part = time;
        for (; part * norm > 0.125L; part /= 2) ++squares;
        Matrix power(n), result(n);
        for (Index i = 0; i < n; ++i) power[i][i] = result[i][i] = 1;
        for (int k = 1; k < 24; ++k) {
            Matrix next(n);
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j) {
                    Real sum = -static_cast<Real>(problem_.helmholtz) * power[i][j];
                    for (Index m = 0; m < n; ++m) sum += a[i][m] * power[m][j];
                    next[i][j] = sum * part / k;
                }
            power = next;
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j) result[i][j] += power[i][j];
        }
        const auto subtract_mean = [&] {
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j) result[i][j] -= mean[i][j];
        };
        if (modes == Modes::others) subtract_mean();
        for (; squares > 0; --squares) {
            Matrix square(n);
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j)
                    for (Index m = 0; m < n; ++m) square[i][j] += result[i][m] * result[m][j];
            result = square;
        }
        return result;
    }

    [[nodiscard]] std::vector<Real> along(int a, const Matrix& matrix, const std::vector<Real>& from) const {
        const Index inner = a == 2 ? 1 : a == 1 ? count_[2] : count_[1] * count_[2];
        const Index n = count_[a];
        const auto size = static_cast<Index>(from.size());
        std::vector<Real> to(from.size(), 0);
        for (Index outer = 0; outer < size; outer += n * inner)
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j)
                    for (Index k = 0; k < inner; ++k)
                        to[outer + i * inner + k] += matrix[i][j] * from[outer + j * inner + k];
        return to;
    }

    Problem problem_;
    int bound_ = -1;  ///< the axis that is not free
    std::array<Index, 3> count_{}, first_{};
};

}  // namespace poisson3d::test
