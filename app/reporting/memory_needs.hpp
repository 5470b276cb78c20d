// What memory a solve of a field takes on the host, as poisson3d info shows it.
#pragma once

#include "poisson3d/solver.hpp"
#include "reporting/json.hpp"
#include "reporting/table.hpp"

namespace poisson3d::app {

/// The bytes of the field, of a plan in each memory mode and of a solve in slabs beside what is available, as lines
/// of the table and as "bytes" in the report. A type of up to four bytes is solved in single precision; what
/// `varies` is not solved in slabs.
void add_memory(Table& table, Json& json, const Problem& problem, int type_bytes, bool varies);

}  // namespace poisson3d::app
