// How large and how small numbers may be.
//
// Transforms are not normalised: on the way to mode space numbers grow as far as the round-trip factor R of the
// three axes, N to 8N for N points; along an axis that is eliminated up to its n points add up, too. So f is read
// times 2^−s, exactly, and modes get 2^s back with their factor 2^s/R, where 2^s is about √R: what large numbers
// win at one end of the range small ones lose at the other. No digit changes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Throws Error{data} unless λ, the eigenvalues, what is divided by them and the operator's norm are ordinary
/// numbers of T. The inverse square of a whole side is the least eigenvalue, or nearly so.
template <class T>
void validate_range(const Problem& problem);

/// The halvings that leave a number of T ordinary.
template <class T>
int max_halvings(double number) {
    return std::max(0, std::ilogb(number) - (std::numeric_limits<T>::min_exponent - 1));
}

/// s, for any solve of this problem: at most what leaves the factors of boundary data ordinary numbers.
template <class T>
int halving(const Problem& problem);

/// The s of a solve with this scale, which must stay an ordinary number of T.
template <class T>
int halving(int of_problem, double scale) {
    return scale == 0.0 || !std::isfinite(scale) ? of_problem : std::min(of_problem, max_halvings<T>(scale));
}

template <class T>
Range range_of(const Problem& problem);

}  // namespace poisson3d
