// Numbers as people write them, for messages and reports.
#pragma once

#include <cstddef>
#include <string>

#include "poisson3d/export.hpp"

namespace poisson3d {

/// The shortest decimal that reads back as the same double: "0.1", "1e-300", "nan".
POISSON3D_API std::string format_number(double value);

/// "512 bytes", "1.50 GiB".
POISSON3D_API std::string format_bytes(std::size_t bytes);

}  // namespace poisson3d
