// The blocks of fused passes: lines stand in shared memory.
#pragma once

#include "box_passes.hpp"

namespace poisson3d::fused {

/// A device::ShapeRule.
template <class T>
device::BlockShape block_shape(const lines::AxisTables<T, lines::Compact>& tables, Index lines);

}  // namespace poisson3d::fused
