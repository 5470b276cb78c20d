// Eigenvalues of d²/dx² on one axis, and the search for modes whose eigenvalue is λ.
//
//   second-order   Λ_k = −(4/h²) sin²(θ_k/2)      exact for the 3-point stencil with its ghost rules
//   spectral       Λ_k = −(θ_k/h)²
//   θ_k            periodic 2πk/n · D–D π(k+1)/N · N–N πk/N · D–N, N–D π(k+½)/N, N = n (cell) or n−1 (node)
//
// An axis without fast transform has no such formula: of it there are bounds, single eigenvalues
// (chain_spectrum.hpp) and, for its matrices, all of them (lines/chain_modes.hpp).
//
// A periodic axis stores its modes half-complex: slot s belongs to mode min(s, n − s).
#pragma once

#include <string>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Λ by slot, one per unknown, computed in long double and rounded once. Of an axis that is transformed.
std::vector<double> eigenvalues(const Axis& axis, Discretization discretization);

/// Largest |Λ_x + Λ_y + Λ_z − λ| over all modes; with an uneven axis a bound of it, which is up to
/// twice as large.
double largest_eigenvalue(const Problem& problem);

/// Least |Λ_x + Λ_y + Λ_z − λ| over all modes but the constant of a box without Dirichlet faces; infinity if it has
/// no other. As many steps as resonant_modes().
double smallest_eigenvalue(const Problem& problem);

/// The least of −d²/dx² on one axis; 0 if it has a free face.
double least_eigenvalue(const Axis& axis, Discretization discretization);

/// κ = λ − Λ_a − Λ_b of the lowest modes of the two other axes: what an axis that is eliminated is solved with. It
/// must not be below 0, where pivots could vanish.
double lowest_kappa(const Problem& problem, int eliminated);

/// Names up to three modes with |Λ − λ| ≤ 4·eps·(Σ|Λ_axis| + |λ|), empty if there are none. Only λ < 0 can meet an
/// eigenvalue that way; λ = 0 is decided by the boundary kinds alone (singular()). Visits the sums of sorted
/// one-axis eigenvalues, O(n1 (n2 + n3)), not all modes. With uneven axes only the constant of the eliminated one
/// can, beside the lowest modes of the others.
std::string resonant_modes(const Problem& problem, double eps);
/// Throws Error{resonant} that names them, if there are any.
void require_no_resonance(const Problem& problem, double eps);

}  // namespace poisson3d
