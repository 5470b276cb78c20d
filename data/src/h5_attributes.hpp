// Attributes of any numeric or text type, read as double or std::string, and written as plainly as HDF5 allows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::h5 {

/// The values of a numeric attribute: integers and floats of any width and byte order, scalars and arrays of any
/// rank, in C order. Empty if there is no attribute `name`. Throws `subject`'s code as Error{data} when the
/// attribute is not numeric, saying `wanted`; when a value is NaN or Inf; when it has more than 65536 elements or a
/// megabyte; Error{file} when it cannot be read.
std::optional<std::vector<double>> read_numbers(hid_t object, const Subject& subject, const std::string& name,
                                                const std::string& wanted);

/// The values of a text attribute: fixed or variable length, padded with NULs or blanks, ASCII or UTF-8, scalars
/// and arrays of any rank, in C order; padding and surrounding blanks removed. Otherwise as read_numbers().
std::optional<std::vector<std::string>> read_texts(hid_t object, const Subject& subject, const std::string& name,
                                                   const std::string& wanted);

/// The `count` texts of an attribute of variable length, in C order; empty for those that were never written. Reads
/// the heap itself: HDF5 1.10 copies as many bytes as the heap says into memory for as many as the attribute says.
/// Throws Error{file} if the two differ, if a text is not in its heap or lies outside of the file.
/// Source: HDF5 File Format Specification 3.0, III.E (global heap) and IV.A.2.d (variable-length data).
std::vector<std::string> read_heap_texts(hid_t attribute, std::size_t count, const Subject& subject);

/// Names of all attributes of an object, in alphabetical order.
std::vector<std::string> attribute_names(hid_t object, const Subject& subject);

/// Writes an attribute, replacing one of the same name. Single values become scalars, lists arrays of rank 1; text
/// is of variable length and UTF-8, so that h5py gives str. Throws `subject`'s code.
void write_attribute(hid_t object, const Subject& subject, const Attribute& attribute);

/// Writes text of fixed length and ASCII, the only kind that some readers (VTK 9.1) take.
void write_fixed_text(hid_t object, const Subject& subject, const std::string& name, const std::string& text);

}  // namespace poisson3d::h5
