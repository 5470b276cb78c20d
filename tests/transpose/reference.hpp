// The definition of a transpose, spelled out: the six orders of three axes, and where each element goes.
#pragma once

#include <string>
#include <vector>

#include "poisson3d/transpose.hpp"

namespace poisson3d::test {

inline constexpr Permutation all_permutations[] = {identity_order, {0, 2, 1},     {1, 0, 2},
                                                   rotation,       rotation_back, {2, 1, 0}};

inline std::string letters(const Permutation& p) {
    std::string text;
    for (const int axis : p) text += "xyz"[axis];
    return text;
}

/// Calls move(input offset, output offset), in elements, for every element of every batch.
template <class Move>
void for_each_element(const TransposeProblem& p, Move move) {
    for (Index b = 0; b < p.batch; ++b)
        for (Index i = 0; i < p.extents[0]; ++i)
            for (Index j = 0; j < p.extents[1]; ++j)
                for (Index k = 0; k < p.extents[2]; ++k) {
                    const std::array<Index, 3> at{i, j, k};
                    Index to = b * p.out_batch;
                    for (int a = 0; a < 3; ++a) to += at[p.permutation[a]] * p.out[a];
                    move(b * p.in_batch + i * p.in[0] + j * p.in[1] + k * p.in[2], to);
                }
}

/// Strides with `row` more elements behind every row and `plane` more behind every plane.
constexpr Strides pitched(const Extents& e, Index row, Index plane) {
    const Index pitch = e[2] + row;
    return {e[1] * pitch + plane, pitch, 1};
}

/// What room is left in a problem: behind rows, planes and fields of the batch, in elements.
struct Gaps {
    Index row = 0, plane = 0, field = 0;
};

inline TransposeProblem problem_of(const Extents& extents, const Permutation& permutation, int element_bytes,
                                   Index batch = 1, Gaps in = {}, Gaps out = {}) {
    TransposeProblem p;
    p.extents = extents;
    p.permutation = permutation;
    p.element_bytes = element_bytes;
    p.batch = batch;
    const Extents result = permute(extents, permutation);
    p.in = pitched(extents, in.row, in.plane);
    p.out = pitched(result, out.row, out.plane);
    p.in_batch = extents[0] * p.in[0] + in.field;
    p.out_batch = result[0] * p.out[0] + out.field;
    return p;
}

}  // namespace poisson3d::test
