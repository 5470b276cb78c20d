#include "common/host_movers.hpp"
#include "simd/every_set.hpp"

namespace poisson3d {

POISSON3D_OF_EVERY_SET(host_transpose::Movers, movers)

namespace host_transpose {

const Movers& movers(Instructions set) noexcept {
    return POISSON3D_OF_SET(set, movers);
}

}  // namespace host_transpose
}  // namespace poisson3d
