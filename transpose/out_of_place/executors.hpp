// The executors of transposes out of place. Wanted: a problem that validate() accepts, a block order of the full
// rectangle, and for CUDA that require_cuda() passes.
#pragma once

#include "common/executor.hpp"
#include "out_of_place/movement.hpp"

namespace poisson3d {

/// Throws Error{out_of_memory} if a thread cannot be started.
std::unique_ptr<Executor> make_host_executor(const Movement& movement, int element_bytes,
                                             const TransposeOptions& options);
std::unique_ptr<Executor> make_cuda_executor(const Movement& movement, int element_bytes,
                                             const TransposeOptions& options);

}  // namespace poisson3d
