// Steps of FFTs as products with matrices, on the tensor cores of a GPU, for any radix q up to 255.
//
// A DFT of x_0 … x_{q−1} is, for k = 0 … q/2,
//
//     e_j = x_j + x_{q−j},  o_j = x_j − x_{q−j}                         j = 0 … q/2, x_q = x_0
//     A_k = Σ_j cos(2π jk/q) e_j,   B_k = Σ_j sin(2π jk/q) o_j
//     y_k = A_k − i B_k,   y_{q−k} = A_k + i B_k
//
// with half of the cosine where j is its own partner. So two real matrices of (q/2 + 1)² serve both parts of all
// butterflies of a step: q multiplications an element, of which tensor cores for double precision do 128 a cycle.
//
// A warp takes 8 butterflies, whose real parts are the upper 8 and imaginary parts the lower 8 rows of the first
// factor (16 × 4), and 8 values of k for each tile of the matrices (4 × 8): thread 4 g + t has elements t, t + 4 …
// of butterfly g going in, and of every tile A_k and B_k of k = t and t + 4 coming out, so that nothing is
// exchanged. All numbers of a butterfly are read before the first is written, so it is done in place. Radices of
// which a warp does not hold all results are shared by two or four warps of a block.
//
// Butterflies of neighbouring lines meet in neighbouring threads such that the threads of a warp use different
// banks, lines being two elements more than a multiple of them apart (fft_plan.cpp).
//
// Steps follow each other as in line_fft.hpp, two at most; twiddles are multiplied with after the first one, there
// and back. Host and device share this file; the host is all threads of a warp, one after the other.
#pragma once

#include "line_fft.hpp"
#include "tensor_tile.hpp"

namespace poisson3d::lines {

inline constexpr int largest_matrix_radix = 255;

/// How the results of a butterfly of radix q are shared out: `tiles` of 8, at most `most`, to each of `warps`.
/// Elements go in by four, `depth` times.
struct MatrixShape {
    int tiles = 0, warps = 0, depth = 0;
    explicit constexpr POISSON3D_HD MatrixShape(int q) {
        const int half = q / 2 + 1;
        const int all = (half + 7) / 8;
        warps = all <= 4 ? 1 : all <= 8 ? 2 : 4;
        tiles = (all + warps - 1) / warps;
        depth = (half + 3) / 4;
    }
    constexpr POISSON3D_HD MatrixShape(int q, int most) {
        const int half = q / 2 + 1;
        const int all = (half + 7) / 8;
        warps = all <= most ? 1 : all <= 2 * most ? 2 : 4;
        tiles = (all + warps - 1) / warps;
        depth = (half + 3) / 4;
    }
    /// Numbers of both matrices.
    [[nodiscard]] constexpr int size() const { return depth * tiles * warps * 32; }
};

/// Element (j, k) of the matrices in the table: cosine and sine are one entry.
constexpr int matrix_entry(const MatrixShape& shape, int j, int k) {
    const int all = shape.tiles * shape.warps;
    const int column = k % 4 * 2 + k % 8 / 4;  // k = t and t + 4 in the columns of thread t
    return ((j / 4 * all + k / 8) * 8 + column) * 4 + j % 4;
}

/// Butterflies that a warp does at once: registers hold so many times 8.
constexpr int matrix_groups(int tiles) {
    return tiles <= 2 ? 2 : 1;
}

namespace matrix_steps {

/// What a thread has of the results, and of the factors of one instruction each.
template <int tiles, int groups>
struct Sums {
    double even[groups][tiles][4], odd[groups][tiles][4];
};
template <int tiles, int groups>
struct Factors {
    double even[groups][2], odd[groups][2];
    Complex<double> of[tiles];
};

template <int tiles, int groups>
POISSON3D_HD void set_zero(Sums<tiles, groups>& sums) {
    POISSON3D_UNROLL
    for (int i = 0; i < groups; ++i) POISSON3D_UNROLL
    for (int tile = 0; tile < tiles; ++tile) POISSON3D_UNROLL
    for (int c = 0; c < 4; ++c) sums.even[i][tile][c] = sums.odd[i][tile][c] = 0;
}

/// A butterfly that a thread reads and writes: its element 0, its number in the table of twiddles.
template <class V>
struct Butterfly {
    Complex<V>* at;
    int j;
    bool there;
};

/// Butterflies of all lines of a block in the order in which warps take them.
template <class T, class V>
struct Work {
    const RadixStep& step;
    const LineFft<T, Compact>& fft;
    Complex<V>* lines;
    int pitch, shift;
    bool twiddles;

    [[nodiscard]] POISSON3D_HD int units() const { return step.butterflies.count << shift; }
    /// Number `i` behind the first of a warp, which stands for those that are not there; `some`: the first is.
    [[nodiscard]] POISSON3D_HD Butterfly<V> butterfly(int first, int i, bool some) const {
        const bool there = first + i < units();
        const int unit = there ? first + i : first;
        const int number = unit & ((1 << shift) - 1);
        // Neighbours are two lines apart, as far as there are so many.
        const int line = shift == 0 ? 0 : (number << 1 | number >> (shift - 1)) & ((1 << shift) - 1);
        const ButterflyPlace place = step.place(fft.words, unit >> shift);
        return {lines + line * pitch + place.offset, place.j, some && there};
    }
};

/// Elements t, t + 4 … of a butterfly, four of all threads at once.
template <int tiles, int groups, class T, class V>
POISSON3D_HD void read_factors(const Work<T, V>& work, const Butterfly<V> (&of)[groups],
                               const Complex<double>* entry, int deep, int t, Factors<tiles, groups>& factors) {
    const int q = work.step.radix;
    const int beyond = 4 * deep + t;
    const int j = 2 * beyond <= q ? beyond : 0;  // times zero
    const int low = j * work.step.stride, high = j == 0 ? 0 : (q - j) * work.step.stride;
    POISSON3D_UNROLL
    for (int tile = 0; tile < tiles; ++tile) factors.of[tile] = load_table(entry + 32 * tile);
    POISSON3D_UNROLL
    for (int i = 0; i < groups; ++i) {
        const Complex<V> x = load(of[i].at + low), y = load(of[i].at + high);
        factors.even[i][0] = static_cast<double>(x.re) + static_cast<double>(y.re);
        factors.even[i][1] = static_cast<double>(x.im) + static_cast<double>(y.im);
        factors.odd[i][0] = static_cast<double>(x.re) - static_cast<double>(y.re);
        factors.odd[i][1] = static_cast<double>(x.im) - static_cast<double>(y.im);
    }
}

/// A_k and B_k of thread t to y_k and y_{q−k}; `first`: tile of them. Twiddles of numbers that a butterfly does not
/// have are read, and not used: so nothing has to be known before.
template <int tiles, bool twiddles, class T, class V>
POISSON3D_HD void write_modes(const Work<T, V>& work, const Butterfly<V>& of, int first, int t,
                              const double (&even)[tiles][4], const double (&odd)[tiles][4]) {
    const int q = work.step.radix, stride = work.step.stride;
    const int begin = 8 * first + t;
    const Complex<T>* up = nullptr;
    const Complex<T>* down = nullptr;
    if constexpr (twiddles) {
        up = work.fft.twiddles + work.step.twiddles + of.j * q + begin;
        down = up + (q - 2 * begin);
    }
    int low = begin * stride, high = (q - begin) * stride;
    POISSON3D_UNROLL
    for (int tile = 0; tile < tiles; ++tile) POISSON3D_UNROLL
    for (int c = 0; c < 2; ++c) {
        const int after = 8 * tile + 4 * c, k = begin + after;
        const auto &a = even[tile], &b = odd[tile];
        const auto put = [&](int offset, const Complex<T>* from, int i, double re, double im, bool there) {
            Complex<V> z{static_cast<V>(re), static_cast<V>(im)};
            if constexpr (twiddles) z = product(load_table(from + i), z);
            if (there) store(of.at + offset, z);
        };
        put(low, up, after, a[c] + b[c + 2], a[c + 2] - b[c], of.there && 2 * k <= q);
        put(high, down, -after, a[c] - b[c + 2], a[c + 2] + b[c], of.there && k > 0 && 2 * k < q);
        low += 4 * stride;
        high -= 4 * stride;
    }
}

/// The step with `tiles` tiles for each of `shape.warps`.
template <int tiles, class T, class V, class Barrier>
POISSON3D_HD void run(const Work<T, V>& work, const MatrixShape& shape, const Barrier& barrier) {
    constexpr int groups = matrix_groups(tiles);
    const Complex<double>* const table = work.fft.matrices + work.step.filter;
    const int units = work.units();
    const int tasks = (units + 8 * groups - 1) / (8 * groups);
    const WarpTeams teams(shape.warps);
    POISSON3D_ROLLED
    for (int begin = 0; begin < tasks; begin += teams.number()) {
        Sums<tiles, groups> sums[WarpTeams::here][WarpLanes::here];
        Butterfly<V> of[WarpTeams::here][WarpLanes::here][groups];
        // Warps without work wait as often as others. They go all the same way here: what only some of them set
        // would stay in registers all around the loop.
        teams.each([&](int team, int part, int slot) {
            const int first = 8 * groups * (begin + team);
            const bool there = team < teams.number() && first < units;
            Factors<tiles, groups> factors[WarpLanes::here];
            WarpLanes::each([&](int lane, int here) {
                POISSON3D_UNROLL
                for (int i = 0; i < groups; ++i)
                    of[slot][here][i] = work.butterfly(there ? first : 0, 8 * i + lane / 4, there);
                set_zero(sums[slot][here]);
            });
            const int depth = there ? shape.depth : 0;
            POISSON3D_ROLLED
            for (int deep = 0; deep < depth; ++deep) {
                WarpLanes::each([&](int lane, int here) {
                    const Complex<double>* const entry =
                        table + 32 * (deep * tiles * shape.warps + part * tiles) + lane;
                    read_factors<tiles, groups>(work, of[slot][here], entry, deep, lane % 4, factors[here]);
                });
                POISSON3D_UNROLL
                for (int i = 0; i < groups; ++i) POISSON3D_UNROLL
                for (int tile = 0; tile < tiles; ++tile) {
                    multiply_tile(
                        [&](int here) -> auto& { return sums[slot][here].even[i][tile]; },
                        [&](int here) -> auto& { return factors[here].even[i]; },
                        [&](int here) { return factors[here].of[tile].re; });
                    multiply_tile(
                        [&](int here) -> auto& { return sums[slot][here].odd[i][tile]; },
                        [&](int here) -> auto& { return factors[here].odd[i]; },
                        [&](int here) { return factors[here].of[tile].im; });
                }
            }
        });
        if (shape.warps > 1)
            barrier();
        else
            WarpLanes::wait();
        const auto write = [&]<bool twiddles>() {
            teams.each([&](int, int part, int slot) {
                WarpLanes::each([&](int lane, int here) {
                    POISSON3D_UNROLL
                    for (int i = 0; i < groups; ++i)
                        write_modes<tiles, twiddles>(work, of[slot][here][i], part * tiles, lane % 4,
                                                     sums[slot][here].even[i], sums[slot][here].odd[i]);
                });
            });
        };
        if (work.twiddles)
            write.template operator()<true>();
        else
            write.template operator()<false>();
    }
}

}  // namespace matrix_steps

/// Step `s` in the order of its walk on 2^shift lines, `pitch` apart. Blocks have four warps at least.
template <bool in_time, class T, class V, class Barrier>
POISSON3D_HD void matrix_step(const LineFft<T, Compact>& fft, int s, Complex<V>* lines, int pitch, int shift,
                              const Barrier& barrier) {
    const RadixStep& step = fft.step[in_time ? fft.steps - 1 - s : s];
    const MatrixShape shape(step.radix);
    const matrix_steps::Work<T, V> work{step, fft, lines, pitch, shift, s == 0 && fft.steps > 1};
    switch (shape.tiles) {
        case 1: return matrix_steps::run<1>(work, shape, barrier);
        case 2: return matrix_steps::run<2>(work, shape, barrier);
        case 3: return matrix_steps::run<3>(work, shape, barrier);
        default: return matrix_steps::run<4>(work, shape, barrier);
    }
}

}  // namespace poisson3d::lines
