// A box of a few points along z: passes along z multiply lines in registers (thin_lines.hpp) and leave the field
// with y contiguous, so that the three passes between them find a box (x, z, y) of long rows, one axis of which is
// in modes:
//
//     z forward, turned | y forward, rows · x both ways, columns · y back | z back, turned
//
// Mode fast has a field of modes and one for copies of the host's, mode standard the first alone. In mode low
// nothing can be turned, and the passes are those of other boxes.
#pragma once

#include <memory>
#include <vector>

#include "line_methods.hpp"
#include "pipeline.hpp"

namespace poisson3d::fused {

/// Whether there is such a way, and worth it. `methods`: of lines along x and y.
template <class T>
bool is_thin(const Problem& problem, Memory memory, const std::array<lines::LineMethod, 3>& methods);

template <class T>
std::unique_ptr<device::Pipeline<T>> make_thin_pipeline(const Problem& problem, Memory memory, Index fields);

/// The three passes, in place, of a box whose axis y is in modes of these eigenvalues. What is taken from f is the
/// caller's to take, and what fixes a solution at a point; means are removed. Null if lines do not fit.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_passes_beside_modes(const Problem& problem, Index fields,
                                                              const std::vector<T>& eigenvalues);

}  // namespace poisson3d::fused
