// Whether the chunks of a packed data set hold all their bytes. Filters of HDF5 believe what a chunk says of
// itself: where it ends too early they read on behind it, and what they give is filled up with whatever stood in
// memory.
#pragma once

#include "input.hpp"

namespace poisson3d::h5 {

/// Reads each chunk of a data set as it is stored and counts the bytes that its filters make of it: deflate by
/// inflating, scaleoffset and szip by what they keep at the beginning; nbit leaves whole numbers as they are.
/// Throws Error{file} if these are not those of a chunk. Passes over chunks that were never written, and over
/// filters that are not HDF5's own.
void require_whole_chunks(const Input& input, hid_t dataset, const Subject& subject);

}  // namespace poisson3d::h5
