// Modes of two axes, as passes have them in a field.
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// The modes of an axis.
struct ModeOrder {
    std::vector<Index> mode_of;  ///< by slot
    double gain = 1.0;           ///< they are so many times too large
};

/// Some planes of the unknowns of a box, y and z in modes: element (i, j, k) at i · plane + j · row + k.
template <class T>
struct ModePlanes {
    T* data = nullptr;
    Index plane = 0, row = 0;
    Index first = 0, count = 0;  ///< planes, counted from the first unknown of the box
};

}  // namespace poisson3d
