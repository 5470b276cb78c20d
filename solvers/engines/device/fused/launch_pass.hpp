// Fused passes: a kernel for each, whose blocks take lines through all phases in shared memory.
#pragma once

#include "block_shape.hpp"
#include "chirped_lines.hpp"
#include "gathered_rows.hpp"
#include "known_lengths.hpp"
#include "matrix_step.hpp"
#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"
#include "periodic_chirp_lines.hpp"
#include "poisson3d/stream.hpp"
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

/// Of those with the same layouts the movement whose kernel there is.
constexpr Movement movement_of_kernel(Role role, Movement movement) {
    if (movement == Movement::rotated && role == Role::last) return Movement::in_place;
    if (movement != Movement::turned || role == Role::middle || role == Role::last) return movement;
    return first_role(role) ? Movement::rotated : Movement::in_place;
}

/// What the current device allows: bytes of shared memory of a block, and whether a kernel may be launched before
/// the one before it in the stream has ended, for which it then waits itself (compute capability 9.0; kernels that
/// are compiled for less do not wait).
std::size_t max_shared();
bool may_launch_early();

/// Whether the current device multiplies matrices of doubles on tensor cores, and half as fast as it adds floats:
/// compute capability 8.0, 9.0, 10.0. False where there is none, whose lines are asked for all the same.
bool multiplies_doubles_fast();

/// Which blocks of a pass are launched for every field: one per chunk of lines and slow index. Neighbours in the
/// contiguous index of the result follow each other, so that rows are completed soon.
struct Blocks {
    int first_chunk = 0, chunks = 0;
    int first_slow = 0, slow = 0;
    bool early = false;  ///< if may_launch_early()
};

template <class T>
Blocks all_blocks(const Task<T>& task, bool early) {
    const Index lines = Index{2} * task.count;
    return {0, static_cast<int>((task.lines + lines - 1) / lines), 0, static_cast<int>(task.slow), early};
}

/// The block that holds line `line` at `slow`.
template <class T>
Blocks block_of(const Task<T>& task, Index slow, Index line, bool early) {
    return {static_cast<int>(line / (2 * task.count)), 1, static_cast<int>(slow), 1, early};
}

/// The kernels of a kind and of its outer steps: a translation unit each.
template <Kind kind, Outer outer, class T>
void launch_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                   Stream stream);

/// The kernels of lines of `rows` elements whose numbers they know (known_pass.hpp); false, and nothing is
/// launched, if these lines are not among them.
template <int rows, class T>
bool launch_known_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                         const Blocks& blocks, Stream stream);

/// The same for type I lines of half period `half` (known_symmetric_pass.hpp).
template <int half, class T>
bool launch_known_symmetric(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                            const Blocks& blocks, Stream stream);

/// With the kernels of these; false, and nothing is launched, if there are none.
template <class T>
bool launch_known(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                  Stream stream) {
    if (task.kind == Kind::type1) {
        if (task.outer == Outer::chirp || task.chirp.length > 0) return false;
        const int radix = task.symmetric.radix;
        const int period = task.rows / (radix / 2 + 1) * radix;
        return with_known_length(KnownHalfPeriods{}, period / 2, [&]<int half>() {
            return launch_known_symmetric<half>(role, movement, task, shape, blocks, stream);
        });
    }
    return with_known_length(KnownLengths{}, task.rows, [&]<int rows>() {
        return launch_known_kernel<rows>(role, movement, task, shape, blocks, stream);
    });
}

/// The same for lines by chirps whose FFTs have `size` elements (known_chirp_pass.hpp).
template <int size, class T>
bool launch_known_chirp(Role role, Movement movement, const Task<T>& task, const Blocks& blocks, Stream stream);

/// The same for periodic lines by chirps (known_periodic_pass.hpp).
template <int size, class T>
bool launch_known_periodic(Role role, Movement movement, const Task<T>& task, const Blocks& blocks, Stream stream);

/// Asynchronous on `stream`; throws Error{device} when refused. First passes with boundary data have no kernels for
/// radix8, and of Outer::any, Outer::chirp and Outer::matrix_steps there are none that rotate or
/// turn. None of these kernels knows its lengths: padded lines, whose samples are not all there, have no others.
template <class T>
void launch_general_pass(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                         const Blocks& blocks, Stream stream) {
    const bool any_radix = role == Role::first_with_data && task.outer == Outer::radix8;
    with_kind(task.kind, [&]<Kind kind>() {
        switch (any_radix ? Outer::large : task.outer) {
            case Outer::radix8:
                return launch_kernel<kind, Outer::radix8>(role, movement, task, shape, blocks, stream);
            case Outer::large:
                return launch_kernel<kind, Outer::large>(role, movement, task, shape, blocks, stream);
            case Outer::any: return launch_kernel<kind, Outer::any>(role, movement, task, shape, blocks, stream);
            case Outer::chirp:
                return launch_kernel<Kind::type1, Outer::chirp>(role, movement, task, shape, blocks, stream);
            case Outer::matrix_steps:
                return launch_kernel<kind, Outer::matrix_steps>(role, movement, task, shape, blocks, stream);
            case Outer::none: return;  // of tables that engine fused has none of
        }
    });
}

/// The same by kernels that know the length of their lines, where there are such.
template <class T>
void launch_pass(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                 Stream stream) {
    if (task.outer != Outer::matrix_steps && launch_known(role, movement, task, shape, blocks, stream)) return;
    if (task.outer == Outer::chirp && with_known_chirp(known_chirp_length(task.fft), [&]<int size>() {
            return launch_known_chirp<size>(role, movement, task, blocks, stream);
        }))
        return;
    if (task.outer == Outer::any &&
        with_known_periodic_chirp(known_periodic_length(task.chirp.length), [&]<int size>() {
            return launch_known_periodic<size>(role, movement, task, blocks, stream);
        }))
        return;
    launch_general_pass(role, movement, task, shape, blocks, stream);
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

/// Four blocks share a multiprocessor, with 128 registers a thread; and four warps share a butterfly.
inline constexpr int matrix_step_threads = 128;

/// Matrix steps. Returns after a barrier.
template <bool in_time, class T, class Barrier>
POISSON3D_HD void matrix_ffts(const Task<T>& task, Complex<T>* lines, const Barrier& barrier) {
    POISSON3D_ROLLED
    for (int s = 0; s < task.fft.steps; ++s) {
        matrix_step<in_time>(task.fft, s, lines, task.pitch, task.shift, barrier);
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
    } else if constexpr (Variant::outer == Outer::chirp) {
        run_chirped_block<role, movement>(task, block, barrier);
    } else {
        load_lines<role, layout_in(role, movement), Variant>(task, block);
        barrier();
        const auto ffts = [&]<bool in_time>() {
            if constexpr (Variant::outer == Outer::matrix_steps) {
                matrix_ffts<in_time>(task, block.lines, barrier);
            } else if constexpr (Variant::outer == Outer::any) {
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

/// Calls body.template operator()<role, movement>(): every kernel that launch_pass() asks a translation unit for.
template <Outer outer, class Body>
void with_kernel(Role role, Movement asked, const Body& body) {
    const Movement movement = movement_of_kernel(role, asked);
    const auto with_role = [&]<Movement how>() {
        switch (role) {
            case Role::first: return body.template operator()<Role::first, how>();
            case Role::first_with_data:
                if constexpr (outer != Outer::radix8) body.template operator()<Role::first_with_data, how>();
                return;
            case Role::forward: return body.template operator()<Role::forward, how>();
            case Role::middle: return body.template operator()<Role::middle, how>();
            case Role::backward: return body.template operator()<Role::backward, how>();
            case Role::last: return body.template operator()<Role::last, Movement::in_place>();
        }
    };
    if constexpr (steps_in_registers(outer)) {
        if (movement == Movement::rotated) return with_role.template operator()<Movement::rotated>();
        if (movement == Movement::turned && role == Role::last)
            return body.template operator()<Role::last, Movement::turned>();
        if (movement == Movement::turned) return body.template operator()<Role::middle, Movement::turned>();
    }
    return with_role.template operator()<Movement::in_place>();
}

}  // namespace poisson3d::fused
