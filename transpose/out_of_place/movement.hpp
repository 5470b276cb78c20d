// What a permutation of a field is, as memory sees it: a batch of 2-D transposes, or a copy of rows.
//
//   xyz → yzx   rotation        per y: n1 × n3;       dense: ONE transpose of n1 × (n2·n3)
//   xyz → zxy   rotation back   per x: n2 × n3;       dense: ONE transpose of (n1·n2) × n3
//   xyz → xzy                   per x: n2 × n3
//   xyz → zyx                   per y: n1 × n3, pitches n2·n3 in, n2·n1 out
//   xyz → yxz                   rows of n3 in another order: no transpose at all
//   xyz → xyz                   rows stay: a pitched copy
#pragma once

#include <array>
#include <string>

#include "common/matrices.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d {

/// out[Σ i_d·out[d] + k] = in[Σ i_d·in[d] + k] for i_d < extents[d], k < length.
struct RowCopy {
    std::array<Index, 3> extents{1, 1, 1};
    std::array<Index, 3> in{0, 0, 0}, out{0, 0, 0};
    Index length = 0;

    friend bool operator==(const RowCopy&, const RowCopy&) = default;
};

struct Movement {
    bool is_copy = false;
    MatrixBatch matrix;  ///< when !is_copy
    RowCopy copy;        ///< when is_copy
};

/// Dimensions that lie densely behind each other in both fields are merged, so that a dense rotation is one matrix
/// and a dense copy one row; `merge` false leaves them separate (slices wants the planes of a rotation one by one).
/// A matrix with one row or one column whose long side is contiguous in both becomes a copy. Batch indices and the
/// indices of a copy are ordered by their output stride, the largest first, and those that are not needed come
/// before all others.
Movement classify(const TransposeProblem& problem, bool merge = true);

/// Throws Error{usage} naming what is wrong: extents ≤ 0, a last stride that is not 1, rows or planes that overlap,
/// a permutation that is none, an element of another size than 1, 2, 4, 8 or 16 bytes, a product beyond 2^62.
void validate(const TransposeProblem& problem);

/// Elements from the first to one past the last that a field of these strides touches.
Index span(const Extents& extents, const Strides& strides, Index batch, Index batch_stride) noexcept;

}  // namespace poisson3d
