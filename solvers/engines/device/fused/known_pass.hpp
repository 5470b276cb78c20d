// Fused passes over lines of common lengths between common ends, by kernels that know their numbers when they are
// compiled (known_line.hpp): where rows of columns begin at even elements, and hold even numbers of them, and rows
// of even lines between walls do. All others, and lines whose numbers differ, have the kernels of launch_pass.hpp,
// which do the same in the same order.
#pragma once

#include <algorithm>
#include <bit>

#include "block_threads.hpp"
#include "fused_shape.hpp"
#include "known_plan.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

/// Lengths that people have most: powers of two, and three times these.
constexpr bool is_common(int rows) {
    return rows % 64 == 0 && (1024 % rows == 0 || 768 % rows == 0);
}
/// Which kernels there are of lines that can be known. Those that leave lines where they lie, of lengths that
/// people have often, periodic or between walls of one kind.
constexpr bool has_known_kernels(Ends ends, int rows, Role role, Movement movement) {
    if (!is_known(ends, rows)) return false;
    if (movement == Movement::in_place && role != Role::last)
        return ends != Ends::mixed && (rows % 64 == 0 || rows % 20 == 0);
    return true;
}

/// Blocks of long lines, of which few share a multiprocessor: how many do, of so many threads, if shared memory and
/// `least` registers a thread decide; and what registers there are for each thread then.
struct LongBlocks {
    int threads, together;
    constexpr LongBlocks(int of_block, std::size_t bytes, int least) : threads(of_block) {
        const int by_memory = static_cast<int>((std::size_t{228} << 10) / (bytes + 1024));
        const int by_registers = warps_with(least) / (threads / 32);
        together = by_memory < by_registers ? by_memory : by_registers;
    }
    [[nodiscard]] constexpr int registers() const {
        int most = 248;
        while (warps_with(most) < together * threads / 32) most -= 8;
        return most;
    }
};
template <class T>
inline constexpr int least_registers = sizeof(T) == 8 ? 112 : 80;

/// As many threads as registers allow, each with as many of the `units` butterfly pairs of a block; in small
/// blocks, if that makes no difference.
template <class T>
constexpr int long_line_threads(int units, std::size_t bytes) {
    constexpr int least = least_registers<T>;
    int most = 0, best = 0;
    for (int turns = 1; turns <= 4; ++turns) {
        const int threads = ((units + turns - 1) / turns + 31) / 32 * 32;
        const int all = threads * LongBlocks(threads, bytes, least).together;
        if (all >= most) most = all, best = threads;
    }
    return best;
}

/// Threads that a block has at least. Of steps of radix 16 and 20 in double each does one where it can: in a loop
/// over lines registers do not hold what they need.
template <class T>
constexpr int least_threads(const FewRadices& radices, int rows, int count) {
    const int large = radices.inner[0] > radices.inner[1] ? radices.inner[0] : radices.inner[1];
    const int steps = (rows / large * count + 31) / 32 * 32;
    const int most = large == 20 ? 256 : large == 16 ? 160 : 0;
    return sizeof(T) == 8 && steps > 96 && steps <= most ? steps : 96;
}

/// Registers of a thread, but for those of middle passes, of blocks of so many threads at least. Lines of smaller
/// radices want fewer, so that more blocks share a multiprocessor; so do those of which two would, but not three.
template <class T>
constexpr int registers_of(const FewRadices& radices, int least) {
    const int outer = radices.samples > radices.modes ? radices.samples : radices.modes;
    const int inner = radices.inner[0] > radices.inner[1] ? radices.inner[0] : radices.inner[1];
    if (sizeof(T) == 4) return outer <= 7 && inner <= 16 ? 80 : 96;
    if (outer > 7 || inner >= 15) return blocks_with(128, least) < 3 && blocks_with(96, least) >= 3 ? 96 : 128;
    return outer <= 5 && inner <= 10 ? 80 : 96;
}

/// The same of known lines. Of 875 three blocks share a multiprocessor in any case: with 256 threads of 80
/// registers they take 5 % longer than with 192 of 96.
template <class T, int rows>
constexpr int registers_of_rows(const FewRadices& radices, int least) {
    return rows == 875 && sizeof(T) == 8 ? 96 : registers_of<T>(radices, least);
}

/// Of a pass over many lines, on devices of as much shared memory and as many registers as those of compute
/// capability 9.0 have. What reads and writes the field counts twice.
template <Ends ends, int rows, class T>
constexpr BlockShape known_shape_of() {
    using Line = KnownLine<ends, rows, T>;
    BlockShape shape = block_shape_of(Line::most_pairs, Line::pitch * 2 * sizeof(T), sizeof(T), false,
                                      Index{1} << 20, std::size_t{227} << 10);
    if (rows > 1024) {
        shape.threads = long_line_threads<T>(Line::most_pairs * shape.count, shape.bytes);
    } else if (ends == Ends::periodic && rows == 1024 && sizeof(T) == 8) {
        return shape;  // with 256 threads three of its kernels spill 200 bytes
    } else if (rows > 256) {
        const auto turns = [&](int threads) {
            const auto across = [&](int pairs) { return (pairs * shape.count + threads - 1) / threads; };
            int all = 2 * across(Line::pairs(Side::samples)) + 2 * across(Line::pairs(Side::modes));
            for (int s = 0; s < Line::steps; ++s)
                all += turns_along(rows / Line::radices.inner[s], shape.count, threads);
            return all;
        };
        const int least = least_threads<T>(Line::radices, rows, shape.count);
        shape.threads =
            threads_of_fewest_turns(shape.bytes, registers_of_rows<T, rows>(Line::radices, least), least, turns);
    }
    return shape;
}
template <Ends ends, int rows, class T>
inline constexpr BlockShape known_shape = known_shape_of<ends, rows, T>();

/// Registers of a thread of their kernels.
template <Ends ends, int rows, Role role, class T>
constexpr int known_registers() {
    constexpr BlockShape shape = known_shape<ends, rows, T>;
    if (rows > 1024) {
        const int registers = LongBlocks(shape.threads, shape.bytes, least_registers<T>).registers();
        return std::min(sizeof(T) == 8 ? 128 : 96, registers);
    }
    constexpr FewRadices radices = KnownLine<ends, rows, T>::radices;
    constexpr int least = least_threads<T>(radices, rows, shape.count);
    constexpr int registers = registers_of_rows<T, rows>(radices, least);
    if (sizeof(T) == 4) return registers;
    // Of rows samples that are no neighbours have twice as many addresses.
    if (role == Role::first && ends != Ends::alike && radices.samples >= 7) return 128;
    // Tables of the way there and back besides.
    const int wanted = role != Role::middle || least > 96 ? registers : registers == 80 ? 96 : 128;
    if (radices.inner[1] == 1) return wanted;  // with 168 they take 8 % longer
    return registers_beside(shape.bytes, shape.threads, wanted, role == Role::middle ? 168 : 128);
}

/// The Format of their tasks.
template <Ends ends, int rows, Role role>
struct KnownPass {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

}  // namespace poisson3d::fused

namespace poisson3d::device {

template <int rows>
inline constexpr bool gathers_rows<fused::KnownPass<Ends::mixed, rows, Role::last>> =
    few_radices(rows / known_ffts(Ends::mixed, rows)).samples % 2 != 0;

template <class T, Ends ends, int rows, Role role>
struct PassLine<T, fused::KnownPass<ends, rows, role>> {
    static constexpr BlockShape shape = fused::known_shape<ends, rows, T>;
    using Line = KnownLine<ends, rows, T, shape.threads>;
    using In = KnownSide<Line, reads_samples(role) ? Side::samples : Side::modes>;
    using Out = KnownSide<Line, writes_samples(role) ? Side::samples : Side::modes>;
    using Modes = KnownSide<Line, Side::modes>;
    static constexpr bool in_twos = fused::is_common(rows);
    static constexpr Kind kind = Line::kind;
    static constexpr int count = shape.count;
    static constexpr int shift = std::bit_width(static_cast<unsigned>(count)) - 1;
    static constexpr int pitch = Line::pitch;
    /// Of even lines between walls; a row of an odd one begins anywhere.
    static constexpr bool vectors_in = ends != Ends::periodic && rows % 2 == 0, vectors_out = vectors_in;
    ButterflyPairs<T, In> in_butterflies;
    ButterflyPairs<T, Out> out_butterflies;
    PairMap<T, In> in_map;
    PairMap<T, Out> out_map;
    LineFft<T, Modes> fft;
    ButterflyPairs<T, Modes> mode_butterflies;
    PairMap<T, Modes> modes_out, modes_in;
    static constexpr bool multiply = false;
    static constexpr int below = 0, above = 0;
    static constexpr Index samples = rows;
};

}  // namespace poisson3d::device

namespace poisson3d::fused {

/// What a view of a side does not know, from its tables; whether the rest agrees.
template <class T, class Line, Side side>
bool set_side(ButterflyPairs<T, KnownSide<Line, side>>& known, PairMap<T, KnownSide<Line, side>>& known_map,
              const ButterflyPairs<T, Compact>& butterflies, const PairMap<T, Compact>& map) {
    set_map(known_map, map);
    if constexpr (side == Side::samples) known.twiddles = butterflies.twiddles;
    return same_butterflies(butterflies, known) && same_entries(map, known_map);
}

/// The task of a kernel that knows its lines; false where `task` is of others.
template <class T, Ends ends, int rows, Role role>
bool set_known(PassTask<T, KnownPass<ends, rows, role>>& known, const Task<T>& task, const BlockShape& shape) {
    using Known = PassLine<T, KnownPass<ends, rows, role>>;
    if (task.kind != known.kind || task.chirp.length > 0 || task.count != known.count ||
        task.pitch != known.pitch || shape.bytes != Known::shape.bytes || (known.in_twos && task.lines % 2 != 0))
        return false;
    if (task.multiply || task.below != 0 || task.above != 0) return false;
    if (Known::vectors_in && role == Role::first && known.kind == Kind::type2 && !task.vectors_in) return false;
    if (Known::vectors_out && role == Role::last && !task.vectors_out) return false;
    static_cast<PassFields<T>&>(known) = task;
    known.fft.twiddles = task.fft.twiddles;
    bool same = same_steps<typename Known::Line>(task.fft);
    same = set_side(known.in_butterflies, known.in_map, task.in_butterflies, task.in_map) && same;
    same = set_side(known.out_butterflies, known.out_map, task.out_butterflies, task.out_map) && same;
    if constexpr (role == Role::middle) {
        same = set_side(known.mode_butterflies, known.modes_out, task.mode_butterflies, task.modes_out) && same;
        same = set_side(known.mode_butterflies, known.modes_in, task.mode_butterflies, task.modes_in) && same;
    }
    return same;
}

/// Calls body.template operator()<role, movement>() for a kernel of these; false where there is none.
template <class Body>
bool with_known_kernel(Role role, Movement asked, const Body& body) {
    const Movement movement = movement_of_kernel(role, asked);
    if (role == Role::last)
        return movement == Movement::in_place && body.template operator()<Role::last, Movement::in_place>();
    if (movement == Movement::turned) return false;
    const auto with_role = [&]<Movement how>() {
        switch (role) {
            case Role::first: return body.template operator()<Role::first, how>();
            case Role::forward: return body.template operator()<Role::forward, how>();
            case Role::middle: return body.template operator()<Role::middle, how>();
            case Role::backward: return body.template operator()<Role::backward, how>();
            default: return false;
        }
    };
    if (movement == Movement::rotated) return with_role.template operator()<Movement::rotated>();
    return with_role.template operator()<Movement::in_place>();
}

/// launch.template operator()<role, movement>(known task) with the first ends whose lines these are; false if there
/// are none.
template <int rows, class T, class Launch>
bool with_known_task(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                     const Launch& launch) {
    return with_known_kernel(role, movement, [&]<Role which, Movement how>() {
        const auto with_ends = [&]<Ends ends>() {
            if constexpr (has_known_kernels(ends, rows, which, how)) {
                if (layout_in(which, how) == Layout::columns && !task.vectors_in) return false;
                if (layout_out(which, how) == Layout::columns && !task.vectors_out) return false;
                PassTask<T, KnownPass<ends, rows, which>> known;
                if (!set_known(known, task, shape)) return false;
                launch.template operator()<which, how>(known);
                return true;
            }
            return false;
        };
        return with_ends.template operator()<Ends::alike>() || with_ends.template operator()<Ends::periodic>() ||
               with_ends.template operator()<Ends::mixed>();
    });
}

}  // namespace poisson3d::fused
