// Fused passes over periodic lines by a chirp whose numbers kernels know when they are compiled
// (known_periodic_chirp.hpp): where rows of columns begin at even elements, and without boundary data. All others
// have the kernels of launch_pass.hpp, which do the same.
#pragma once

#include <bit>

#include "block_threads.hpp"
#include "fused_shape.hpp"
#include "known_plan.hpp"
#include "launch_pass.hpp"
#include "periodic_chirp_lines.hpp"

namespace poisson3d::fused {

/// Two complex lines of doubles or four of floats, and as many threads as take the fewest turns, weighted with the
/// numbers that a thread has in each.
template <int size, class T>
constexpr BlockShape known_periodic_shape_of() {
    using Line = KnownPeriodicChirp<size>;
    BlockShape shape;
    shape.count = 16 / static_cast<int>(sizeof(T));
    shape.bytes = static_cast<std::size_t>(shape.count) * Line::pitch * 2 * sizeof(T);
    const auto turns = [&](int threads) {
        const auto across = [&](int number) { return (number * shape.count + threads - 1) / threads; };
        return 2 * Line::radix * across(size) + 2 * Line::first * across(Line::radix * Line::last) +
               2 * Line::last * across(Line::radix * Line::first);
    };
    shape.threads = threads_of_fewest_turns(shape.bytes, 128, 96, turns);
    return shape;
}
template <int size, class T>
inline constexpr BlockShape known_periodic_shape = known_periodic_shape_of<size, T>();

template <class T, int size>
constexpr int known_periodic_registers() {
    constexpr BlockShape shape = known_periodic_shape<size, T>;
    return registers_beside(shape.bytes, shape.threads, sizeof(T) == 8 ? 128 : 96, sizeof(T) == 8 ? 168 : 128);
}

/// The Format of their tasks.
template <int size>
struct KnownPeriodicPass {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

}  // namespace poisson3d::fused

namespace poisson3d::device {

/// Two lines of doubles, of which 16 neighbours are 128 bytes, and four of floats, have the same entries of tables.
template <class T, int size>
inline constexpr bool always_across<T, fused::KnownPeriodicPass<size>> = true;

template <class T, int size>
struct PassLine<T, fused::KnownPeriodicPass<size>> {
    static constexpr BlockShape shape = fused::known_periodic_shape<size, T>;
    using Line = KnownPeriodicChirp<size, shape.threads>;
    static constexpr bool in_twos = false;
    static constexpr Kind kind = Kind::type2;
    static constexpr int count = shape.count;
    static constexpr int shift = std::bit_width(static_cast<unsigned>(count)) - 1;
    static constexpr int pitch = Line::pitch;
    static constexpr bool vectors_in = true, vectors_out = true;  // of columns
    KnownItems<size, shape.threads> classes;
    WorkItems pairs;  ///< of modes k and n − k
    LineFft<T, Line> fft;
    Chirp<T> chirp;
    struct SelfPaired {
        Complex<T> self_paired;  ///< factors of modes 0 and n/2
    } modes_out, modes_in;
    static constexpr bool multiply = false;
    static constexpr int below = 0, above = 0;
    static constexpr Index samples = 0;

    /// Lines are longer than five FFTs.
    [[nodiscard]] POISSON3D_HD bool there(int m, int c) const { return m < 5 || c + m * size < chirp.length; }
    /// Itself if there is none.
    [[nodiscard]] POISSON3D_HD int partner(int k) const {
        if (k > 0) return chirp.length - k;
        return chirp.length % 2 == 0 ? chirp.length / 2 : 0;
    }
};

}  // namespace poisson3d::device

namespace poisson3d::fused {

/// Whether a plan is of a periodic line: samples in their order, modes k and n − k in pairs.
template <class T>
bool is_periodic_line(const PairMap<T, Compact>& samples, const PairMap<T, Compact>& modes, int n) {
    const auto is = [](const PairMap<T, Compact>& map, int o, int first, int second, std::uint32_t sign) {
        const PairMapEntry entry = entry_of(map, o, 0);
        return entry.first() == first && entry.second() == second && entry.second_sign() == sign;
    };
    // In the middle of an odd number of samples one is alone.
    return (samples.linear || n % 2 != 0) && modes.linear && is(samples, 0, 0, n - 1, 0) &&
           is(samples, 1, 1, n - 2, 0) && is(modes, 1, 1, n - 1, 1) && is(modes, 2, 2, n - 2, 1);
}

/// launch.template operator()<role, movement>(known task) of a kernel whose lines these are; false if there is
/// none.
template <int size, class T, class Launch>
bool with_known_periodic_task(Role role, Movement movement, const Task<T>& task, const Launch& launch) {
    using F = KnownPeriodicPass<size>;
    using Known = PassLine<T, F>;
    using Line = typename Known::Line;
    const LineFft<T, Compact>& fft = task.fft;
    if (task.kind != Known::kind || task.count != Known::count || task.multiply || task.below + task.above > 0)
        return false;
    if (fft.steps != 3 || fft.step[0].radix != Line::radix || fft.step[1].radix != Line::first ||
        fft.step[2].radix != Line::last || task.chirp.length <= 5 * size)
        return false;
    bool launched = false;
    with_kernel<Outer::chirp>(role, movement, [&]<Role which, Movement how>() {
        if constexpr (which != Role::first_with_data) {
            if (!in_rows(layout_in(which, how)) && !task.vectors_in) return;
            if (!in_rows(layout_out(which, how)) && !task.vectors_out) return;
            const PairMap<T, Compact>& samples = reads_samples(which) ? task.in_map : task.out_map;
            const PairMap<T, Compact>& modes = which == Role::middle  ? task.modes_out
                                               : reads_samples(which) ? task.out_map
                                                                      : task.in_map;
            if (!is_periodic_line(samples, modes, task.chirp.length)) return;
            PassTask<T, F> known;
            static_cast<PassFields<T>&>(known) = task;
            known.pairs = WorkItems((task.chirp.length + 1) / 2);
            known.modes_out = {which == Role::middle ? task.modes_out.self_paired : task.out_map.self_paired};
            known.modes_in = {which == Role::middle ? task.modes_in.self_paired : task.in_map.self_paired};
            known.fft.first_twiddles = fft.twiddles + fft.step[0].twiddles;
            known.fft.twiddles = fft.twiddles + fft.step[1].twiddles;
            known.chirp = task.chirp;
            launch.template operator()<which, how>(known);
            launched = true;
        }
    });
    return launched;
}

}  // namespace poisson3d::fused
