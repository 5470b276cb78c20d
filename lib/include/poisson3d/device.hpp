// Which GPUs there are, or the reason why there is none. The same symbols stand in every build.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace poisson3d {

struct Device {
    int number = 0;
    std::string name;
    int compute_major = 0;
    int compute_minor = 0;
    std::size_t total_bytes = 0;
    std::size_t free_bytes = 0;
};

struct DeviceList {
    std::vector<Device> devices;
    std::string reason;  ///< why `devices` is empty: not built in, no driver, none present
};

/// Asks the CUDA runtime once per call; never throws for a missing device or driver.
DeviceList find_devices();

/// "built with CUDA 13.0" or "built without CUDA".
std::string cuda_build();

}  // namespace poisson3d
