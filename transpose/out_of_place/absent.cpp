// The CUDA executor of a build that has none: the same symbol, and the reason.
#include "common/executor.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

std::unique_ptr<Executor> make_cuda_executor(const Movement&, int, const TransposeOptions&) {
    throw Error(ErrorCode::unsupported,
                "a transpose on a CUDA device was asked for: " + missing_device() + "; use Backend::host");
}

}  // namespace poisson3d
