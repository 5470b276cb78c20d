// The transposes out of place on the host: one executor for each way to move a matrix.
#pragma once

#include "common/host_executor.hpp"
#include "out_of_place/movement.hpp"

namespace poisson3d::host_transpose {

std::unique_ptr<Executor> make_strips(const MatrixBatch& matrix, const Setting& setting);
/// Wants is_thin(matrix, element_bytes).
std::unique_ptr<Executor> make_thin(const MatrixBatch& matrix, const Setting& setting);
std::unique_ptr<Executor> make_row_copies(const RowCopy& copy, const Setting& setting, Algorithm algorithm);

/// Short output rows that lie densely behind each other.
bool is_thin(const MatrixBatch& matrix, int element_bytes) noexcept;

/// The choice that make_host_executor() makes, for a given setting. A copy is copied whatever algorithm is named,
/// and thin is strips where is_thin() does not hold; the executor says what it is.
std::unique_ptr<Executor> make_executor(const Movement& movement, const Setting& setting,
                                        const TransposeOptions& options);

}  // namespace poisson3d::host_transpose
