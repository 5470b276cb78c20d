// Copies of structures in a build without CUDA.
#include "poisson3d/error.hpp"
#include "structure_access.hpp"

namespace poisson3d::test {

void copy_structures(const void*, void*, Index, int, int, StructureAccess, Stream) {
    throw Error(ErrorCode::unsupported, "structures: this build has no CUDA");
}

bool copies_structures_of(int) noexcept {
    return false;
}

}  // namespace poisson3d::test
