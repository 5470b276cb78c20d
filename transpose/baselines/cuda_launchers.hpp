// The launchers of the baselines. All are asynchronous on `stream`, allocate nothing, and throw Error{device} when
// a launch is refused. Pointers are device pointers aligned to the element.
#pragma once

#include "common/cuda_words.hpp"
#include "common/matrices.hpp"

namespace poisson3d::cuda {

void launch_naive(const MatrixBatch& matrix, int element_bytes, const void* in, void* out, cudaStream_t stream);

struct TileOptions {
    bool padded = true;
    Index band = 0;    ///< V1BF band width in tiles: 1 is column by column, 0 row by row
    Index region = 0;  ///< not 0: one launch per region of region × region tiles
};
void launch_tile(const MatrixBatch& matrix, const TileOptions& options, int element_bytes, const void* in,
                 void* out, cudaStream_t stream);

void launch_slices(const MatrixBatch& matrix, int element_bytes, const void* in, void* out, cudaStream_t stream);

/// In place: a thread exchanges two elements, in order v1.
void launch_thread_wise(const Squares& squares, void* data, cudaStream_t stream);

}  // namespace poisson3d::cuda
