// FFTs of lengths that have no radices: a convolution with a chirp, on FFTs of a length m that has some.
//
// With w_j = e^{−iπ j²/n} and jk = (j² + k² − (k − j)²)/2
//
//     Σ_j x_j e^{−2πi jk/n} = w_k Σ_j (x_j w_j) conj(w_{k−j})
//
// a cyclic convolution of any length m ≥ 2n − 1, the line padded with zeros. Its FFTs go from natural order to
// reversed digits and back (line_fft.hpp); the inverse one is a forward one with real and imaginary parts
// exchanged:
//
//     first step there    multiplies samples by w, and takes zeros for those that do not exist
//     last step there     multiplies modes by the filter, and is the first step back as well
//     last step back      multiplies by w
//
// so that m elements pass through shared memory once in each of 2 · steps − 1 steps. Host and device share this
// file. Source: Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", IEEE
// Trans. Audio Electroacoust. 18 (1970).
#pragma once

#include "line_fft.hpp"

namespace poisson3d::lines {

/// Tables of all FFTs of a line.
template <class T>
struct Chirp {
    int length = 0;                     ///< n; 0: there is none
    int butterflies = 0;                ///< of the last step of one FFT
    const Complex<T>* chirp = nullptr;  ///< w
    const Complex<T>* filter =
        nullptr;  ///< element k of butterfly b of the last step: k · butterflies + b; 1/m included
};

template <class V>
POISSON3D_HD Complex<V> exchanged(Complex<V> z) {
    return {z.im, z.re};
}

/// A step of the FFTs of length m on `count` lines, with what the chirp does there.
template <bool in_time, class T, class Format, class V>
POISSON3D_HD void chirp_step(const RadixStep& step, StepTables<T, Format> tables, const Chirp<T>& chirp, bool first,
                             bool last, Complex<V>* lines, int pitch, int count) {
    with_inner_radix(
        step.radix,
        [&]<int r>() {
            const auto before = [&](Complex<V>(&z)[r], int, int j) {
                if constexpr (!in_time) {
                    if (!first) return;
                    POISSON3D_UNROLL
                    for (int k = 0; k < r; ++k) {
                        const int position = j + k * step.twiddle_stride;
                        z[k] = position < chirp.length ? product(load_table(chirp.chirp + position), z[k])
                                                       : Complex<V>{};
                    }
                }
            };
            const auto after = [&](Complex<V>(&z)[r], int butterfly, int j) {
                if constexpr (!in_time) {
                    if (!last) return;
                    while (butterfly >= chirp.butterflies) butterfly -= chirp.butterflies;
                    POISSON3D_UNROLL
                    for (int k = 0; k < r; ++k)
                        z[k] =
                            exchanged(product(load_table(chirp.filter + k * chirp.butterflies + butterfly), z[k]));
                    dft(z);
                }
                if (!first) return;
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k)
                    if (const int position = j + k * step.twiddle_stride; position < chirp.length)
                        z[k] = product(load_table(chirp.chirp + position), exchanged(z[k]));
            };
            radix_step<r, in_time>(step, tables, lines, pitch, count, before, after);
        },
        [] {});
}

/// FFTs of length n of `count` lines in place, samples and modes at the natural positions of FFTs of length m.
template <class T, class Format, class V, class Barrier>
POISSON3D_HD_CALLED void chirp_ffts(const LineFft<T, Format>& fft, const Chirp<T>& of_line, Complex<V>* lines,
                                    int pitch, int count, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
#endif
    const Chirp<T> chirp = of_line;  // copies: stores to lines cannot change them
    const StepTables<T, Format> tables{fft.words, fft.twiddles};
    const int steps = fft.steps;
    for (int s = 0; s < steps; ++s) {
        const RadixStep step = fft.step[s];
        chirp_step<false>(step, tables, chirp, s == 0, s + 1 == steps, lines, pitch, count);
        barrier();
    }
    for (int s = steps - 2; s >= 0; --s) {
        const RadixStep step = fft.step[s];
        chirp_step<true>(step, tables, chirp, s == 0, false, lines, pitch, count);
        barrier();
    }
}

}  // namespace poisson3d::lines
