// Runs of bytes copied between any two places that the current device reaches.
#pragma once

#include "transport.hpp"

namespace poisson3d {

/// By copy engines. Asynchronous; throws Error{device} when refused, as do the others.
void copy_rows(const Transfer& t, Stream stream);
/// The same to or from runs without gaps, which may be on the host.
void pack_rows(const Transfer& t, std::byte* packed, Stream stream);
void unpack_rows(const Transfer& t, const std::byte* packed, Stream stream);
/// By a kernel of the current device, which leaves half of its processors to others. Runs, strides and addresses
/// are multiples of 4 bytes.
void store_rows(const Transfer& t, Stream stream);

}  // namespace poisson3d
