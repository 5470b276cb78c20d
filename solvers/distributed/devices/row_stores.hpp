// Runs of bytes stored where the current device reaches them.
#pragma once

#include "transfers.hpp"

namespace poisson3d {

/// By a kernel of the current device, which leaves half of its processors to others. Runs, strides and addresses
/// are multiples of 4 bytes. Asynchronous; throws Error{device} when refused.
void store_rows(const Transfer& t, Stream stream);

}  // namespace poisson3d
