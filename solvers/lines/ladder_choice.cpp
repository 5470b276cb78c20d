#include "ladder_loops.hpp"
#include "simd/every_set.hpp"

namespace poisson3d {

POISSON3D_OF_EVERY_SET(lines::LadderLoops, ladder_loops)

namespace lines {

const LadderLoops& ladder_loops() noexcept {
    return POISSON3D_OF_SET(best_instructions(), ladder_loops);
}

}  // namespace lines
}  // namespace poisson3d
