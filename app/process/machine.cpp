#include "process/machine.hpp"

#include <algorithm>
#include <fstream>

#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {
bool built_with_cuda() {
    return cuda_build().rfind("built with CUDA", 0) == 0;
}

/// What there is, for who wanted more.
[[noreturn]] void refuse_devices(const std::string& wanted, int count) {
    const std::string there =
        count == 0 ? "there is none: " + missing_device() : "found " + std::to_string(count) + ", counted from 0";
    throw Error(ErrorCode::device, wanted + ", " + there + "; poisson3d devices lists what can be used");
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

std::string device_names(const std::vector<int>& devices) {
    std::vector<std::string> names;
    for (const int device : devices)
        if (const std::string one = device_name(Engine::fused, device);
            std::find(names.begin(), names.end(), one) == names.end())
            names.push_back(one);
    std::string text;
    for (const std::string& one : names) text += (text.empty() ? "" : ", ") + one;
    return text;
}

void require_device(int device) {
    if (const int count = count_devices(); device >= count)
        refuse_devices("--device: wanted GPU " + std::to_string(device), count);
}

void require_devices(const std::vector<int>& devices) {
    if (!built_with_cuda())
        throw Error(ErrorCode::unsupported, "--devices: members cannot be on GPUs: " + missing_device() +
                                                "; --members has them on processors");
    const int most = *std::max_element(devices.begin(), devices.end());
    if (const int count = count_devices(); most >= count)
        refuse_devices("--devices: wanted GPUs up to number " + std::to_string(most), count);
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
    return built_with_cuda() ? engine_unavailable(Engine::fused) : "";
}

}  // namespace poisson3d::app
