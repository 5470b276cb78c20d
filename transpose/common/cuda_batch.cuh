// Where a block finds its matrix.
#pragma once

#include "common/cuda_words.hpp"
#include "common/matrices.hpp"
#include "cuda/division.cuh"

namespace poisson3d::cuda {

/// batch_offset() with divisions on 32 bits where that is enough.
__device__ __forceinline__ Index offset_in_batch(Index b, const BatchIndices& batch, const BatchIndices& stride) {
    const auto [b0, b1] = divide(b, batch[1]);
    return b0 * stride[0] + b1 * stride[1];
}

/// Offsets of matrix `b` of the batch.
struct Offsets {
    Index in, out;
};

__device__ __forceinline__ Offsets offsets(const MatrixBatch& m, Index b) {
    if (b == 0) return {0, 0};
    const Index b0 = b / m.batch[1];
    const Index b1 = b - b0 * m.batch[1];
    return {b0 * m.in_batch[0] + b1 * m.in_batch[1], b0 * m.out_batch[0] + b1 * m.out_batch[1]};
}

}  // namespace poisson3d::cuda
