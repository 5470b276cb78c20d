// Members on GPUs, in a build without CUDA.
#include "poisson3d/device.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

Communicator devices(const std::vector<int>&) {
    throw Error(ErrorCode::unsupported,
                "members cannot be on devices: " + missing_driver() + "; use members on threads");
}

}  // namespace poisson3d
