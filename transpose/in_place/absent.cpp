// Transposes in place of a build without CUDA: the same symbols, and the reason.
#include "in_place/executor.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

void require_cuda_in_place() {
    throw Error(ErrorCode::unsupported,
                "a transpose in place on a CUDA device was asked for: " + missing_device() + "; use Backend::host");
}

// Nobody gets here: a plan asks for CUDA before it asks for these.
std::unique_ptr<InPlaceExecutor> make_cuda_exchange(const Squares&, const InPlaceOptions&) {
    require_cuda_in_place();
    return nullptr;
}

std::unique_ptr<InPlaceExecutor> make_cuda_cube(const Cubes&) {
    require_cuda_in_place();
    return nullptr;
}

}  // namespace poisson3d
