#include "poisson3d/device.hpp"

namespace poisson3d {

DeviceList find_devices() {
    return {{}, "this build has no CUDA support"};
}

std::string cuda_build() {
    return "built without CUDA";
}

}  // namespace poisson3d
