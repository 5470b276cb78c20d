// The steps that a permutation of a dense box is made of in place.
//
//   xyz → yzx, zxy   cube: its rotation; any other box: ONE rectangle n1 × (n2·n3), (n1·n2) × n3
//   xyz → xzy        n1 matrices of n2 × n3
//   xyz → yxz        a matrix of n1 × n2 whose items are rows of n3
//   xyz → zyx        n1 = n3: a square of x and z for each y; else two of the above, one after the other
//
// A matrix with equal sides is exchanged with its mirror image, any other is a rectangle. Axes of one point, and
// axes that stay behind each other, are merged first, so that the rotation of 6 × 2 × 3 is a square of 6.
#pragma once

#include <array>
#include <variant>
#include <vector>

#include "in_place/executors.hpp"

namespace poisson3d {

/// One executor's matrices, `count` times with a stride of `stride` elements.
struct RepeatedMatrices {
    DenseMatrices matrices;
    Index count = 1, stride = 0;

    friend bool operator==(const RepeatedMatrices&, const RepeatedMatrices&) = default;
};

using Step = std::variant<Squares, Cubes, RepeatedMatrices>;

/// The steps that carry out `problem` one after the other: none where memory stays as it is. `equal_sides` false
/// asks for matrices only.
std::vector<Step> in_place_steps(const InPlaceProblem& problem, bool equal_sides);

/// Throws Error{usage} naming what is wrong: extents ≤ 0, elements of another size than 4, 8 or 16 bytes, a
/// permutation that is none, fields of a batch that overlap, more than 2^62 bytes.
void validate(const InPlaceProblem& problem);

}  // namespace poisson3d
