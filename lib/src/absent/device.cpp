#include "poisson3d/device.hpp"

namespace poisson3d {

std::string missing_driver() {
    return "this build has no CUDA support";
}

std::string missing_device() {
    return missing_driver();
}

DeviceList find_devices() {
    return {{}, missing_driver()};
}

std::string cuda_build() {
    return "built without CUDA";
}

}  // namespace poisson3d
