// Reports are JSON: values by nlohmann's library, keys in the order in which they were set.
//
// A null that is indexed or appended to becomes an object or an array, and crashes the library's destructor if
// there is no memory for that: begin with Json::object(), Json::array() or a list of members.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace poisson3d::app {

using Json = nlohmann::ordered_json;

/// Indented by two spaces a level, no newline at the end. Numbers that are not finite are null; bytes that are no
/// UTF-8 (file names may hold any) are U+FFFD.
std::string json_text(const Json& json);

}  // namespace poisson3d::app
