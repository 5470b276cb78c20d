// What every function of this folder that needs a device does.
#pragma once

#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

[[noreturn]] inline void refuse() {
    throw Error(ErrorCode::device, "no CUDA device: " + missing_device());
}

}  // namespace poisson3d
