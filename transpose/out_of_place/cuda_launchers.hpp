// The launchers of the transposes out of place. All are asynchronous on `stream`, allocate nothing, and throw
// Error{device} when a launch is refused. `in` and `out` are device pointers aligned to the element.
#pragma once

#include "common/cuda_words.hpp"
#include "out_of_place/movement.hpp"

namespace poisson3d::cuda {

/// `band` strips side by side at a time; 0: chosen.
void launch_strips(const MatrixBatch& matrix, Index band, int element_bytes, const void* in, void* out,
                   cudaStream_t stream);
/// "strips of 64 columns, 128 rows a block"
std::string describe_strips(const MatrixBatch& matrix, int element_bytes);

/// `band` strips side by side at a time; 0: chosen.
void launch_wide_loads(const MatrixBatch& matrix, Index band, int element_bytes, const void* in, void* out,
                       cudaStream_t stream);
/// "tiles of up to 61 × 160"
std::string describe_wide_loads(const MatrixBatch& matrix, int element_bytes);

/// Whether short lines along one side fit shared memory many at a time.
bool thin_applies(const MatrixBatch& matrix, int element_bytes);
/// Whether that was measured faster than strips (docs/benchmarks.md).
bool thin_is_faster(const MatrixBatch& matrix, int element_bytes) noexcept;
void launch_thin(const MatrixBatch& matrix, int element_bytes, const void* in, void* out, cudaStream_t stream);

/// Whether two short axes, or short rows, are permuted by tiles of whole ones (cuda_short.cu).
bool short_applies(const Movement& movement, int element_bytes);
void launch_short(const Movement& movement, int element_bytes, const void* in, void* out, cudaStream_t stream);

/// Whether a short axis and its neighbour are one long side of a matrix (cuda_merged.cu).
bool merged_applies(const Movement& movement, int element_bytes);
void launch_merged(const Movement& movement, int element_bytes, const void* in, void* out, cudaStream_t stream);

void launch_row_copy(const RowCopy& copy, int element_bytes, const void* in, void* out, cudaStream_t stream);
void launch_wide_row_copy(const RowCopy& copy, int element_bytes, const void* in, void* out, cudaStream_t stream);

}  // namespace poisson3d::cuda
