// Fields whose axes change their order on the way from memory to a file, block by block.
#pragma once

#include <cstddef>

#include "poisson3d/field.hpp"

namespace poisson3d {

/// Copies a box of `extents` elements: the element (i, j, k) lies at i·strides[0] + j·strides[1] + k·strides[2] of
/// `from`, in any order of strides, and becomes element ((i · extents[1] + j) · extents[2] + k) · step of `to`.
template <class T>
void permuted_copy(const Extents& extents, const T* from, const Strides& strides, T* to, Index step);

/// The extents of blocks in which an array of `points`, last index contiguous, is written if it is read from a
/// field in which the index `source` is contiguous: elements of `size` bytes, about 16 MiB in a block. Runs of a
/// few KiB at least both where it is read and where it is written, as far as the array has them; of all such blocks
/// the one whose runs are longest where it is written.
Extents permuted_block(const Extents& points, std::size_t source, std::size_t size);

}  // namespace poisson3d
