// How much rounding is allowed: a function of the type and the size, the same for every test.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "poisson3d/grid.hpp"

namespace poisson3d::tolerance {

template <class T>
constexpr double eps = static_cast<double>(std::numeric_limits<T>::epsilon());

/// L = log2(2N), N the FFT length of the longest axis.
inline double levels(Index length) {
    return std::log2(2.0 * static_cast<double>(std::max<Index>(length, 1)));
}
inline double levels(const Extents& e) {
    return levels(std::max({e[0], e[1], e[2]}));
}

/// One line transform against the exact sum: relative L2 error over a batch.
template <class T>
double transform(Index length) {
    return eps<T> * levels(length);
}

/// A whole solve against the exact discrete solution: relative L2 error, λ ≥ 0, random f.
template <class T>
double solve(const Extents& points) {
    return 2.0 * eps<T> * levels(points);
}

/// The backward error of a solve (Residual::backward).
template <class T>
double backward(const Extents& points) {
    return 0.5 * eps<T> * levels(points);
}
/// The same beside a large λ. Where that is nearly all of the operator, the residual is what transforms there and
/// back round, at the worst of all points, and no mode is divided by more than another: up to twice as much. `part`
/// is |λ| / (Σ 4/h² + |λ|).
template <class T>
double backward(const Extents& points, double part) {
    return (1.0 + part) * backward<T>(points);
}

}  // namespace poisson3d::tolerance
