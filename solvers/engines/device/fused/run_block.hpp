// Fused passes: blocks that take lines through all phases in shared memory. Kernels execute this, and tests do on
// the host.
#pragma once

#include "chirped_lines.hpp"
#include "gathered_rows.hpp"
#include "matrix_lines.hpp"
#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"
#include "periodic_chirp_lines.hpp"
#include "prime_step.hpp"

namespace poisson3d::fused {

using namespace device;

template <class T>
using Task = PassTask<T, Compact>;

/// What becomes of a field between passes: every pass rotates it; none moves it; the first one makes the axis of
/// the middle pass contiguous and the last one z.
enum class Movement { rotated, in_place, turned };

constexpr bool first_role(Role role) {
    return role == Role::first || role == Role::first_with_data;
}

/// Rotated lines are read as rows and written as columns; those that stay are rows along z, and columns else; in a
/// field that is turned those of the middle pass are rows. Rows of u are written in any case.
constexpr Layout layout_in(Role role, Movement movement) {
    if (movement == Movement::rotated || first_role(role)) return Layout::rows;
    const Role along_rows = movement == Movement::turned ? Role::middle : Role::last;
    return role == along_rows ? Layout::rows : Layout::columns;
}
constexpr Layout layout_out(Role role, Movement movement) {
    if (role == Role::last) return movement == Movement::turned ? Layout::turned_rows : Layout::rows;
    if (movement == Movement::rotated || (movement == Movement::turned && first_role(role)))
        return Layout::padded_columns;
    return layout_in(role, movement);
}

template <class T, class F>
POISSON3D_HD BlockPosition<T> position_of(const PassTask<T, F>& task, int chunk, int slow, int field,
                                          Complex<T>* lines) {
    return {field, slow, Index{2} * task.count * chunk, lines};
}

/// All that is between outer steps, in a function that is called, so that it is compiled once for all kernels of a
/// file. Chirps of type I have kernels of their own. Returns after a barrier.
template <Kind kind, bool in_time, class T, class Barrier>
POISSON3D_HD_CALLED void inner_ffts(const Task<T>& task, Complex<T>* lines, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
#endif
    if constexpr (kind != Kind::type1)
        if (task.chirp.length > 0) return chirp_ffts(task.fft, task.chirp, lines, task.pitch, task.count, barrier);
    POISSON3D_ROLLED
    for (int s = 0; s < task.fft.steps; ++s) {
        inner_step<in_time, Inner::all_and_primes>(task.fft, s, lines, task.pitch, task.count, barrier);
        barrier();
    }
}

/// All phases on a block of type I lines by a chirp.
template <Role role, Movement movement, class T, class F, class Barrier>
POISSON3D_HD void run_chirped_block(const PassTask<T, F>& task, const BlockPosition<T>& block,
                                    const Barrier& barrier) {
    load_chirped<role, layout_in(role, movement)>(task, block);
    if constexpr (role == Role::middle) {
        between_symmetric(task, block.lines, barrier);
        chirped_modes(task, block);
    }
    if constexpr (known_chirp<T, F> && role != Role::middle)
        symmetric_convolution(task.fft, task.chirp, block.lines, task.pitch, task.count, barrier);
    else
        between_symmetric(task, block.lines, barrier);
    store_chirped<role, layout_out(role, movement)>(task, block);
}

/// All phases on a block. `barrier` is where its threads wait for each other. Walks from samples to modes decimate
/// in frequency, those back in time.
template <Role role, Movement movement, class Variant, class T, class F, class Barrier>
POISSON3D_HD void run_block(const PassTask<T, F>& task, const BlockPosition<T>& block, const Barrier& barrier) {
    if constexpr (Variant::outer == Outer::chirp && Variant::kind == Kind::type2) {
        run_periodic_chirp<role, layout_in(role, movement), layout_out(role, movement)>(task, block, barrier);
    } else if constexpr (Variant::outer == Outer::matrix_steps) {
        MatrixLines<role, layout_in(role, movement), layout_out(role, movement), Variant::kind, T, F>(task, block)
            .run(barrier);
    } else if constexpr (Variant::outer == Outer::chirp) {
        run_chirped_block<role, movement>(task, block, barrier);
    } else {
        load_lines<role, layout_in(role, movement), Variant>(task, block);
        barrier();
        const auto ffts = [&]<bool in_time>() {
            if constexpr (Variant::outer == Outer::any) {
                inner_ffts<Variant::kind, in_time>(task, block.lines, barrier);
            } else {
                constexpr Inner which = Variant::outer == Outer::radix8 ? Inner::common : Inner::seldom;
                for (int s = 0; s < task.fft.steps; ++s) {
                    inner_step<in_time, which>(task.fft, s, block.lines, task.pitch, task.count);
                    barrier();
                }
            }
        };
        if constexpr (reads_samples(role)) ffts.template operator()<false>();
        if constexpr (role == Role::middle) {
            modes<Variant>(task, block);
            barrier();
        }
        if constexpr (writes_samples(role)) ffts.template operator()<true>();
        if constexpr (gathers_rows<F>)
            store_gathered<role, layout_out(role, movement), Variant>(task, block, barrier);
        else
            store_lines<role, layout_out(role, movement), Variant>(task, block);
    }
}

}  // namespace poisson3d::fused
