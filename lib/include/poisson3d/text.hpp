// Numbers, and texts from outside the program, for messages and reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "poisson3d/export.hpp"

namespace poisson3d {

/// The shortest decimal that reads back as the same double: "0.1", "1e-300", "nan".
POISSON3D_API std::string format_number(double value);

/// "512 bytes", "1.50 GiB".
POISSON3D_API std::string format_bytes(std::size_t bytes);

/// A text from outside the program, safe for a terminal: control characters and bytes that are not UTF-8 as \xNN.
/// What is longer than `max_characters` is cut and ends with "…".
POISSON3D_API std::string printable(std::string_view text, std::size_t max_characters = 80);

/// The same of a name that must stay whole: of a file, for example.
POISSON3D_API std::string printable_name(std::string_view name);

}  // namespace poisson3d
