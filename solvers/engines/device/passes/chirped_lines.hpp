// The phases of even and odd lines by a chirp (symmetric_chirp.hpp): samples and modes are loaded, stored and
// divided alike, in classes of their symmetric steps.
#pragma once

#include "known_chirp.hpp"
#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"
#include "symmetric_chirp.hpp"

namespace poisson3d::device {

/// Where the members of class j stand in the field: words of two in each.
template <int r, class Map>
struct Members {
    PairMapEntryOf<typename Map::Word> of[r / 4];

    POISSON3D_HD Members(const Map& map, int row, int j) {
        POISSON3D_UNROLL
        for (int h = 0; h < r / 4; ++h) of[h].bits = load_table(map.words + h * row + j);
    }
    [[nodiscard]] POISSON3D_HD int read(int m) const { return m % 2 == 0 ? of[m / 2].first() : of[m / 2].second(); }
    [[nodiscard]] POISSON3D_HD int written(int m) const { return read(m); }
    /// Whoever writes looks for those that are not there.
    [[nodiscard]] static POISSON3D_HD bool there(int) { return true; }
};

/// The same of known lines. Instead of one that is not there the first sample is read, since its α is 0.
template <int r, class T, int size, int threads>
struct Members<r, PairMap<T, KnownChirp<size, threads>>> {
    const PairMap<T, KnownChirp<size, threads>>& map;
    int j;

    POISSON3D_HD Members(const PairMap<T, KnownChirp<size, threads>>& of, int /*row*/, int number)
        : map(of), j(number) {}
    [[nodiscard]] POISSON3D_HD int read(int m) const { return there(m) ? map.index(m, j) : 0; }
    [[nodiscard]] POISSON3D_HD int written(int m) const { return map.index(m, j); }
    [[nodiscard]] POISSON3D_HD bool there(int m) const { return map.there(m, j); }
};

/// Whether kernels know lines of Format F.
template <class T, class F>
inline constexpr bool known_chirp = !std::is_same_v<decltype(PassLine<T, F>::fft), LineFft<T, F>>;

template <bool samples, class T, class F>
POISSON3D_HD const auto& side_of(const PassTask<T, F>& task) {
    if constexpr (samples)
        return task.symmetric;
    else
        return task.mode_symmetric;
}

template <Role role, Layout layout, class T, class F>
POISSON3D_HD void load_chirped(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr int r = chirped_radix<F>;
    constexpr bool known = known_chirp<T, F>;
    const auto& side = side_of<reads_samples(role)>(task);
    for_loaded<role, layout, known, known>(
        task, block, side.items, [&](int j, Complex<T>* line, const auto& reader) {
            Complex<T> z[r];
            const Members<r, std::remove_cvref_t<decltype(task.in_map)>> members(task.in_map, side.row, j);
            POISSON3D_UNROLL
            for (int m = 0; m < r / 2; ++m) z[m] = reader.raw(members.read(m));
            POISSON3D_UNROLL
            for (int m = 0; m < r / 2; ++m) reader.touch(members.read(m), z[m]);
            chirped_first(side, task.in_map, j, line, z);
        });
}

template <Role role, Layout layout, class T, class F>
POISSON3D_HD void store_chirped(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr int r = chirped_radix<F>;
    constexpr bool known = known_chirp<T, F>;
    const auto& side = side_of<writes_samples(role)>(task);
    for_stored<role, layout, known, known>(
        task, block, side.items, [&](int j, const Complex<T>* line, const auto& writer) {
            Complex<T> z[r];
            chirped_last(side, task.out_map, j, line, z);
            const Members<r, std::remove_cvref_t<decltype(task.out_map)>> members(task.out_map, side.row, j);
            POISSON3D_UNROLL
            for (int m = 0; m < r / 2; ++m)
                if (members.there(m)) writer.write(members.written(m), z[m]);
            if (j == 0) writer.write_ends();
        });
}

/// Mode space: divide(lines, line in the block, j, z) changes the members of class j.
template <class T, class F, class Divide>
POISSON3D_HD void between_chirped(const PassTask<T, F>& task, const BlockPosition<T>& block, const Divide& divide) {
    constexpr int r = chirped_radix<F>;
    const auto& side = task.mode_symmetric;
    for_items<false, 1>(task, side.items, [&](int j, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        Complex<T>* const at = block.lines + line * task.pitch;
        Complex<T> z[r];
        chirped_last(side, task.modes_out, j, at, z);
        divide(lines, line, j, z);
        chirped_first(side, task.modes_in, j, at, z);
    });
}

template <class T, class F>
POISSON3D_HD void chirped_modes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr int r = chirped_radix<F>;
    const T sum = task.lambda_slow[block.slow] + task.shift_by;
    between_chirped(task, block, [&](const RealLines<T>& lines, int /*line*/, int j, Complex<T>(&z)[r]) {
        const T re = sum + load_table(task.lambda_lanes + lines.first);
        const T im = sum + load_table(task.lambda_lanes + lines.first + (lines.paired ? 1 : 0));
        const bool constant = task.removed != nullptr && block.slow == 0 && lines.first == 0 && j == 0;
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const Complex<T> along = load_table(task.lambda_line + m / 2 * task.mode_symmetric.row + j);
            T first_re = re + along.re;
            T first_im = im + along.re;
            if (m == r / 4 && constant) {  // position 0
                task.removed[block.field * task.removed_field] = z[m].re * task.factor;
                z[m].re = T(0);
                first_re = T(1);                                     // anything but 0
                if (!lines.paired) z[m].im = T(0), first_im = T(1);  // a copy of the constant, not divided
            }
            z[m] = over_eigenvalues(task, z[m], first_re, first_im);
            z[m + 1] = over_eigenvalues(task, z[m + 1], re + along.im, im + along.im);
        }
    });
}

/// All that is between symmetric steps, in a function that is called: kernels that know their lines have it once,
/// where they want it twice, others share it. Returns after a barrier.
template <class T, class F, class Barrier>
POISSON3D_HD_CALLED void between_symmetric(const PassTask<T, F>& task, Complex<T>* lines, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
#endif
    symmetric_convolution(task.fft, task.chirp, lines, task.pitch, task.count, barrier);
}

}  // namespace poisson3d::device
