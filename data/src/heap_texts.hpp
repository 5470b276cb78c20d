// Texts of variable length as HDF5 files keep them: a length and a place in a global heap, which holds the text and
// its length once more.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "h5.hpp"

namespace poisson3d::h5 {

/// The `count` texts of an attribute of variable length, in C order; empty for those that were never written. Reads
/// the heap itself: HDF5 1.10 copies as many bytes as the heap says into memory for as many as the attribute says.
/// Throws Error{file} if the two differ, if a text is not in its heap or lies outside of the file.
/// Source: HDF5 File Format Specification 3.0, III.E (global heap) and IV.A.2.d (variable-length data).
std::vector<std::string> read_heap_texts(hid_t attribute, std::size_t count, const Subject& subject);

}  // namespace poisson3d::h5
