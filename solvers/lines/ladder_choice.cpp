#include "ladder_loops.hpp"
#include "ring_loops.hpp"
#include "simd/every_set.hpp"

namespace poisson3d {

POISSON3D_OF_EVERY_SET(lines::LadderLoops, ladder_loops)
POISSON3D_OF_EVERY_SET(lines::RingLoops, ring_loops)

namespace lines {

const LadderLoops& ladder_loops() noexcept {
    return POISSON3D_OF_SET(best_instructions(), ladder_loops);
}
const RingLoops& ring_loops() noexcept {
    return POISSON3D_OF_SET(best_instructions(), ring_loops);
}

}  // namespace lines
}  // namespace poisson3d
