// Structures ↔ tiles with a lag on a CUDA device (rectangle/lagged_tiles.hpp).
#pragma once

#include "common/cuda_words.hpp"
#include "rectangle/lagged_tiles.hpp"
#include "structures/cuda_launchers.hpp"

namespace poisson3d::cuda {

/// What is counted while a sweep runs: the pieces begun, and for each group those that have been read.
inline std::size_t turn_counter_bytes(const rectangle::LaggedCuts& cuts) {
    return static_cast<std::size_t>(1 + cuts.groups()) * sizeof(unsigned);
}

/// Structures to lagging tiles, saving the edges of the arrays; or the reverse, edges included. `counters` is set
/// to zero first. Asynchronous on `stream`; throws Error{device} when a launch is refused.
void launch_turns(const rectangle::LaggedCuts& cuts, bool to_tiles, int word_bytes, void* data,
                  const StructureTables& tables, unsigned* counters, cudaStream_t stream);

}  // namespace poisson3d::cuda
