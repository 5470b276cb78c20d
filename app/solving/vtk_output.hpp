// --vtk: the solution and its gradient once more, in a file whose axes run as VTK and ParaView want them.
#pragma once

#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/vtk_file.hpp"
#include "reporting/progress.hpp"

namespace poisson3d::app {

/// Writes the solution from memory and the gradient, if `gradient` names its data sets in index order, from what
/// was written to the solution file: all three components are needed at a time, and nobody keeps them.
template <class T>
void write_for_vtk(VtkWriter& vtk, FieldView<const T> solution, const FieldWriter& written,
                   const std::vector<std::string>& gradient, ProgressBar& bar);

}  // namespace poisson3d::app
