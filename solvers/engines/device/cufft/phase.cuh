// The kernels of single phases.
#pragma once

#include "cuda/launch.hpp"
#include "launch_phase.hpp"

namespace poisson3d::cufft {

namespace {

template <Phase phase, Role role, class Variant, class T>
__global__ void phase_kernel(const __grid_constant__ Task<T> task, BlockRange range, Complex<T>* lines) {
    run_phase<phase, role, Variant>(task, position_in_range(task, range, blockIdx.x, lines));
}

template <Phase phase, class T>
void launch(Role role, const Task<T>& task, const BlockRange& range, Complex<T>* lines, Stream stream) {
    with_kind(task.kind, [&]<Kind kind>() {
        with_role<phase, kind>(role, [&]<Role as, class Variant>() {
            phase_kernel<phase, as, Variant>
                <<<cuda::blocks(range.count), BlockShape{}.threads, 0, cuda::queue(stream)>>>(task, range, lines);
            cuda::check(cudaGetLastError(), "launch of a phase of a pass");
        });
    });
}

}  // namespace

template <class T>
void launch_phase(Phase phase, Role role, const Task<T>& task, const BlockRange& range, Complex<T>* lines,
                  Stream stream) {
    switch (phase) {
        case Phase::load: return launch<Phase::load>(role, task, range, lines, stream);
        case Phase::modes: return launch<Phase::modes>(role, task, range, lines, stream);
        case Phase::store: return launch<Phase::store>(role, task, range, lines, stream);
    }
}

}  // namespace poisson3d::cufft
