// HDF5 on a file that is open already and may have no name.
#pragma once

#include "h5.hpp"

namespace poisson3d::h5 {

/// Files opened with `access` are read and written through a copy of `descriptor`, whatever name is given. HDF5's
/// own driver opens by name, and refuses names that lead to files without one.
void use_descriptor(const Properties& access, int descriptor, const Subject& subject);

}  // namespace poisson3d::h5
