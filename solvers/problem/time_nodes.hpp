// Kernels of a box with free axes as sums over times,
//
//     K = ∫₀^∞ e^{−(λ+μ)t} Π_i B_i(t) dt = Σ_q w_q e^{−(λ+μ) t_q} Π_i B_i(t_q) + rounding
//
// with the heat kernels B_i of the free axes (heat_kernel.hpp) and the eigenvalues μ of −d²/dx² on the others.
// Nodes depend on the steps and lengths of the free axes and on ν, the least λ + μ of the modes they are made for:
// any number above 0, or 0 itself, which is decided by the problem as given and not by size.
//
// Where two axes are free and ν = 0, K grows like −ln r without bound and the integral does not exist. Its constant
// is chosen so that K → −V ln r / 2π far away, r in units of length, V the product of the steps of the free axes:
// ∫₀^∞ (Π B_i − V e^{−r₀²/4t}/4πt) dt − V ln r₀ / 2π. All that is constant stands at one last node, so late that
// Π B_i is V/4πt there for all points of the window; its weight may be negative. Nodes with ν = 0 are for the one
// mode λ + μ = 0, those of ν > 0 for all others. Where another constant is taken from u in the end
// (free_faces.hpp), K → −V ln(r/r₁) / 2π instead, r₁ a typical distance in the windows.
//
// Source: Greengard, Jiang and Zhang, Adv. Comput. Math. 44 (2018), for sums of Gaussians on boxes of any shape;
// Trefethen and Weideman, SIAM Review 56 (2014), for the trapezoid rule.
#pragma once

#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d {

struct TimeNodes {
    std::vector<long double> times, weights;

    [[nodiscard]] Index size() const noexcept { return static_cast<Index>(times.size()); }
};

/// Of all times: K to a relative `eps` (of the type of the tables) at all distances in the windows. Second_order;
/// two or three free axes, or one and ν > 0. Of two free axes and ν = 0 with the constant of far away or, if not
/// `far`, with one of the size of K in the windows.
TimeNodes all_times(const Grid& grid, long double least, double eps, bool far = true);

/// t*, until which no heat reaches the rim of any window: up to there K in mode space is (1 − e^{−t*Σ})/Σ.
long double early_time(const Problem& problem, double eps);

/// Of all times after `early`, for kernels in mode space (windowed_heat_kernel). Two or three free axes, or one and
/// ν > 0.
TimeNodes late_times(const Problem& problem, long double least, long double early, double eps);

}  // namespace poisson3d
