// What the modes of zero-padded lines are multiplied by, û = −K f̂, so that u is the convolution with the kernel of
// a box with free axes.
//
// A free line of n values is padded to its window M (heat_kernel.hpp) and repeats after 2M: it has the modes θ_k =
// πk/M, k = 0 … M (half-free: DCT or DST of length M, likewise numbered by k). With the symbols σ of the free axes
// and the eigenvalues μ of −d²/dx² on the others, Σ = λ + their sum, over two or three free axes
//
//     K = (1 − e^{−t*Σ})/Σ + Σ_q w_q e^{−t_q (λ+μ)} Π_i B̂_i(t_q, k_i)          (Σ = 0: t* in the place of the
//     fraction)
//
// Until t* no heat has reached the rim of a window and the first term is exact; it is large where K is small. Only
// the late times t_q know the window (time_nodes.hpp). Over one free axis all times are known in closed form,
//
//     K = (1 − (−1)^k r^M)/(σ_k + κ²),  κ² = λ + μ,  r = e^{−ℓ},  ℓ = 2 asinh(κh/2), spectral κh     (K = −(hM)²/2
//     for k = κ = 0)
//
// Differences from 1 are by expm1; those of the first term combine as a + b (1 + a) of numbers in [−1, 0], which
// cannot cancel. Made in long double and rounded once. Source: Vico, Greengard and Ferrando, J. Comput. Phys. 323
// (2016), for convolutions with truncated kernels.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d {

template <class T>
struct PaddedSymbol {
    /// Of the sum over q, a multiple of 4 (some may have weight 0); 0 with one free axis.
    Index terms = 0;
    /// [axis][k · terms + q]: B̂ of a free axis, e^{−t_q (μ_k − μ_min)} of another one. Weights and e^{−t_q (λ + Σ
    /// μ_min)} are in those of axis 0. Where two axes are free and a mode with λ + μ = 0 has nodes of its own, the
    /// third axis has 0 for the nodes that are not for its mode.
    std::array<std::vector<T>, 3> late;
    /// [axis][k]: expm1(−t* σ_k) or expm1(−t* (μ_k − μ_min)), in [−1, 0].
    std::array<std::vector<T>, 3> early;
    /// [axis][k]: σ_k or μ_k − μ_min, from 0 on.
    std::array<std::vector<T>, 3> eigenvalue;
    T shift = 0;         ///< λ + Σ μ_min, from 0 on
    T early_shift = 0;   ///< expm1(−t* shift)
    T zero = 0;          ///< K of mode (0, 0, 0) where shift is 0, with its constant: as it is far away, or 0
    int free_axis = -1;  ///< the one free axis, whose K is the closed form; −1: there are several
    std::vector<T> gap;  ///< 1 − r^M of one free axis, for the modes of the two other axes in index order

    /// K of a mode, k counted as in the tables.
    [[nodiscard]] T value(Index k0, Index k1, Index k2) const;
};

/// Rows of an axis' tables: M + 1 of a free axis, else one for each unknown, in the order of eigenvalues().
Index symbol_rows(const Axis& axis);

/// Of a valid problem with free axes. Not `far`, where u grows far away: with the constant that leaves K the mean 0
/// in its window.
template <class T>
PaddedSymbol<T> padded_symbol(const Problem& problem, bool far = true);

}  // namespace poisson3d
