// The rectangles in place on a device, of a build that has none: the same symbol, and the reason.
#include "in_place/executor.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices&) {
    throw Error(ErrorCode::unsupported, "no CUDA device for a transpose: " + missing_device() + "; use the host");
}

}  // namespace poisson3d
