// Fused passes over type I lines of common half periods, by kernels that know their numbers when they are compiled
// (known_symmetric.hpp): nodes between two Dirichlet faces or two Neumann faces. All others, and lines whose
// numbers differ, have the kernels of launch_pass.hpp, which do the same in the same order.
#pragma once

#include <algorithm>
#include <bit>

#include "fused_shape.hpp"
#include "known_pass.hpp"
#include "known_symmetric.hpp"

namespace poisson3d::fused {

/// Lines of a role: rows of a caller's field are those along z.
template <int half, Role role>
inline constexpr int radix_of_role = known_symmetric_radix(half, first_role(role) || role == Role::last);

/// Registers of a thread, at least; where no pairs are mixed, they are enough. A multiprocessor has 65536.
template <class T>
inline constexpr int fewest_registers = sizeof(T) == 4 ? 80 : 96;
constexpr int blocks_of(const BlockShape& shape, int registers) {
    const int in_shared = static_cast<int>((std::size_t{227} << 10) / (shape.bytes + 1024));
    return std::min(in_shared, 65536 / (registers * shape.threads));
}

/// Of a pass over many lines, on devices of as much shared memory and as many registers as those of compute
/// capability 9.0 have. Bytes and lines are those of all kernels. Of threads there are as many as leave the fewest
/// without work, where at least 512 share a multiprocessor: steps that read or write the field count twice.
template <int half, class T, Role role>
constexpr BlockShape known_symmetric_shape() {
    using Line = KnownSymmetricLine<half, radix_of_role<half, role>>;
    constexpr std::size_t most = std::size_t{227} << 10;
    constexpr int items = Line::classes > Line::pairs ? Line::classes : Line::pairs;
    BlockShape shape =
        block_shape_of(items, Line::template pitch<T> * 2 * sizeof(T), sizeof(T), false, Index{1} << 20, most);
    int least = 0;
    for (int threads = 64; threads <= 512; threads += 32) {
        BlockShape tried = shape;
        tried.threads = threads;
        if (blocks_of(tried, fewest_registers<T>) * threads < 512) continue;
        const auto turns = [&](int number) {  // of along_lines()
            if (number >= threads) return (number + threads - 1) / threads * shape.count;
            const int across = threads / number;
            return (shape.count + across - 1) / across;
        };
        int spent = 2 * turns(Line::classes) + 2 * turns(Line::pairs);
        for (int s = 0; s < Line::steps; ++s) spent += turns(Line::rows / Line::radices.inner[s]);
        if (least == 0 || spent * threads < least) least = spent * threads, shape.threads = threads;
    }
    return shape;
}

/// As many as the blocks that there are leave for each thread, in steps of 8.
template <int half, class T, Role role>
constexpr int known_symmetric_registers() {
    constexpr BlockShape shape = known_symmetric_shape<half, T, role>();
    constexpr int threads = blocks_of(shape, fewest_registers<T>) * shape.threads;
    return std::min(sizeof(T) == 4 ? 96 : 128, 65536 / threads / 8 * 8);
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
    static constexpr BlockShape shape = fused::known_symmetric_shape<half, T, role>();
    using Line = KnownSymmetricLine<half, fused::radix_of_role<half, role>, shape.threads>;
    static constexpr bool in_twos = false;
    static constexpr Kind kind = Kind::type1;
    static constexpr int count = shape.count;
    static constexpr int shift = std::bit_width(static_cast<unsigned>(count)) - 1;
    static constexpr int pitch = Line::template pitch<T>;
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
