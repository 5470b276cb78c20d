// The baselines on the host: correct for every shape, and what the production transposes are compared with.
#pragma once

#include "common/host_executor.hpp"

namespace poisson3d {

namespace host_transpose {

std::unique_ptr<Executor> make_naive(const MatrixBatch& matrix, const Setting& setting);
/// tile, padded_tile, slices, banded, super_grid.
std::unique_ptr<Executor> make_tiles(const MatrixBatch& matrix, const Setting& setting,
                                     const TransposeOptions& options);

}  // namespace host_transpose

/// Any matrices in place, by following the cycles of the permutation.
std::unique_ptr<InPlaceExecutor> make_host_cycles(const DenseMatrices& matrices, int threads);

}  // namespace poisson3d
