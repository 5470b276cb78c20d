#include "machine.hpp"

#include <fstream>

#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) != 0) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown processor";
}

std::string device_name(Engine engine, int device) {
    if (engine == Engine::host) return processor_name();
    for (const Device& found : find_devices().devices)
        if (found.number == device) return found.name;
    return "unknown device";
}

void require_device(int device) {
    const DeviceList list = find_devices();
    for (const Device& found : list.devices)
        if (found.number == device) return;
    const std::string there = list.devices.empty()
                                  ? "there is none: " + list.reason
                                  : "found " + std::to_string(list.devices.size()) + ", counted from 0";
    throw Error(ErrorCode::device, "--device: wanted GPU " + std::to_string(device) + ", " + there +
                                       "; poisson3d devices lists what can be used");
}

std::string fallback_reason(Engine asked, Engine used) {
    if (asked != Engine::automatic || used != Engine::host) return "";
    const bool could = cuda_build().rfind("built with CUDA", 0) == 0;
    return could ? engine_unavailable(Engine::fused) : "";
}

}  // namespace poisson3d::app
