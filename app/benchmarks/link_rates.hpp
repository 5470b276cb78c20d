// How fast copies are between two GPUs.
#pragma once

namespace poisson3d::app {

/// Bytes a second of a copy of 256 MiB (less where a GPU has less room) from one GPU to another, which the other
/// one makes, as members of a solve do; the median of five after two. 0 where there is no room. Throws
/// Error{device}.
double link_rate(int from, int to);

}  // namespace poisson3d::app
