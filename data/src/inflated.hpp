// Whether the chunks of a packed data set hold all their bytes. HDF5 believes a deflate stream that ends too early,
// and reads on behind what it gave.
#pragma once

#include "input.hpp"

namespace poisson3d::h5 {

/// Reads each chunk of a data set as it is stored and counts the bytes its filters (deflate, shuffle, fletcher32)
/// make of it. Throws Error{file} if these are not those of a chunk. Chunks that were never written are passed
/// over.
void require_whole_chunks(const Input& input, hid_t dataset, const Subject& subject);

}  // namespace poisson3d::h5
