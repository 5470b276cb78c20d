#include "poisson3d/device.hpp"

namespace poisson3d {

std::string missing_driver() {
    return "this build has no CUDA support";
}

std::string missing_device() {
    return missing_driver();
}

int count_devices() {
    return 0;
}

std::string device_name(int) {
    return {};
}

DeviceList find_devices() {
    return {{}, missing_driver()};
}

std::string cuda_build() {
    return "built without CUDA";
}

}  // namespace poisson3d
