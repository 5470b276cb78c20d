// The attributes of a field file, checked one by one.
#pragma once

#include "poisson3d/field_file.hpp"
#include "source.hpp"

namespace poisson3d {

/// What the attributes of `source` and the groups beside it say. Throws Error{data} naming the attribute, the value
/// found and the value wanted.
FieldHeader read_header(hid_t file, const h5::Source& source, const std::string& path, const std::string& dataset);

}  // namespace poisson3d
