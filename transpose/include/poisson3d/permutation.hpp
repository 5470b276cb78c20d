// Orders of three axes, and what a rotation does to extents and indices.
//
// A field (n1, n2, n3) is row-major, last axis contiguous. A permutation is written as the old axes in their new
// order: rotation xyz → yzx is {1, 2, 0}: the new slowest axis is the old axis 1.
#pragma once

#include <array>

#include "poisson3d/grid.hpp"

namespace poisson3d {

using Permutation = std::array<int, 3>;

inline constexpr Permutation identity_order{0, 1, 2};
inline constexpr Permutation rotation{1, 2, 0};       ///< xyz → yzx: one 2-D transpose of n1 × (n2·n3)
inline constexpr Permutation rotation_back{2, 0, 1};  ///< xyz → zxy: one 2-D transpose of (n1·n2) × n3

/// result[a] = values[permutation[a]]: extents, strides or labels in the new order.
template <class Array>
constexpr Array permute(const Array& values, const Permutation& permutation) {
    return {values[permutation[0]], values[permutation[1]], values[permutation[2]]};
}

/// The permutation that undoes `permutation`.
constexpr Permutation inverse(const Permutation& permutation) {
    Permutation result{};
    for (int a = 0; a < 3; ++a) result[permutation[a]] = a;
    return result;
}

}  // namespace poisson3d
