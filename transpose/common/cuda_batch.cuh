// Where a block finds its matrix.
#pragma once

#include "common/cuda_launchers.hpp"
#include "cuda/division.cuh"

namespace poisson3d::cuda {

/// Offsets of matrix `b` of the batch, b counted with b1 fastest.
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
