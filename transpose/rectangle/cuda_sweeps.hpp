// The sweeps of a rectangle in place on a CUDA device. Each is planned once: how it is cut into blocks, and the
// launch that carries it out.
#pragma once

#include <functional>

#include "common/cuda_words.hpp"
#include "rectangle/plan.hpp"

namespace poisson3d::cuda {

/// What a launch may use, read off the device.
struct ChipLimits {
    Index shared_bytes = 0;  ///< of a block
    int cluster = 1;         ///< the most blocks that can share a barrier
};

/// Whether the kernels' code knows clusters. That made from PTX for less than 9.0 does not, on no device.
bool compiled_for_clusters();

struct PlannedSweep {
    /// Asynchronous on `stream`; throws Error{device} when the launch is refused. `scratch`: scratch_bytes.
    std::function<void(void* data, void* scratch, cudaStream_t stream)> launch;
    std::size_t scratch_bytes = 0;
};

/// `order`: π on the device, null for the identity.
PlannedSweep plan_columns(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits,
                          const std::uint32_t* order);
PlannedSweep plan_rows(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits);
PlannedSweep plan_rest(const rectangle::Sweep& sweep, int element_bytes);

}  // namespace poisson3d::cuda
