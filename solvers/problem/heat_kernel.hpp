// Heat kernels of a free axis: of 1 at one point at time 0, what is j points away at time t, on a line without end.
//
//     second-order   B(t, j) = e^{−x} I_j(x), x = 2t/h²       spectral   B(t, j) = h (4πt)^{−1/2} e^{−(jh)²/4t}
//
// An integral over t of products of these, one factor for each axis, is the Green's function of the box: in three
// dimensions every kernel is then a sum of products of one-dimensional tables (time_nodes.hpp). An axis with one
// free face has an image behind its wall, + Neumann, − Dirichlet, which j and j' count from:
//
//     cells  B(j − j') ± B(j + j' + 1)          nodes  B(j − j') ± B(j + j')
//
// Source: Feller, An Introduction to Probability Theory II (1971), II.7; Abramowitz and Stegun, 9.6 and 9.7.
#pragma once

#include <span>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d {

/// B(t, j) for j = 0 … count − 1, to the last digits of long double. t > 0.
std::vector<long double> heat_kernel(Discretization discretization, long double step, long double time,
                                     Index count);

/// M, the farthest distance of points and images that matters, in steps: n, or 2n of an axis with one free face. A
/// line of zeros and values repeats after 2M.
Index window(const Axis& axis) noexcept;

/// One face is free, the other a wall.
bool half_free(const Axis& axis) noexcept;

/// What of 1 at stored point `from` is at point `to`, with the image at the wall if there is one: `kernel` the
/// values B(t, j) for j = 0 … window + 2. Points may lie one step beyond free faces. At a Neumann node the image of
/// the node itself is not counted again (its control volume is half a step), a Dirichlet node is empty.
long double heat_between(std::span<const long double> kernel, const Axis& axis, Index to, Index from);

/// B̂(t, k) = B(t, 0) + 2 Σ_{j=1}^{M−1} B(t, j) cos(πjk/M) + (−1)^k B(t, M) for k = 0 … M, the kernel cut off at the
/// rim of its window: element k · times.size() + q. Where no heat has reached the rim it is e^{−tσ_k}: of spectral
/// by definition as long as t ≤ (Mh)²/150, since samples would miss what a coarse axis does not resolve. For the
/// same reason windows below 24 points are sampled finer there.
std::vector<long double> windowed_heat_kernel(Discretization discretization, long double step, Index window,
                                              std::span<const long double> times);

/// σ_k of the modes θ_k = πk/M, k = 0 … M: (4/h²) sin²(θ/2), spectral (θ/h)².
std::vector<long double> symbol(Discretization discretization, long double step, Index window);

}  // namespace poisson3d
