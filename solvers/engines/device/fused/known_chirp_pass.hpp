// Fused passes over even and odd lines by a chirp whose numbers kernels know when they are compiled
// (known_chirp.hpp): where rows of columns begin at even elements. All others have the kernels of launch_pass.hpp,
// which do the same.
#pragma once

#include <bit>

#include "fused_shape.hpp"
#include "known_chirp.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

/// Two complex lines of doubles or four of floats: three blocks of the largest share a multiprocessor, and of
/// smaller ones more is left to the first-level cache, where tables are. Threads for as many butterflies of a first
/// step as a line has.
template <int size, class T>
constexpr BlockShape known_chirp_shape_of() {
    BlockShape shape;
    shape.count = 16 / static_cast<int>(sizeof(T));
    shape.bytes = static_cast<std::size_t>(shape.count) * KnownChirp<size>::pitch * 2 * sizeof(T);
    shape.threads = 160;
    return shape;
}
template <int size, class T>
inline constexpr BlockShape known_chirp_shape = known_chirp_shape_of<size, T>();

/// Of a thread. With 96 four blocks share a multiprocessor, where shared memory has room for them, of which single
/// precision has more than it spills. The two longest FFTs have more of their tables on the way with 168, of which
/// two blocks share one, not three.
template <class T, int size>
constexpr int known_chirp_registers() {
    if (sizeof(T) == 8 && size >= 240) return 168;
    return KnownChirp<size>::few_registers || (size == 144 && sizeof(T) == 4) ? 96 : 128;
}

/// The Format of their tasks.
template <int size>
struct KnownChirpPass {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

}  // namespace poisson3d::fused

namespace poisson3d::device {

/// Two lines of doubles: of either 16 neighbours are 128 bytes, and both have the same entries of tables. Four of
/// floats where steps have no twiddles, since with rows of 16 neighbouring positions share banks in half of the
/// cases.
template <int size>
inline constexpr bool always_across<double, fused::KnownChirpPass<size>> = true;
template <int size>
inline constexpr bool always_across<float, fused::KnownChirpPass<size>> = known_chirp_radices(size).coprime();

template <class T, int size>
struct PassLine<T, fused::KnownChirpPass<size>> {
    static constexpr BlockShape shape = fused::known_chirp_shape<size, T>;
    using Line = KnownChirp<size, shape.threads>;
    static constexpr bool in_twos = false;
    static constexpr Kind kind = Kind::type1;
    static constexpr int count = shape.count;
    static constexpr int shift = std::bit_width(static_cast<unsigned>(count)) - 1;
    static constexpr int pitch = Line::pitch;
    static constexpr bool vectors_in = true, vectors_out = true;  // of columns
    Symmetric<T, Line> symmetric, mode_symmetric;
    PairMap<T, Line> in_map, out_map;
    LineFft<T, Line> fft;
    Chirp<T> chirp;
    PairMap<T, Line> modes_out, modes_in;
    static constexpr bool multiply = false;
    int below = 0, above = 0;
    Index samples = 0;
};

}  // namespace poisson3d::device

namespace poisson3d::fused {

/// launch.template operator()<role, movement>(known task) of a kernel whose lines these are; false if there is
/// none.
template <int size, class T, class Launch>
bool with_known_chirp_task(Role role, Movement movement, const Task<T>& task, const Launch& launch) {
    using F = KnownChirpPass<size>;
    using Known = PassLine<T, F>;
    if (known_chirp_length(task.fft) != size || task.count != Known::count || task.multiply) return false;
    bool launched = false;
    with_kernel<Outer::chirp>(role, movement, [&]<Role which, Movement how>() {
        if (!in_rows(layout_in(which, how)) && !task.vectors_in) return;
        if (!in_rows(layout_out(which, how)) && !task.vectors_out) return;
        PassTask<T, F> known;
        static_cast<PassFields<T>&>(known) = task;
        const auto set_side = [](auto& side, const Symmetric<T, Compact>& of) {
            static_cast<WorkItems&>(side.items) = of.items;
            side.sine = of.sine;
            side.half_way = of.half_way;
            side.twiddles = of.twiddles;
        };
        set_side(known.symmetric, task.symmetric);
        set_side(known.mode_symmetric, task.mode_symmetric);
        const auto set_map = [](auto& map, const PairMap<T, Compact>& of, const Symmetric<T, Compact>& side) {
            map.alpha = of.alpha;
            map.from = of.from;
            map.last = of.last;
            map.half_way = side.half_way;
        };
        set_map(known.in_map, task.in_map, reads_samples(which) ? task.symmetric : task.mode_symmetric);
        set_map(known.out_map, task.out_map, writes_samples(which) ? task.symmetric : task.mode_symmetric);
        set_map(known.modes_in, task.modes_in, task.mode_symmetric);
        set_map(known.modes_out, task.modes_out, task.mode_symmetric);
        if (!known.in_map.longer_than_three() || !known.out_map.longer_than_three()) return;
        known.fft.twiddles = task.fft.twiddles + task.fft.step[0].twiddles;
        known.chirp = task.chirp;
        known.below = task.below, known.above = task.above, known.samples = task.samples;
        launch.template operator()<which, how>(known);
        launched = true;
    });
    return launched;
}

}  // namespace poisson3d::fused
