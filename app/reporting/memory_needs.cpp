#include "reporting/memory_needs.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "poisson3d/memory.hpp"
#include "poisson3d/text.hpp"
#include "solving/disk_plan.hpp"

namespace poisson3d::app {

namespace {

struct Need {
    Memory mode;
    std::size_t bytes;    ///< workspace
    std::string refusal;  ///< why this mode is not available
};

template <class T>
std::vector<Need> memory_needs(const Problem& problem) {
    std::vector<Need> needs;
    for (const Memory mode : {Memory::fast, Memory::standard, Memory::low}) {
        Options options;
        options.engine = Engine::host;
        options.memory = mode;
        try {
            needs.push_back({mode, Solver<T>::workspace_bytes(problem, options), ""});
        } catch (const Error& error) {
            needs.push_back({mode, 0, error.what()});
        }
    }
    return needs;
}

/// What a solve in slabs takes, for a field that does not fit memory.
struct DiskNeed {
    SlabPlan plan;
    std::uint64_t moved = 0;
    std::string refusal;  ///< why there is no such solve
};

template <class T>
DiskNeed disk_need(const Problem& problem) {
    DiskNeed need;
    SolveTask task;
    task.problem = problem;
    need.refusal = refused_on_disk(task);
    if (!need.refusal.empty()) return need;
    try {
        need.plan = SlabSolver<T>::plan(problem, slab_options(task));
        need.moved = bytes_moved(task, need.plan, sizeof(T));
    } catch (const Error& error) {
        need.refusal = error.what();
    }
    return need;
}

/// The way for fields that do not fit: in slabs, by a scratch file.
void add_disk(Table& table, Json& memory, const DiskNeed& need, bool fits) {
    const std::size_t taken = need.plan.buffers + need.plan.workspace;
    const bool there = need.refusal.empty();
    table.line("", "disk: " + (there ? format_bytes(taken) + " and no field, a scratch file of " +
                                           format_bytes(need.plan.store) + " beside the output, " +
                                           format_bytes(need.moved) + " between files and memory"
                                     : need.refusal));
    if (!fits)
        table.line("does not fit",
                   there ? "solved in slabs by a scratch file (--memory disk), which --memory automatic "
                           "chooses; --max-memory SIZE bounds what that takes"
                         : "the memory of the host");
    memory["disk"] = !there ? Json() : Json{{"memory", taken}, {"scratch", need.plan.store}, {"moved", need.moved}};
    memory["fits"] = fits;
}

}  // namespace

void add_memory(Table& table, Json& json, const Problem& problem, int type_bytes, bool varies) {
    const bool wide = type_bytes > static_cast<int>(sizeof(float));
    const std::size_t field =
        static_cast<std::size_t>(problem.grid.size()) * (wide ? sizeof(double) : sizeof(float));
    const std::size_t available = available_host_memory();
    table.line("memory", format_bytes(field) + " for the field" +
                             (available == 0 ? "" : " (" + format_bytes(available) + " are available)") +
                             ", beside it for a plan of the host in " + (wide ? "double" : "single") +
                             " precision:");
    Json memory{{"field", field}, {"available", available == 0 ? Json() : Json(available)}};
    bool fits = available == 0;
    for (const Need& need : wide ? memory_needs<double>(problem) : memory_needs<float>(problem)) {
        fits = fits || (need.refusal.empty() && field + need.bytes <= available);
        table.line("", std::string(name(need.mode)) + ": " +
                           (need.refusal.empty() ? format_bytes(need.bytes) : need.refusal));
        memory[name(need.mode)] = need.refusal.empty() ? Json(need.bytes) : Json();
    }
    if (!varies) add_disk(table, memory, wide ? disk_need<double>(problem) : disk_need<float>(problem), fits);
    json["singular"] = singular(problem);
    json["bytes"] = std::move(memory);
}

}  // namespace poisson3d::app
