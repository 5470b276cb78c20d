// The attributes of a field file, checked one by one.
#pragma once

#include "poisson3d/field_file.hpp"
#include "source.hpp"

namespace poisson3d {

/// What the attributes of `source` and the groups beside it say. Throws Error{data} naming the attribute, the value
/// found and the value wanted.
FieldHeader read_header(const h5::Input& input, const h5::Source& source, const std::string& dataset);

/// Looks at /exact, which may belong to another field of the file than `source`: header.has_exact and exact_problem
/// say what was found.
void look_for_exact(const h5::Input& input, const h5::Source& source, FieldHeader& header);

}  // namespace poisson3d
