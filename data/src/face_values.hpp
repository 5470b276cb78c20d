// The group /boundary_values: which faces it names, and what it says of one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::h5 {

/// Names of the faces in the group, in alphabetical order; none without the group. Throws Error{data} for a name
/// that is none of "<label>_lower" and "<label>_upper".
std::vector<std::string> list_faces(hid_t file, const std::string& path, const std::array<char, 3>& labels);

/// The values of a face that list_faces() found; `points` and `labels` are those of the field. Throws as
/// FieldReader::boundary_values() says.
FaceData read_face(hid_t file, const std::string& path, const std::string& face, const Extents& points,
                   const std::array<char, 3>& labels);

}  // namespace poisson3d::h5
