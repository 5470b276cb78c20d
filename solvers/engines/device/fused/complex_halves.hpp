// Padded complex lines of N = 2n elements as two lines of n, whose modes are those of even and of odd number:
//
//     F_{2k}      the DFT of f_j
//     F_{2k+1}    the DFT of f_j e^{−2πi j/N}        j = 0 … n − 1: nothing else is there
//
// and back: the sum of both, each transformed back, the second times e^{2πi j/N}; beyond n nobody asks. So a
// butterfly of radix 8 is all that a thread holds, where lines of N have butterfly pairs and steps of radix 16:
// half of the registers, and twice the warps that wait for each other.
//
//     load    both halves read all samples
//     …       the steps of a line of n (known_line.hpp): odd modes have e^{−2πi o/N} among their twiddles,
//             e^{−2πi k/16} before or after the butterfly of the samples o + n/8 · k
//     store   halves exchange what the other one adds and writes: samples below n/2 are those of even modes
//
// Twiddles are those of lines of N. Threads that work on one half of a line wait for each other alone where they
// can: barrier.of_line(). Host and device share this file.
#pragma once

#include "complex_lines.hpp"

namespace poisson3d::fused {

/// Threads of a block: one for each butterfly of its lines, 512 at most.
template <class T>
constexpr int halves_threads(int rows) {
    const int units = rows / 8 * complex_count<T>;
    return units < 512 ? units : 512;
}

/// A half of a line of `rows` elements.
template <class T, int rows>
using KnownHalf = KnownLine<Ends::periodic, rows / 2, halves_threads<T>(rows)>;

/// `pitch` is that of halves, twiddles are those of lines of N. The odd half of a line follows all even ones.
template <class T, class Line>
struct Halves {
    static constexpr int count = complex_count<T>;
    static constexpr int butterflies = Line::butterflies;  ///< of an outer step of a half
    static constexpr int units = 2 * butterflies * count;
    static constexpr int pitch = Line::template pitch<T>;
#ifdef __CUDA_ARCH__
    static constexpr int turns = units / Line::threads;
    static_assert(units % Line::threads == 0);
#else
    static constexpr int turns = units;
#endif
};

/// Numbers that a thread keeps from one phase to the next.
template <class T, class Line, int each>
struct Kept {
    Complex<T> of[Halves<T, Line>::turns][each];
};

/// body.template operator()<odd>(turn, o, line), with neighbouring threads at neighbouring lines.
template <class T, class Line, class Body>
POISSON3D_HD void across_halves(const Body& body) {
    using H = Halves<T, Line>;
    constexpr int of_half = H::butterflies * H::count;
    POISSON3D_UNROLL
    for (int turn = 0; turn < H::turns; ++turn) {
        const int unit = BlockThreads::index() + turn * BlockThreads::count();
        const int inside = unit % of_half;
        if (unit < of_half)
            body.template operator()<false>(turn, inside / H::count, inside % H::count);
        else
            body.template operator()<true>(turn, inside / H::count, inside % H::count);
    }
}
/// body(item, number of a half) for so many items of each half, by as many threads as it has butterflies, in any
/// phase the same: these are whom barrier.of_line() waits for.
template <class T, class Line, class Body>
POISSON3D_HD void along_halves(int items, const Body& body) {
    using H = Halves<T, Line>;
#ifdef __CUDA_ARCH__
    constexpr int along = H::butterflies, across = Line::threads / along;
#else
    constexpr int along = 1, across = 1;
#endif
    POISSON3D_ROLLED
    for (int half = BlockThreads::index() / along; half < 2 * H::count; half += across) POISSON3D_ROLLED
    for (int item = BlockThreads::index() % along; item < items; item += along) body(item, half);
}

/// z_m := z_m e^{−2πi o (2m + odd)/N}
template <bool odd, class T, class Line>
POISSON3D_HD void apply_half_twiddles(const ComplexTask<T, Line>& task, int o, Complex<T> (&z)[8]) {
    constexpr int q = Line::butterflies;
    const Complex<T>* const at = task.samples.twiddles + o;  // of 1, 2 and 4 times o
    const auto multiply = [&](int bit, Complex<T> by) {
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m)
            if ((m & bit) != 0) z[m] = product(z[m], by);
    };
    const Complex<T> four = load_table(at + 4 * q), two = load_table(at + 2 * q);
    multiply(4, product(four, four));
    multiply(2, four);
    if constexpr (!odd) {
        multiply(1, two);
    } else {
        const Complex<T> one = load_table(at), three = product(one, two);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) z[m] = product(z[m], m % 2 == 0 ? one : three);
    }
}

/// z_k := z_k e^{−2πi k/16}
template <class T>
POISSON3D_HD void apply_sixteenths(Complex<T> (&z)[8]) {
    constexpr T c = static_cast<T>(0.923879532511286756128183189396788287L);  // cos π/8
    constexpr T s = static_cast<T>(0.382683432365089771728459984030398866L);  // sin π/8
    constexpr T h = static_cast<T>(0.707106781186547524400844362104849039L);  // 1/√2
    z[1] = product(z[1], Complex<T>{c, -s});
    z[2] = h * Complex<T>{z[2].re + z[2].im, z[2].im - z[2].re};
    z[3] = product(z[3], Complex<T>{s, -c});
    z[4] = times_minus_i(z[4]);
    z[5] = product(z[5], Complex<T>{-s, -c});
    z[6] = h * Complex<T>{z[6].im - z[6].re, -z[6].re - z[6].im};
    z[7] = product(z[7], Complex<T>{-c, -s});
}

/// The samples of columns, after the first step. Returns before a barrier; others may use `lines` until all threads
/// are here.
template <class T, class Line, class Columns, class Barrier>
POISSON3D_HD void load_half_columns(const ComplexTask<T, Line>& task, const Columns& columns, Complex<T>* lines,
                                    const Barrier& barrier) {
    using H = Halves<T, Line>;
    constexpr int q = H::butterflies;
    Kept<T, Line, 8> kept;
    across_halves<T, Line>([&]<bool odd>(int turn, int o, int line) {
        Complex<T>(&z)[8] = kept.of[turn];
        const int there = line < columns.there ? line : 0;
        POISSON3D_UNROLL
        for (int k = 0; k < 8; ++k) z[k] = columns.read_for_two(there, o + q * k);
        if constexpr (odd) apply_sixteenths(z);
        dft(z);
        apply_half_twiddles<odd>(task, o, z);
    });
    barrier();
    across_halves<T, Line>([&]<bool odd>(int turn, int o, int line) {
        Complex<T>* const at = lines + (line + odd * H::count) * H::pitch + Line::sample_offset(o);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) store(at + m * Line::samples_stride, kept.of[turn][m]);
    });
}

/// The last step back and the sum of both halves.
template <class T, class Line, class Columns, class Barrier>
POISSON3D_HD void store_half_columns(const ComplexTask<T, Line>& task, const Columns& columns, Complex<T>* lines,
                                     const Barrier& barrier) {
    using H = Halves<T, Line>;
    constexpr int q = H::butterflies;
    Kept<T, Line, 4> kept;
    across_halves<T, Line>([&]<bool odd>(int turn, int o, int line) {
        Complex<T>* const at = lines + (line + odd * H::count) * H::pitch + Line::sample_offset(o);
        Complex<T> z[8];
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) z[m] = load(at + m * Line::samples_stride);
        apply_half_twiddles<odd>(task, o, z);
        dft(z);
        if constexpr (odd) apply_sixteenths(z);
        constexpr int own = odd ? 4 : 0, given = 4 - own;
        POISSON3D_UNROLL
        for (int k = 0; k < 4; ++k) {
            store(at + k * Line::samples_stride, z[given + k]);
            kept.of[turn][k] = z[own + k];
        }
    });
    barrier();
    across_halves<T, Line>([&]<bool odd>(int turn, int o, int line) {
        if (line >= columns.there) return;
        const Complex<T>* const at = lines + (line + !odd * H::count) * H::pitch + Line::sample_offset(o);
        POISSON3D_UNROLL
        for (int k = 0; k < 4; ++k)
            columns.write(line, o + q * (k + (odd ? 4 : 0)),
                          exchanged(kept.of[turn][k] + load(at + k * Line::samples_stride)));
    });
}

/// The step between, there or back.
template <bool in_time, class T, class Line>
POISSON3D_HD void inner_half_step(const ComplexTask<T, Line>& task, Complex<T>* lines) {
    using H = Halves<T, Line>;
    constexpr int r = Line::inner;
    // Of lines of N, whose step has radix 2r: w^{1/2}, w, w², w⁴ or w^{1/2}, w, w^{3/2} at multiples of 8.
    const auto apply_twiddles = [&](int j, Complex<T>(&z)[r]) {
        Twiddles<r, true, T> twiddles;
        const auto root = [&](int i) { return load_table(task.fft.twiddles + 8 * (i + 1) + j); };
        if constexpr (r == 4) {
            twiddles.root[0] = root(0), twiddles.root[1] = root(1);
            twiddles.root[2] = product(twiddles.root[0], twiddles.root[1]);
        } else {
            twiddles.read(root);
        }
        twiddles.apply(z);
    };
    along_halves<T, Line>(Line::length / r, [&](int i, int half) {
        Complex<T>* const at = lines + half * H::pitch + i / 8 * Line::samples_stride + i % 8;
        Complex<T> z[r];
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = load(at + k * Line::inner_stride);
        if constexpr (in_time) apply_twiddles(i % 8, z);
        dft(z);
        if constexpr (!in_time) apply_twiddles(i % 8, z);
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) store(at + k * Line::inner_stride, z[k]);
    });
}

}  // namespace poisson3d::fused
