// Any matrices in place by C2R or R2C. For CUDA require_cuda() must pass.
#pragma once

#include "common/executor.hpp"
#include "common/matrices.hpp"

namespace poisson3d {

std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads);
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices& matrices);

}  // namespace poisson3d
