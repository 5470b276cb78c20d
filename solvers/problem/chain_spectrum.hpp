// Eigenvalues of an axis as a chain, one at a time, by bisection.
#pragma once

#include "chain.hpp"

namespace poisson3d {

/// The eigenvalue of −u'' with k smaller ones (k from 0), to a relative 10⁻⁶; infinity if there are no more than k
/// unknowns. 0 for k = 0 without ground.
///
/// As many eigenvalues lie below σ as A − σD has negative pivots (Sylvester). Pivots are formed from conductances
/// and the excess e = G − σD, never from the diagonal, which would lose e beside them.
double chain_eigenvalue(const Chain& chain, Index k);

}  // namespace poisson3d
