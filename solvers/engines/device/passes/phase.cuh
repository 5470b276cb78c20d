// The kernels of single phases.
#pragma once

#include <algorithm>

#include "cuda/launch.hpp"
#include "launch_phase.hpp"

namespace poisson3d::device {

namespace {

/// Of a block: long lines are one, which few threads would take long for.
constexpr int most_threads = 512;
template <class T>
int threads_of(const PhaseTask<T>& task) {
    const int items = std::max(task.in_butterflies.items.count, task.out_butterflies.items.count);
    return std::clamp(items / 8 / 32 * 32, BlockShape{}.threads, most_threads);
}

template <Phase phase, Role role, class Variant, class T>
__global__ void __launch_bounds__(most_threads)
    phase_kernel(const __grid_constant__ PhaseTask<T> task, BlockRange range, Complex<T>* lines) {
    run_phase<phase, role, Variant>(task, position_in_range(task, range, blockIdx.x, lines));
}

template <Phase phase, class T>
void launch(Role role, const PhaseTask<T>& task, const BlockRange& range, Complex<T>* lines, Stream stream) {
    with_kind(task.kind, [&]<Kind kind>() {
        with_role<phase, kind>(role, [&]<Role as, class Variant>() {
            phase_kernel<phase, as, Variant>
                <<<cuda::blocks(range.count), threads_of(task), 0, cuda::queue(stream)>>>(task, range, lines);
            cuda::check(cudaGetLastError(), "launch of a phase of a pass");
        });
    });
}

}  // namespace

template <class T>
void launch_phase(Phase phase, Role role, const PhaseTask<T>& task, const BlockRange& range, Complex<T>* lines,
                  Stream stream) {
    switch (phase) {
        case Phase::load: return launch<Phase::load>(role, task, range, lines, stream);
        case Phase::modes: return launch<Phase::modes>(role, task, range, lines, stream);
        case Phase::store: return launch<Phase::store>(role, task, range, lines, stream);
    }
}

}  // namespace poisson3d::device
