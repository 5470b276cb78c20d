#include "process/machine.hpp"

#include <fstream>

#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {
bool built_with_cuda() {
    return cuda_build().rfind("built with CUDA", 0) == 0;
}
}  // namespace

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
    if (!on_gpu(engine)) return processor_name();
    const std::string name = poisson3d::device_name(device);
    return name.empty() ? "unknown device" : name;
}

void require_device(int device) {
    const int count = count_devices();
    if (device < count) return;
    const std::string there =
        count == 0 ? "there is none: " + missing_device() : "found " + std::to_string(count) + ", counted from 0";
    throw Error(ErrorCode::device, "--device: wanted GPU " + std::to_string(device) + ", " + there +
                                       "; poisson3d devices lists what can be used");
}

bool on_gpu(Engine engine) noexcept {
    return engine == Engine::cufft || engine == Engine::fused;
}

Engine choose_engine(Engine asked, int device) {
    const Engine engine = asked == Engine::automatic ? automatic_engine() : asked;
    if (!on_gpu(engine)) return engine;
    if (const std::string reason = engine_unavailable(engine); !reason.empty()) {
        const bool no_device = built_with_cuda() && !missing_device().empty();
        throw Error(no_device ? ErrorCode::device : ErrorCode::unsupported,
                    std::string("engine ") + name(engine) + " cannot be used: " + reason + "; use --engine host");
    }
    require_device(device);
    return engine;
}

std::string fallback_reason(Engine asked, Engine used) {
    if (asked != Engine::automatic || used != Engine::host) return "";
    return built_with_cuda() ? engine_unavailable(Engine::cufft) : "";
}

}  // namespace poisson3d::app
