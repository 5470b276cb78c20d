// Which algorithm `automatic` is on a CUDA device, by what was measured.
#pragma once

#include "out_of_place/movement.hpp"

namespace poisson3d::cuda {

/// Never automatic. Of a movement alone, before its addresses are known.
Algorithm choose_algorithm(const Movement& movement, int element_bytes);

}  // namespace poisson3d::cuda
