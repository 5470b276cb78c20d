#include "common/executor.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

void require_cuda(const std::string& what) {
    if (const std::string reason = missing_device(); !reason.empty())
        throw Error(ErrorCode::device, "no CUDA device for " + what + ": " + reason + "; use the host");
}

}  // namespace poisson3d
