// Kernels of a free axis by brute force in long double, sharing nothing with the solver.
//
// Second-order the heat kernel is the Fourier integral (1/2π) ∫ cos(jθ) e^{−tσ(θ)} dθ, by the trapezoid rule in θ.
// Spectral it is made of the 2M modes of the window, with sums written out,
//
//   H(t, j) = (1/2M) Σ_k Ĥ_k cos(πjk/M),   Ĥ_k = e^{−t s_k²} for t ≤ (Mh)²/150, else Σ_j of the kernel in the
//   window
//
// and with no other free axis K is made of (1 − (−1)^k e^{−κMh})/(s_k² + κ²) in the place of Ĥ_k. Images stand
// behind a wall.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "axis_rules.hpp"

namespace poisson3d::test {

/// Kernels of a free axis by distance, and between its unknowns.
class FreeLine {
public:
    FreeLine(const Axis& axis, Discretization discretization)
        : axis_(axis), spectral_(discretization == Discretization::spectral), h_(axis.spacing) {
        finer_ = window() < 24 ? (window() + 23) / window() : 1;
        for (Index i = 0; i < 2 * finer_ * window(); ++i)
            cosines_.push_back(std::cos(pi * static_cast<Real>(i) / static_cast<Real>(finer_ * window())));
    }

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
        if (x > 1e12L) {  // what is left of j is below 10⁻²⁰ then
            for (Index j = 0; j <= window(); ++j)
                kernel[j] = (1 - (4 * static_cast<Real>(j * j) - 1) / (8 * x)) / std::sqrt(2 * pi * x);
            return kernel;
        }
        const Index samples = 2 * window() + 80 + static_cast<Index>(14 * std::sqrt(x));
        for (Index m = 0; 2 * m <= samples; ++m) {
            const Real theta = 2 * pi * static_cast<Real>(m) / static_cast<Real>(samples);
            const Real half = std::sin(theta / 2);
            if (2 * x * half * half > 60) break;
            const std::complex<Real> step = std::polar(Real(1), theta);
            std::complex<Real> wave = (m == 0 || 2 * m == samples ? 1 : 2) * std::exp(-2 * x * half * half);
            for (Index j = 0; j <= window(); ++j, wave *= step) kernel[j] += wave.real();
        }
        for (Real& value : kernel) value /= static_cast<Real>(samples);
        return kernel;
    }

    /// Windows below 24 points are sampled finer.
    [[nodiscard]] std::vector<Real> windowed_heat(Real t) const {
        const Index m = window();
        const Real reach = h_ * static_cast<Real>(m);
        const Index samples = finer_ * m;
        std::vector<Real> kernel(samples + 1);
        for (Index j = 0; j <= samples; ++j) {
            const Real x = reach * static_cast<Real>(j) / static_cast<Real>(samples);
            const Real once = j == 0 || j == samples ? 1 : 2;
            kernel[j] = once * std::exp(-x * x / (4 * t)) * h_ / static_cast<Real>(finer_) / std::sqrt(4 * pi * t);
        }
        std::vector<Real> modes(m + 1);
        for (Index k = 0; k <= m; ++k) {
            const Real s = pi * static_cast<Real>(k) / reach;
            if (t <= reach * reach / 150)
                modes[k] = std::exp(-t * s * s);
            else
                for (Index j = 0; j <= samples; ++j) modes[k] += kernel[j] * cosines_[j * k % (2 * samples)];
        }
        return from_modes(modes);
    }

    [[nodiscard]] std::vector<Real> from_modes(const std::vector<Real>& modes) const {
        const Index m = window();
        std::vector<Real> kernel(m + 1);
        for (Index j = 0; j <= m; ++j) {
            for (Index k = 0; k <= m; ++k)
                kernel[j] += (k == 0 || k == m ? 1 : 2) * modes[k] * cosines_[j * k % (2 * m) * finer_];
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
    Index finer_ = 1;
    std::vector<Real> cosines_;  ///< of πi over the samples of the window
};

}  // namespace poisson3d::test
