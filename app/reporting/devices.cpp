// poisson3d devices: what can compute here, and why something cannot.
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "benchmarks/link_rates.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_links.hpp"
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

/// A link between two GPUs, and how fast copies over it were; 0: not measured.
struct MeasuredLink : DeviceLink {
    double rate = 0.0;
};

std::vector<MeasuredLink> links_between(bool measure) {
    std::vector<MeasuredLink> links;
    for (const DeviceLink& link : find_links())
        links.push_back({link, measure ? link_rate(link.from, link.to) : 0.0});
    return links;
}

/// "GPU 1, GPU 3 at 380 GB/s" for each kind of link that a GPU has.
void add_links(Table& table, int device, const std::vector<MeasuredLink>& links) {
    std::array<std::pair<const char*, std::string>, 3> told{
        {{"reaches directly, with atomics, as over NVLink: ", {}},
         {"reaches directly, without atomics, as over PCIe: ", {}},
         {"reaches through the host: ", {}}}};
    for (const MeasuredLink& link : links) {
        if (link.from != device) continue;
        std::string& text = told[link.atomics ? 0 : link.direct ? 1 : 2].second;
        text += (text.empty() ? "GPU " : ", GPU ") + std::to_string(link.to);
        if (link.rate > 0.0) text += " at " + brief(link.rate * 1e-9) + " GB/s";
    }
    for (const auto& [kind, text] : told)
        if (!text.empty()) table.line("", kind + text);
}

Json to_json(const std::vector<MeasuredLink>& links) {
    Json json = Json::array();
    for (const MeasuredLink& link : links)
        json.push_back(Json{{"from", link.from},
                            {"to", link.to},
                            {"direct", link.direct},
                            {"atomics", link.atomics},
                            {"performance_rank", link.rank},
                            {"gigabytes_per_second", link.rate > 0.0 ? Json(link.rate * 1e-9) : Json()}});
    return json;
}

}  // namespace

Outcome run_devices(const DevicesOptions& options) {
    const DeviceList found = find_devices();
    const std::string host = host_description();
    Table table;
    table.title(version_text());
    table.line("processor", processor_name());
    table.line("", std::to_string(available_threads()) + " threads, " + format_bytes(available_host_memory()) +
                       " of memory available" + (host.empty() ? "" : " · " + host));
    const std::vector<MeasuredLink> links = links_between(options.measure);
    Json gpus = Json::array();
    for (const Device& device : found.devices) {
        const std::string capability =
            std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor);
        table.line("GPU " + std::to_string(device.number), device.name + ", compute capability " + capability +
                                                               ", " + format_bytes(device.free_bytes) +
                                                               " free of " + format_bytes(device.total_bytes));
        add_links(table, device.number, links);
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
                                   {"links", to_json(links)},
                                   {"gpus_reason", found.devices.empty() ? Json(found.reason) : Json()},
                                   {"engines", std::move(engines)}})};
}

}  // namespace poisson3d::app
