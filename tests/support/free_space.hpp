// Problems with free faces by brute force in long double, sharing nothing with the solver but their description.
//
// Axes that are not free are diagonalised by dense matrices of their modes (axis_rules.hpp). For every mode of
// these, with κ² = λ + μ, u = −K f with the kernel on the free axes
//
//   one free axis      second-order  h² r^{|j|} / (2 sinh ℓ),  −h² |j| / 2 for κ = 0;   spectral: see below
//   two, three         ∫ e^{−κ²t} Π H_i(t) dt, by the trapezoid rule in ln t, whose error falls like e^{−π²/δ}
//
// H_i is the heat kernel of a free axis between all its points, with images behind a wall. Second-order it is the
// Fourier integral (1/2π) ∫ cos(jθ) e^{−tσ(θ)} dθ, by the trapezoid rule in θ. Spectral it is made of the 2M modes
// of the window, with sums written out,
//
//   H(t, j) = (1/2M) Σ_k Ĥ_k cos(πjk/M),   Ĥ_k = e^{−t s_k²} for t ≤ (Mh)²/150, else Σ_j of the kernel in the
//   window
//
// and over one free axis K is made of (1 − (−1)^k e^{−κMh})/(s_k² + κ²) in the place of Ĥ_k.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "axis_rules.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::test {

/// Kernels of a free axis by distance, and between its unknowns.
class FreeLine {
public:
    FreeLine(const Axis& axis, Discretization discretization)
        : axis_(axis), spectral_(discretization == Discretization::spectral), h_(axis.spacing) {}

    [[nodiscard]] Real step() const { return h_; }
    [[nodiscard]] Boundary wall() const { return axis_.lower == Boundary::free ? axis_.upper : axis_.lower; }
    /// M: 2n where images stand behind a wall.
    [[nodiscard]] Index window() const { return (wall() == Boundary::free ? 1 : 2) * axis_.points; }

    [[nodiscard]] Matrix heat(Real t) const { return between(spectral_ ? windowed_heat(t) : lattice_heat(t)); }

    /// K for κ² with no other free axis.
    [[nodiscard]] Matrix alone(Real square) const {
        const Index m = window();
        std::vector<Real> kernel(m + 1);
        const Real kappa = std::sqrt(square);
        const Real l = 2 * std::asinh(kappa * h_ / 2);
        for (Index j = 0; j <= m; ++j)
            kernel[j] = kappa > 0 ? h_ * h_ * std::exp(-l * static_cast<Real>(j)) / (2 * std::sinh(l))
                                  : -h_ * h_ * static_cast<Real>(j) / 2;
        if (!spectral_) return between(kernel);
        std::vector<Real> modes(m + 1);
        const Real reach = h_ * static_cast<Real>(m);
        for (Index k = 0; k <= m; ++k) {
            const Real s = pi * static_cast<Real>(k) / reach;
            const Real sign = k % 2 == 0 ? 1 : -1;
            if (kappa > 0)
                modes[k] =
                    (k % 2 == 0 ? -std::expm1(-kappa * reach) : 1 + std::exp(-kappa * reach)) / (s * s + square);
            else
                modes[k] = k == 0 ? -reach * reach / 2 : (1 - sign) / (s * s);
        }
        return between(from_modes(modes));
    }

private:
    static constexpr Real pi = std::numbers::pi_v<Real>;

    [[nodiscard]] std::vector<Real> lattice_heat(Real t) const {
        const Real x = 2 * t / (h_ * h_);
        std::vector<Real> kernel(window() + 1);
        for (Index j = 0; j <= window(); ++j) {
            const Real square = 4 * static_cast<Real>(j * j);
            if (x > 1e12L) {  // what is left of j is below 10⁻²⁰ then
                kernel[j] = (1 - (square - 1) / (8 * x)) / std::sqrt(2 * pi * x);
                continue;
            }
            const Index samples = 2 * j + 80 + static_cast<Index>(14 * std::sqrt(x));
            for (Index m = 0; 2 * m <= samples; ++m) {
                const Real turn = static_cast<Real>(m) / static_cast<Real>(samples);
                const Real half = std::sin(pi * turn);
                if (2 * x * half * half > 60) break;
                const Real phase = 2 * pi * static_cast<Real>(m * j % samples) / static_cast<Real>(samples);
                kernel[j] +=
                    (m == 0 || 2 * m == samples ? 1 : 2) * std::cos(phase) * std::exp(-2 * x * half * half);
            }
            kernel[j] /= static_cast<Real>(samples);
        }
        return kernel;
    }

    /// Windows below 24 points are sampled finer.
    [[nodiscard]] std::vector<Real> windowed_heat(Real t) const {
        const Index m = window();
        const Real reach = h_ * static_cast<Real>(m);
        const Index finer = m < 24 ? (m + 23) / m : 1;
        const Index samples = finer * m;
        std::vector<Real> modes(m + 1);
        for (Index k = 0; k <= m; ++k) {
            const Real s = pi * static_cast<Real>(k) / reach;
            if (t <= reach * reach / 150) {
                modes[k] = std::exp(-t * s * s);
                continue;
            }
            for (Index j = 0; j <= samples; ++j) {
                const Real x = reach * static_cast<Real>(j) / static_cast<Real>(samples);
                const Real once = j == 0 || j == samples ? 1 : 2;
                const Real phase = pi * static_cast<Real>(j * k % (2 * samples)) / static_cast<Real>(samples);
                modes[k] += once * std::exp(-x * x / (4 * t)) * std::cos(phase);
            }
            modes[k] *= h_ / static_cast<Real>(finer) / std::sqrt(4 * pi * t);
        }
        return from_modes(modes);
    }

    [[nodiscard]] std::vector<Real> from_modes(const std::vector<Real>& modes) const {
        const Index m = window();
        std::vector<Real> kernel(m + 1);
        for (Index j = 0; j <= m; ++j) {
            for (Index k = 0; k <= m; ++k) {
                const Real once = k == 0 || k == m ? 1 : 2;
                kernel[j] +=
                    once * modes[k] * std::cos(pi * static_cast<Real>(j * k % (2 * m)) / static_cast<Real>(m));
            }
            kernel[j] /= static_cast<Real>(2 * m);
        }
        return kernel;
    }

    /// Distances become pairs of points; the image behind a wall is + for Neumann, − for Dirichlet. A Neumann node
    /// is its own image: what stands there is half of a cell.
    [[nodiscard]] Matrix between(const std::vector<Real>& kernel) const {
        const auto [first, count] = unknowns(axis_);
        const bool nodes = axis_.centering == Centering::node;
        Matrix matrix(count);
        for (Index r = 0; r < count; ++r)
            for (Index c = 0; c < count; ++c) {
                const auto from_wall = [&, skip = first](Index place) {
                    const Index j = skip + place;
                    return axis_.lower == Boundary::free ? axis_.points - 1 - j : j;
                };
                matrix[r][c] = kernel[std::abs(r - c)];
                const Index image = from_wall(r) + from_wall(c) + (nodes ? 0 : 1);
                if (wall() == Boundary::dirichlet) matrix[r][c] -= kernel[image];
                if (wall() == Boundary::neumann && !(nodes && from_wall(c) == 0)) matrix[r][c] += kernel[image];
            }
        return matrix;
    }

    Axis axis_;
    bool spectral_;
    Real h_;
};

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

private:
    [[nodiscard]] const Axis& axis(int a) const { return problem_.grid.axes[a]; }
    [[nodiscard]] FreeLine line(int a) const { return {axis(a), problem_.discretization}; }

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

    [[nodiscard]] Unknown3 summed_over_times(const Unknown3& f) const {
        Unknown3 kappa(problem_.grid);
        kappa.for_each([&](Real& value, Index i, Index j, Index k) { value = square_of_kappa({i, j, k}); });
        Real volume = 1, least = 0, longest = 0, stiffest = 0;
        for (const int a : free_) {
            const Real h = line(a).step();
            volume *= h;
            stiffest = std::max(stiffest, 30 / (h * h));
            longest = std::max(longest, h * static_cast<Real>(line(a).window() + 8));
        }
        stiffest += std::ranges::max(kappa.values_);
        least = std::ranges::min(kappa.values_);
        const bool grows = least == 0 && free_.size() == 2;
        const Real distance = 0.2L;
        const Real begin = std::log(1 / stiffest) - 46;
        // Far out the integrand falls like e^{−κ²t} or, in ln t, like a power of t.
        const Real end = least > 0 ? std::log(60 / least) : std::log(longest * longest) + 96;
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
};

}  // namespace poisson3d::test
