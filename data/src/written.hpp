// Whether all values of a data set were ever written. HDF5 reads the fill value, as a rule 0, where none was, and
// says nothing.
#pragma once

#include "input.hpp"

namespace poisson3d::h5 {

/// Bytes of the values of an open data set. Throws Error{data} if they cannot be counted.
hsize_t bytes_of(hid_t dataset, const Subject& subject);

/// Throws Error{data}, saying how much is missing, if a contiguous data set has no storage or a chunked one not all
/// of its chunks; with input.allow_fill() only if there is no fill value to take instead. Throws Error{file} if the
/// storage is smaller than the values, or a chunk other than its extents and filters say. Chunks that exist but
/// were written in part cannot be told from whole ones.
void require_written(const Input& input, hid_t dataset, hid_t creation, const Subject& subject);

}  // namespace poisson3d::h5
