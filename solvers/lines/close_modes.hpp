// Modes of eigenvalues that no arithmetic tells apart, as those of equal parts of a chain that are as good as
// separate: any vectors of the space that belongs to them, since by as little do they miss the equation.
//
// With μ a little below them all, (K − μD)⁻¹ e_r is a vector of that space for any r: the response to a current at
// node r (ladder.hpp), and D_r/γ_r says how much of e_r lies in it. Nodes r are taken by turns where most is left,
// as in a Cholesky factorisation with pivots: one in each part, so that vectors are nearly orthogonal.
#pragma once

#include <vector>

#include "ladder.hpp"

namespace poisson3d::lines {

/// `count` vectors with Σ D v² = 1, one after the other, for eigenvalues between low and high. `width`: at least
/// high − low, and more than rounding errors of an eigenvalue of twice the precision.
std::vector<DoubleDouble> close_modes(const LadderView& chain, DoubleDouble low, double width, int count);

}  // namespace poisson3d::lines
