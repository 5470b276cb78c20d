// The threads of a block that eliminates, on the host.
#pragma once

#include <cstddef>
#include <vector>

#include "elimination_pass.hpp"

namespace poisson3d::fused {

/// A block's threads, one after the other.
template <class T, LineShape shape>
struct TeamOnHost {
    const EliminationTask<T>& task;
    std::vector<Section<T>> sections;
    explicit TeamOnHost(const EliminationTask<T>& task_)
        : task(task_), sections(static_cast<std::size_t>(task.threads())) {}
    template <class Body>
    void each(const Body& body) {
        const int lines = task.block_lines(), threads = task.section_threads;
        for (int t = 0; t < task.threads(); ++t)
            body(shape == LineShape::rows ? EliminatingThread{t % threads, t / threads, t}
                                          : EliminatingThread{t / lines, t % lines, t},
                 sections[static_cast<std::size_t>(t)]);
    }
    void wait() const {}
    void wait_for_warp() const {}
};

}  // namespace poisson3d::fused
