// Problems with free faces by brute force in long double, sharing nothing with the solver but their description.
//
// Axes that are not free are diagonalised by dense matrices of their modes (axis_rules.hpp). For every mode of
// these, with κ² = λ + μ, u = −K f with the kernel on the free axes
//
//   one free axis      second-order  h² r^{|j|} / (2 sinh ℓ),  −h² |j| / 2 for κ = 0;   spectral: see below
//   two, three         ∫ e^{−κ²t} Π H_i(t) dt, by the trapezoid rule in ln t, whose error falls like e^{−π²/δ}
//
// H_i, and K of one free axis: free_line.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "axis_rules.hpp"
#include "free_line.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::test {

/// A field of unknowns, along any axis multiplied by a matrix.
class Unknown3 {
public:
    explicit Unknown3(const Grid& grid) {
        for (int a = 0; a < 3; ++a) range_[a] = unknowns(grid.axes[a]);
        values_.resize(range_[0].count * range_[1].count * range_[2].count);
    }
    template <class T>
    Unknown3(const Grid& grid, FieldView<const T> f) : Unknown3(grid) {
        for_each([&](Real& value, Index i, Index j, Index k) { value = f(i, j, k); });
    }

    /// What stands where, by stored indices.
    template <class Body>
    void for_each(Body body) {
        Index place = 0;
        for (Index i = 0; i < range_[0].count; ++i)
            for (Index j = 0; j < range_[1].count; ++j)
                for (Index k = 0; k < range_[2].count; ++k)
                    body(values_[place++], range_[0].first + i, range_[1].first + j, range_[2].first + k);
    }

    [[nodiscard]] Unknown3 times(const Matrix& matrix, int axis) const {
        Unknown3 result = *this;
        Index stride = 1;
        for (int a = axis + 1; a < 3; ++a) stride *= range_[a].count;
        const Index count = range_[axis].count;
        for (Index block = 0; block < static_cast<Index>(values_.size()); block += stride * count)
            for (Index s = 0; s < stride; ++s)
                for (Index r = 0; r < count; ++r) {
                    Real sum = 0;
                    for (Index c = 0; c < count; ++c) sum += matrix[r][c] * values_[block + c * stride + s];
                    result.values_[block + r * stride + s] = sum;
                }
        return result;
    }

    std::array<Unknowns, 3> range_{};
    std::vector<Real> values_;
};

/// u of a problem with uniform axes of which one, two or three are free, far away as gauge `far` says.
class FreeSpace {
public:
    explicit FreeSpace(const Problem& problem) : problem_(problem) {
        for (int a = 0; a < 3; ++a) {
            const Axis& axis = problem.grid.axes[a];
            (axis.unbounded() ? free_ : bounded_).push_back(a);
            lines_.emplace_back(axis, problem.discretization);
        }
    }

    template <class T>
    [[nodiscard]] Field<Real> solve(FieldView<const T> f) const {
        Unknown3 modes(problem_.grid, f);
        for (const int a : bounded_) modes = modes.times(inverse(mode_matrix(axis(a))), a);
        Unknown3 u = free_.size() == 1 ? with_one_free_axis(modes) : summed_over_times(modes);
        for (const int a : bounded_) u = u.times(mode_matrix(axis(a)), a);
        Field<Real> result(problem_.grid.points());
        for (Index i = 0; i < result.size(); ++i) result.data()[i] = 0;
        const FieldView<Real> view = result.view();
        u.for_each([&](const Real& value, Index i, Index j, Index k) { view(i, j, k) = -value; });
        return result;
    }

    /// u at one stored point, of boxes with three free axes that are too large for all of them.
    template <class T>
    [[nodiscard]] Real at(FieldView<const T> f, const std::array<Index, 3>& point) const {
        const Unknown3 from(problem_.grid, f);
        const Real lambda = problem_.helmholtz;
        const auto [begin, end] = times(lambda, lambda);
        Real u = 0;
        for (Real y = begin; y < end; y += Times::distance) {
            const Real t = std::exp(y);
            std::array<Matrix, 3> heat{line(0).heat(t), line(1).heat(t), line(2).heat(t)};
            std::array<const Real*, 3> row{};
            for (int a = 0; a < 3; ++a) row[a] = heat[a][point[a] - from.range_[a].first];
            Real sum = 0;
            Index place = 0;
            for (Index i = 0; i < from.range_[0].count; ++i)
                for (Index j = 0; j < from.range_[1].count; ++j) {
                    Real along = 0;
                    for (Index k = 0; k < from.range_[2].count; ++k) along += row[2][k] * from.values_[place++];
                    sum += row[0][i] * row[1][j] * along;
                }
            u -= Times::distance * t * std::exp(-lambda * t) * sum;
        }
        return u;
    }

private:
    [[nodiscard]] const Axis& axis(int a) const { return problem_.grid.axes[a]; }
    [[nodiscard]] const FreeLine& line(int a) const { return lines_[a]; }

    /// λ + μ of the mode that a value belongs to; of stored indices.
    [[nodiscard]] Real square_of_kappa(const std::array<Index, 3>& index) const {
        Real square = problem_.helmholtz;
        for (const int a : bounded_)
            square -= mode_eigenvalue(axis(a), problem_.discretization, index[a] - unknowns(axis(a)).first);
        return square;
    }

    [[nodiscard]] Unknown3 with_one_free_axis(const Unknown3& f) const {
        Unknown3 result(problem_.grid);
        const int a = free_[0];
        for (Index i = 0; i < f.range_[bounded_[0]].count; ++i)
            for (Index j = 0; j < f.range_[bounded_[1]].count; ++j) {
                std::array<Index, 3> index{};
                index[bounded_[0]] = f.range_[bounded_[0]].first + i;
                index[bounded_[1]] = f.range_[bounded_[1]].first + j;
                const Matrix kernel = line(a).alone(square_of_kappa(index));
                Unknown3 only = f;
                only.for_each([&](Real& value, Index x, Index y, Index z) {
                    const std::array<Index, 3> here{x, y, z};
                    for (const int b : bounded_)
                        if (here[b] != index[b]) value = 0;
                });
                only = only.times(kernel, a);
                for (std::size_t p = 0; p < result.values_.size(); ++p) result.values_[p] += only.values_[p];
            }
        return result;
    }

    /// Nodes in ln t from where nothing has spread to where nothing is left, e^{−κ²t} or a power of t.
    struct Times {
        Real begin, end;
        static constexpr Real distance = 0.22L;
    };
    [[nodiscard]] Times times(Real least, Real greatest) const {
        Real stiffest = greatest;
        for (const int a : free_) stiffest = std::max(stiffest, greatest + 30 / (line(a).step() * line(a).step()));
        return {std::log(1 / stiffest) - 46, least > 0 ? std::log(60 / least) : 2 * std::log(longest()) + 86};
    }
    [[nodiscard]] Real longest() const {
        Real length = 0;
        for (const int a : free_)
            length = std::max(length, line(a).step() * static_cast<Real>(line(a).window() + 8));
        return length;
    }

    [[nodiscard]] Unknown3 summed_over_times(const Unknown3& f) const {
        Unknown3 kappa(problem_.grid);
        kappa.for_each([&](Real& value, Index i, Index j, Index k) { value = square_of_kappa({i, j, k}); });
        const Real least = *std::ranges::min_element(kappa.values_);
        const auto [begin, end] = times(least, *std::ranges::max_element(kappa.values_));
        const Real distance = Times::distance, longest = this->longest();
        const Real volume = free_.size() == 2 ? line(free_[0]).step() * line(free_[1]).step() : 0;
        const bool grows = least == 0 && free_.size() == 2;
        Unknown3 sum(problem_.grid);
        Real constant = grows ? -std::log(longest) * volume / (2 * std::numbers::pi_v<Real>) : 0;
        for (Real y = begin; y < end; y += distance) {
            const Real t = std::exp(y);
            Unknown3 term = f;
            for (const int a : free_) term = term.times(line(a).heat(t), a);
            for (std::size_t p = 0; p < sum.values_.size(); ++p)
                sum.values_[p] += distance * t * std::exp(-t * kappa.values_[p]) * term.values_[p];
            constant -=
                grows ? distance * volume * std::exp(-longest * longest / (4 * t)) / (4 * std::numbers::pi_v<Real>)
                      : 0;
        }
        if (grows) add_constant(f, kappa, constant, sum);
        return sum;
    }

    /// Of the mode without κ: the same between all points, twice that where a Neumann wall has an image, nothing
    /// where a Dirichlet wall has one.
    void add_constant(const Unknown3& f, const Unknown3& kappa, Real constant, Unknown3& sum) const {
        Unknown3 term = f;
        for (std::size_t p = 0; p < sum.values_.size(); ++p)
            if (kappa.values_[p] != 0) term.values_[p] = 0;
        for (const int a : free_) {
            const Axis& axis = this->axis(a);
            const Index count = unknowns(axis).count;
            Matrix ones(count);
            for (Index r = 0; r < count; ++r)
                for (Index c = 0; c < count; ++c) {
                    const Index wall = axis.lower == Boundary::free ? axis.points - 1 : 0;
                    const bool once = axis.centering == Centering::node && unknowns(axis).first + c == wall;
                    const Boundary kind = line(a).wall();
                    ones[r][c] = kind == Boundary::free ? 1 : kind == Boundary::dirichlet ? 0 : once ? 1 : 2;
                }
            term = term.times(ones, a);
        }
        for (std::size_t p = 0; p < sum.values_.size(); ++p) sum.values_[p] += constant * term.values_[p];
    }

    Problem problem_;
    std::vector<int> free_, bounded_;
    std::vector<FreeLine> lines_;
};

}  // namespace poisson3d::test
