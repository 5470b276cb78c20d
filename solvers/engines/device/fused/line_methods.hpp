// How engine fused does the lines of each axis, by what it takes: in copies of the field, measured on an H200 for
// 256 to 1024 unknowns in double precision (docs/notes.md, "How a line is done").
#pragma once

#include "axis_tables.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

/// How lines along axis `a` are done where axis `eliminated` is eliminated; −1: none is, and all are transformed.
template <class T>
lines::LineMethod line_method(const Problem& problem, int a, int eliminated);

/// The same of lines that are transformed by kernels that have no matrix steps (symbol_pass.hpp).
lines::LineMethod padded_line_method(const Axis& axis);

}  // namespace poisson3d::fused
