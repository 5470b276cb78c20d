// All phases of a pass, in one kernel or in one each.
#pragma once

#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"

namespace poisson3d::fused {

/// A whole block; `barrier` is where its threads wait for each other. Walks from samples to modes decimate in
/// frequency, those back in time.
template <Role role, class Variant, class T, class Barrier>
POISSON3D_HD void run_block(const PassTask<T>& task, const BlockPosition<T>& block, const Barrier& barrier) {
    load_lines<role, Variant>(task, block);
    barrier();
    const auto inner_steps = [&]<bool in_time>() {
        for (int s = 0; s < task.fft.steps; ++s) {
            inner_step<in_time>(task.fft, s, block.lines, task.pitch, task.count);
            barrier();
        }
    };
    if constexpr (reads_samples(role)) inner_steps.template operator()<false>();
    if constexpr (role == Role::middle) {
        modes<Variant>(task, block);
        barrier();
    }
    if constexpr (writes_samples(role)) inner_steps.template operator()<true>();
    store_lines<role, Variant>(task, block);
}

/// One phase alone: what stands between them lies in global memory, where FFTs are done by others.
template <Phase phase, Role role, class Variant, class T>
POISSON3D_HD void run_phase(const PassTask<T>& task, const BlockPosition<T>& block) {
    if constexpr (phase == Phase::load) load_lines<role, Variant>(task, block);
    if constexpr (phase == Phase::modes) modes<Variant>(task, block);
    if constexpr (phase == Phase::store) store_lines<role, Variant>(task, block);
}

}  // namespace poisson3d::fused
