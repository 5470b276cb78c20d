// Planes of a data set of an HDF5 file that all ranks read or write together, each its own.
#pragma once

#include <string>

#include "poisson3d/grid.hpp"

namespace poisson3d::app {

struct SharedPlanes {
    std::string file, dataset;
    Index first = 0;   ///< of mine, in the data set
    Extents points{};  ///< of mine; no planes are allowed
    bool in_double = true;
    void* data = nullptr;  ///< dense
};

}  // namespace poisson3d::app
