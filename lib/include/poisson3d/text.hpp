// Numbers and foreign texts as people read them, in messages and reports.
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

/// A text that somebody else wrote, safe for a terminal: control characters and bytes that are no UTF-8 as \xNN.
/// What is longer than `most` characters is cut and ends with "…".
POISSON3D_API std::string printable(std::string_view text, std::size_t most = 80);

/// The same of a name that must stay whole: of a file, for example.
POISSON3D_API std::string printable_name(std::string_view name);

}  // namespace poisson3d
