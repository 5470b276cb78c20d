// How the GPUs of this machine reach each other's memory. The same symbols stand in every build.
#pragma once

#include <vector>

#include "poisson3d/export.hpp"

namespace poisson3d {

/// From one device to another, as the CUDA runtime describes it: it does not name what lies between them, but only
/// links like NVLink carry atomic operations of kernels, which PCIe does not.
struct DeviceLink {
    int from = 0, to = 0;
    bool direct = false;   ///< `from` can read and write the memory of `to` itself; else copies go through the host
    bool atomics = false;  ///< and do atomic operations there
    int rank = 0;          ///< relative performance; links of the lowest number are the fastest
};

/// Every ordered pair of different devices, by `from`, then `to`; none without two devices. Starts the driver,
/// makes no context; never throws for a missing device.
POISSON3D_API std::vector<DeviceLink> find_links();

}  // namespace poisson3d
