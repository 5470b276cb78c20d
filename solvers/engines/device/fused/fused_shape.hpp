// The blocks of fused passes: lines stand in shared memory.
#pragma once

#include "box_passes.hpp"

namespace poisson3d::fused {

/// A device::ShapeRule.
template <class T>
device::BlockShape block_shape(const lines::AxisTables<T, lines::Compact>& tables, Index lines);

/// Whether two lines of an axis fit a block's shared memory.
template <class T>
bool lines_fit(const Axis& axis, lines::LineMethod method);

}  // namespace poisson3d::fused
