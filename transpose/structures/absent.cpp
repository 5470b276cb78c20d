// Structures on CUDA devices in a build that has none: the same symbols, and the reason.
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "structures/executor.hpp"

namespace poisson3d {

namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::unsupported,
                "structures on a CUDA device were asked for: " + missing_device() + "; use Backend::host");
}

}  // namespace

std::unique_ptr<StructureExecutor> make_cuda_structures(const StructureProblem&) {
    refuse();
}

std::unique_ptr<StructureExecutor> make_cuda_structure_tiles(const StructureProblem&, const StructureCuts&) {
    refuse();
}

}  // namespace poisson3d
