// Which GPUs there are, or the reason why there is none. The same symbols stand in every build.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poisson3d/export.hpp"

namespace poisson3d {

struct Device {
    int number = 0;
    std::string name;
    int compute_major = 0;
    int compute_minor = 0;
    std::size_t total_bytes = 0;
    std::size_t free_bytes = 0;
    std::vector<int> peers;  ///< devices whose memory it can read and write itself, by NVLink or PCIe
};

struct DeviceList {
    std::vector<Device> devices;
    std::string reason;  ///< why `devices` is empty: not built in, no driver, none present
};

/// Asks the CUDA runtime once per call; never throws for a missing device or driver. Free memory can only be asked
/// for through a context, which is made on every device and takes time and host memory.
POISSON3D_API DeviceList find_devices();

/// How many devices there are, 0 without a driver. Starts the driver, makes no context.
POISSON3D_API int count_devices();

/// The name of device `number`, empty if there is none. Starts the driver, makes no context.
POISSON3D_API std::string device_name(int number);

/// Why no device can be used; empty if one can. Starts the driver, makes no context.
POISSON3D_API std::string missing_device();

/// Why there is no CUDA driver; empty if there is one. Does not start it.
POISSON3D_API std::string missing_driver();

/// "built with CUDA 13.0" or "built without CUDA".
POISSON3D_API std::string cuda_build();

}  // namespace poisson3d
