// The matrices that permutations of fields are made of, and where those of a batch begin. All in elements.
#pragma once

#include <array>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// Numbers of matrices, or strides, along the two indices (b0, b1) of a batch.
using BatchIndices = std::array<Index, 2>;

/// Where matrix number b of a batch begins; b1 varies fastest.
constexpr Index batch_offset(Index b, const BatchIndices& batch, const BatchIndices& stride) {
    return b / batch[1] * stride[0] + b % batch[1] * stride[1];
}

/// out[b][c·out_pitch + r] = in[b][r·in_pitch + c] for all r < rows, c < columns and batch indices b = (b0, b1),
/// which add b0·in_batch[0] + b1·in_batch[1] (likewise out).
struct MatrixBatch {
    Index rows = 0, columns = 0;
    Index in_pitch = 0, out_pitch = 0;
    BatchIndices batch{1, 1};
    BatchIndices in_batch{0, 0}, out_batch{0, 0};

    [[nodiscard]] constexpr Index count() const { return batch[0] * batch[1]; }
    friend bool operator==(const MatrixBatch&, const MatrixBatch&) = default;
};

/// `batch` dense matrices of rows × columns items, `batch_stride` elements from one to the next, each to become its
/// transpose in place. An item is `item` consecutive elements of element_bytes (4, 8 or 16) that stay together.
struct DenseMatrices {
    Index rows = 0, columns = 0;
    Index item = 1;
    int element_bytes = 8;
    Index batch = 1, batch_stride = 0;

    [[nodiscard]] Index bytes() const { return rows * columns * item * batch * element_bytes; }
    friend bool operator==(const DenseMatrices&, const DenseMatrices&) = default;
};

/// Squares to be transposed in place: item (r, c) of `side` × `side` items, which begins r·pitch + c·item elements
/// behind the beginning of its square, is exchanged with item (c, r).
struct Squares {
    Index side = 0;
    Index pitch = 0;
    Index item = 1;
    int element_bytes = 8;
    BatchIndices batch{1, 1};
    BatchIndices batch_stride{0, 0};

    [[nodiscard]] constexpr Index count() const { return batch[0] * batch[1]; }
    friend bool operator==(const Squares&, const Squares&) = default;
};

}  // namespace poisson3d
