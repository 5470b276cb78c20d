// The kernels of single phases: lines in global memory, blocks of a range.
#pragma once

#include "cuda/launch.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

namespace {

template <Phase phase, Role role, class Variant, class T>
__global__ void phase_kernel(const __grid_constant__ PassTask<T> task, BlockRange range, Complex<T>* lines) {
    run_phase<phase, role, Variant>(task, position_in_range(task, range, blockIdx.x, lines));
}

}  // namespace

template <class T>
void launch_phase(Phase phase, Role role, const PassTask<T>& task, int threads, const BlockRange& range,
                  Complex<T>* lines, Stream stream) {
    with_kind(task.kind, [&]<Kind kind>() {
        with_phase<kind>(phase, role, [&]<Phase which, Role as, class Variant>() {
            phase_kernel<which, as, Variant>
                <<<cuda::blocks(range.count), threads, 0, cuda::queue(stream)>>>(task, range, lines);
            cuda::check(cudaGetLastError(), "launch of a phase of a pass");
        });
    });
}

}  // namespace poisson3d::fused
