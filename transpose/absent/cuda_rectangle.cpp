#include "in_place_executor.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices&) {
    throw Error(ErrorCode::unsupported, "rectangles in place on a CUDA device are not there yet; use the host");
}

}  // namespace poisson3d
