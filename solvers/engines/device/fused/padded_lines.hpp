// Which transforms the lines of a problem with free axes have, and whether kernels hold them.
#pragma once

#include <array>
#include <optional>

#include "axis_tables.hpp"

namespace poisson3d::fused {

/// The problem whose transforms one with free axes has.
Problem padded_problem(const Problem& problem);

/// Of each axis; none where lines do not fit a block's shared memory.
template <class T>
std::optional<std::array<lines::LineMethod, 3>> padded_methods(const Problem& problem);

}  // namespace poisson3d::fused
