// poisson3d devices: what can compute here, and why something cannot.
#include <nlohmann/json.hpp>
#include <utility>

#include "poisson3d/device.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/text.hpp"
#include "poisson3d/threads.hpp"
#include "process/machine.hpp"
#include "process/version.hpp"
#include "reporting/json.hpp"
#include "reporting/outcome.hpp"
#include "reporting/table.hpp"

namespace poisson3d::app {

namespace {

/// The host engine describes itself best when it has planned something.
std::string host_description() {
    if (!engine_unavailable(Engine::host).empty()) return "";
    Problem problem;
    for (Axis& axis : problem.grid.axes) axis.points = 8;
    Options options;
    options.engine = Engine::host;
    return Solver<double>(problem, options).description();
}

std::string peers_text(const std::vector<int>& peers) {
    std::string text;
    for (const int peer : peers) text += (text.empty() ? ", reaches GPU " : ", ") + std::to_string(peer);
    return text;
}

}  // namespace

Outcome run_devices() {
    const DeviceList found = find_devices();
    const std::string host = host_description();
    Table table;
    table.title(version_text());
    table.line("processor", processor_name());
    table.line("", std::to_string(available_threads()) + " threads, " + format_bytes(available_host_memory()) +
                       " of memory available" + (host.empty() ? "" : " · " + host));
    Json gpus = Json::array();
    for (const Device& device : found.devices) {
        const std::string capability =
            std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor);
        table.line("GPU " + std::to_string(device.number),
                   device.name + ", compute capability " + capability + ", " + format_bytes(device.free_bytes) +
                       " free of " + format_bytes(device.total_bytes) + peers_text(device.peers));
        gpus.push_back(Json{{"number", device.number},
                            {"name", device.name},
                            {"compute_capability", capability},
                            {"total_bytes", device.total_bytes},
                            {"free_bytes", device.free_bytes},
                            {"peers", device.peers}});
    }
    if (found.devices.empty()) table.line("GPU", "none: " + found.reason);
    Json engines = Json::array();
    for (const Engine engine : {Engine::host, Engine::cufft, Engine::fused}) {
        const std::string reason = engine_unavailable(engine);
        table.line(std::string("engine ") + name(engine),
                   reason.empty() ? "available" : "not available: " + reason);
        engines.push_back(Json{{"name", name(engine)},
                               {"available", reason.empty()},
                               {"reason", reason.empty() ? Json() : Json(reason)}});
    }
    return {.text = table.text(),
            .json = json_text(Json{{"status", 0},
                                   {"version", version()},
                                   {"revision", revision()},
                                   {"cuda", cuda_build()},
                                   {"processor", Json{{"name", processor_name()},
                                                      {"threads", available_threads()},
                                                      {"available_bytes", available_host_memory()},
                                                      {"description", host}}},
                                   {"gpus", std::move(gpus)},
                                   {"gpus_reason", found.devices.empty() ? Json(found.reason) : Json()},
                                   {"engines", std::move(engines)}})};
}

}  // namespace poisson3d::app
