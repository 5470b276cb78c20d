// --gradient: the gradient of the solution, written beside it as /gradient/{x,y,z}, named by the labels of the
// axes.
#pragma once

#include <string>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/solver.hpp"
#include "reporting/progress.hpp"

namespace poisson3d::app {

/// Bytes of host memory that it takes beside the solution and slabs: one component with spectral, whose derivatives
/// need whole lines.
template <class T>
std::size_t gradient_bytes(const Problem& problem);

/// Computes it on the host by `options.threads` threads and writes it, one slab or component at a time. Returns the
/// names of the data sets. `boundary` is what the solution was solved with, in host memory.
template <class T>
std::vector<std::string> write_gradient(FieldWriter& writer, const Problem& problem, const Options& options,
                                        FieldView<const T> solution, const BoundaryData<T>& boundary,
                                        ProgressBar& bar);

}  // namespace poisson3d::app
