// The launches of fused passes: a kernel for each, chosen by what is known of its lines.
#pragma once

#include "block_shape.hpp"
#include "known_lengths.hpp"
#include "poisson3d/stream.hpp"
#include "run_block.hpp"

namespace poisson3d::fused {

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
            case Outer::matrix_steps: {
                constexpr Kind folded_or_not = kind == Kind::type2 ? kind : Kind::type1;
                return launch_kernel<folded_or_not, Outer::matrix_steps>(role, movement, task, shape, blocks,
                                                                         stream);
            }
            case Outer::none: return;  // of tables that engine fused has none of
        }
    });
}

/// The same by kernels that know the length of their lines, where there are such.
template <class T>
void launch_pass(Role role, Movement movement, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                 Stream stream) {
    if (task.outer != Outer::matrix_steps && launch_known(role, movement, task, shape, blocks, stream)) return;
    if (task.outer == Outer::chirp &&
        with_known_length(KnownChirpLengths{}, known_chirp_length(task.fft), [&]<int size>() {
            return launch_known_chirp<size>(role, movement, task, blocks, stream);
        }))
        return;
    if (task.outer == Outer::any &&
        with_known_length(KnownPeriodicLengths{}, known_periodic_length(task.chirp.length), [&]<int size>() {
            return launch_known_periodic<size>(role, movement, task, blocks, stream);
        }))
        return;
    launch_general_pass(role, movement, task, shape, blocks, stream);
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
