// Fused passes over type I lines of common half periods, by kernels that know their numbers when they are compiled
// (known_symmetric.hpp): nodes between two Dirichlet faces or two Neumann faces. All others, and lines whose
// numbers differ, have the kernels of launch_pass.hpp, which do the same in the same order.
#pragma once

#include <bit>

#include "fused_shape.hpp"
#include "known_pass.hpp"
#include "known_symmetric.hpp"

namespace poisson3d::fused {

/// A block of a kernel and the registers of its threads.
struct SymmetricShape {
    BlockShape block;
    int registers = 0;
};

/// Of a pass over many lines, on devices of as much shared memory and as many registers as those of compute
/// capability 9.0 have. Bytes and lines are those of all kernels. Symmetric steps of radix 8 and more spill with
/// fewer registers than 128, in double, and so do steps of radix 20. Steps that read or write the field count
/// twice.
template <int half, class T>
constexpr SymmetricShape known_symmetric_shape() {
    using Line = KnownSymmetricLine<half, known_symmetric_radix(half), T>;
    constexpr int items = Line::classes > Line::pairs ? Line::classes : Line::pairs;
    SymmetricShape shape;
    shape.block = block_shape_of(items, Line::pitch * 2 * sizeof(T), sizeof(T), false, Index{1} << 20,
                                 std::size_t{227} << 10);
    shape.registers = sizeof(T) == 4 ? 80 : Line::radix >= 8 || Line::first == 20 ? 128 : 96;
    const int count = shape.block.count;
    shape.block.threads = threads_of_fewest_turns(shape.block.bytes, shape.registers, 96, [&](int threads) {
        int turns = 2 * turns_along(Line::classes, count, threads) + 2 * turns_along(Line::pairs, count, threads);
        for (int s = 0; s < Line::steps; ++s)
            turns += turns_along(Line::rows / Line::radices.inner[s], count, threads);
        return turns;
    });
    return shape;
}

/// The Format of their tasks.
template <int half, Role role>
struct KnownSymmetricPass {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

}  // namespace poisson3d::fused

namespace poisson3d::device {

/// Of a pass whose lines are samples, modes are not read or not written; the members are there all the same.
template <class T, int half, Role role>
struct PassLine<T, fused::KnownSymmetricPass<half, role>> {
    static constexpr BlockShape shape = fused::known_symmetric_shape<half, T>().block;
    using Line = KnownSymmetricLine<half, known_symmetric_radix(half), T, shape.threads>;
    static constexpr bool in_twos = false;
    static constexpr Kind kind = Kind::type1;
    static constexpr int count = shape.count;
    static constexpr int shift = std::bit_width(static_cast<unsigned>(count)) - 1;
    static constexpr int pitch = Line::pitch;
    static constexpr bool vectors_in = true, vectors_out = true;  ///< of columns
    ButterflyPairs<T, KnownModes<Line>> in_butterflies, out_butterflies, mode_butterflies;
    PairMap<T, KnownModes<Line>> in_map, out_map, modes_out, modes_in;
    Symmetric<T, KnownClasses<Line>> symmetric;
    LineFft<T, KnownSide<Line, Side::modes>> fft;
    static constexpr bool multiply = false;
    int below = 0, above = 0;
    Index samples = 0;
};

}  // namespace poisson3d::device

namespace poisson3d::fused {

/// The task of a kernel that knows its lines; false where `task` is of others.
template <class T, int half, Role role>
bool set_known(PassTask<T, KnownSymmetricPass<half, role>>& known, const Task<T>& task, const BlockShape& shape) {
    using Known = PassLine<T, KnownSymmetricPass<half, role>>;
    if (task.kind != known.kind || task.chirp.length > 0 || task.count != known.count ||
        task.pitch != known.pitch || shape.bytes != Known::shape.bytes || task.multiply)
        return false;
    static_cast<PassFields<T>&>(known) = task;
    known.fft.twiddles = task.fft.twiddles;
    known.symmetric.twiddles = task.symmetric.twiddles;
    known.below = task.below, known.above = task.above, known.samples = task.samples;
    const bool sine = task.symmetric.sine;
    known.symmetric.sine = known.in_map.sine = known.out_map.sine = known.modes_in.sine = known.modes_out.sine =
        sine;
    const auto same = [](const auto& butterflies, const auto& of_known, const auto& map, const auto& known_map) {
        return same_modes(butterflies, of_known) && same_modes(map, known_map);
    };
    return same_steps<typename Known::Line>(task.fft) && same_classes(task.symmetric, known.symmetric) &&
           (reads_samples(role) || same(task.in_butterflies, known.in_butterflies, task.in_map, known.in_map)) &&
           (writes_samples(role) ||
            same(task.out_butterflies, known.out_butterflies, task.out_map, known.out_map)) &&
           (role != Role::middle ||
            same(task.mode_butterflies, known.mode_butterflies, task.modes_in, known.modes_in));
}

/// launch.template operator()<role, movement>(known task); false where `task` is of others.
template <int half, class T, class Launch>
bool with_known_symmetric_task(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                               const Launch& launch) {
    return with_known_kernel(role, movement, [&]<Role which, Movement how>() {
        if constexpr (how == Movement::rotated || which == Role::last) {
            PassTask<T, KnownSymmetricPass<half, which>> known;
            if (!set_known(known, task, shape)) return false;
            launch.template operator()<which, how>(known);
            return true;
        }
        return false;
    });
}

}  // namespace poisson3d::fused
