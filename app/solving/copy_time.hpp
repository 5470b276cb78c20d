// The unit of speed: the time to copy a field once, here and now, with the threads of the solve.
#pragma once

#include <cstddef>

#include "poisson3d/stream.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::app {

/// Copies `bytes` from `source` to `target` with all threads of the team.
void copy(ThreadTeam& team, const void* source, void* target, std::size_t bytes);

/// Seconds to copy `bytes` at `source`, the median of several copies after one that only touches the memory.
/// The target is as large as the source where that fits, and never above 1 GiB: larger sources are copied piece
/// by piece into the same target, which is still far beyond any cache. 0 when there is no memory to try.
double copy_seconds(const void* source, std::size_t bytes, int threads);

/// The same for `bytes` at `source` on the current device, in device time. For fields below half a
/// GiB others of their size are copied, which fill 1 GiB together; what is too large for the free memory, piece by
/// piece.
double device_copy_seconds(const void* source, std::size_t bytes, Stream stream);

}  // namespace poisson3d::app
