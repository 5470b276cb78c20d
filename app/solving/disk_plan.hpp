// What a solve of a field that is larger than memory takes, and whether there is one: for those who solve it
// (disk_backend.hpp) and those who only say so.
#pragma once

#include <cstdint>
#include <string>

#include "poisson3d/slab_solver.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// Why a problem cannot be solved from a file, in words that follow a colon; empty: it can.
inline std::string refused_on_disk(const SolveTask& task) {
    if (task.mixed) return "found --precision mixed, wanted double or single";
    for (int axis = 0; axis < 3; ++axis)
        if (task.problem.grid.axes[axis].unbounded())
            return std::string("found free faces on axis ") + task.problem.grid.labels[axis];
    if (task.extra_bytes > 0) return "found --gradient with --discretization spectral, which takes whole fields";
    return {};
}

/// Half of the memory that may be taken is for slabs and blocks; the other half is more than reading, writing and
/// verifying take beside them.
inline SlabOptions slab_options(const SolveTask& task) {
    SlabOptions options;
    if (const std::size_t memory = host_memory_for(task); memory > 0) options.bytes = memory / 2;
    options.threads = task.options.threads;
    options.middle = task.options.middle;
    options.planes = task.read_planes;
    return options;
}

/// Bytes between files and memory in a run: the scratch file in and out twice; the input, for its samples if
/// singular, and to verify; the output, and read again.
inline std::uint64_t bytes_moved(const SolveTask& task, const SlabPlan& plan, std::size_t element_bytes) {
    const auto field = static_cast<std::uint64_t>(field_bytes(task.problem, element_bytes));
    return plan.moved + field * (2 + (singular(task.problem) ? 1 : 0) + (task.keep ? 2 : 0));
}

}  // namespace poisson3d::app
