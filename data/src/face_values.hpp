// The group /boundary_values: which faces it names, and what it says of one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson3d/field_file.hpp"
#include "source.hpp"

namespace poisson3d::h5 {

/// Names of the faces in the group, in alphabetical order; none without the group. Throws Error{data} for a name
/// that is none of "<label>_lower" and "<label>_upper"; as Input::find() if the group is a link that leads nowhere.
std::vector<std::string> list_faces(const Input& input, const std::array<char, 3>& labels);

/// The values of one face, not read yet.
struct Face : Numbers {
    Storage storage;
    bool array = false;
    std::array<Index, 2> shape{1, 1};
};

/// Opens a face that list_faces() found; `points` and `labels` are those of the field. Throws as
/// FieldReader::boundary_values() says, but for what is wrong with the values.
Face open_face(const Input& input, const std::string& face, const Extents& points,
               const std::array<char, 3>& labels);

/// Reads them. Throws for what is wrong with the values.
FaceData read_face(const Face& face);

}  // namespace poisson3d::h5
