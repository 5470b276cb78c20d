// The kernels of single phases.
#pragma once

#include <algorithm>

#include "cuda/launch.hpp"
#include "launch_phase.hpp"

namespace poisson3d::device {

namespace {

/// Of a block. Long lines have several along the second dimension of the grid, so that a thread has some items.
constexpr int most_threads = 256;
struct PhaseThreads {
    unsigned of_block, parts;
};
template <class T>
PhaseThreads threads_of(const PhaseTask<T>& task) {
    constexpr Index of_thread = 8, most_parts = 4096;
    const Index items =
        Index{task.count} *
        std::max({task.in_butterflies.items.count, task.out_butterflies.items.count, task.symmetric.items.count});
    const Index threads = std::clamp<Index>(items / of_thread / 32 * 32, BlockShape{}.threads, Index{most_threads});
    return {static_cast<unsigned>(threads),
            static_cast<unsigned>(std::clamp<Index>(items / (of_thread * threads), 1, most_parts))};
}

template <Phase phase, Role role, Layout layout, class Variant, class T>
__global__ void __launch_bounds__(most_threads)
    phase_kernel(const __grid_constant__ PhaseTask<T> task, BlockRange range, Complex<T>* lines) {
    run_phase<phase, role, layout, Variant>(task, position_in_range(task, range, blockIdx.x, lines));
}

template <Phase phase, class T>
void launch(Role role, Layout layout, const PhaseTask<T>& task, const BlockRange& range, Complex<T>* lines,
            Stream stream) {
    const PhaseThreads threads = threads_of(task);
    with_kind(task.kind, [&]<Kind kind>() {
        with_role<phase, kind>(role, layout, [&]<Role as, Layout how, class Variant>() {
            phase_kernel<phase, as, how, Variant>
                <<<dim3(cuda::blocks(range.count), threads.parts), threads.of_block, 0, cuda::queue(stream)>>>(
                    task, range, lines);
            cuda::check(cudaGetLastError(), "launch of a phase of a pass");
        });
    });
}

}  // namespace

template <class T>
void launch_phase(Phase phase, Role role, Layout layout, const PhaseTask<T>& task, const BlockRange& range,
                  Complex<T>* lines, Stream stream) {
    switch (phase) {
        case Phase::load: return launch<Phase::load>(role, layout, task, range, lines, stream);
        case Phase::modes: return launch<Phase::modes>(role, layout, task, range, lines, stream);
        case Phase::store: return launch<Phase::store>(role, layout, task, range, lines, stream);
    }
}

}  // namespace poisson3d::device
