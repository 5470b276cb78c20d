// All phases of a pass, in one kernel or in one each.
#pragma once

#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"

namespace poisson3d::fused {

/// A whole block; `barrier` is where its threads wait for each other. Walks from samples to modes decimate in
/// frequency, those back in time.
template <Role role, class Known, class T, class Meet>
POISSON3D_HD void run_block(const PassTask<T>& task, const Place<T>& place, const Meet& barrier) {
    load_lines<role, Known>(task, place);
    barrier();
    const auto inner_steps = [&]<bool in_time>() {
        for (int s = 0; s < task.fft.steps; ++s) {
            inner_step<in_time>(task.fft, s, place.lines, task.pitch, task.count);
            barrier();
        }
    };
    if constexpr (reads_samples(role)) inner_steps.template operator()<false>();
    if constexpr (role == Role::middle) {
        modes<Known>(task, place);
        barrier();
    }
    if constexpr (writes_samples(role)) inner_steps.template operator()<true>();
    store_lines<role, Known>(task, place);
}

/// One phase alone: what stands between them lies in global memory, where FFTs are done by others.
template <Phase phase, Role role, class Known, class T>
POISSON3D_HD void run_phase(const PassTask<T>& task, const Place<T>& place) {
    if constexpr (phase == Phase::load) load_lines<role, Known>(task, place);
    if constexpr (phase == Phase::modes) modes<Known>(task, place);
    if constexpr (phase == Phase::store) store_lines<role, Known>(task, place);
}

}  // namespace poisson3d::fused
