// FFTs of lengths that have no radices: a convolution with a chirp, on FFTs of a length m that has some.
//
// With w_j = e^{−iπ j²/n} and jk = (j² + k² − (k − j)²)/2
//
//     Σ_j x_j e^{−2πi jk/n} = w_k Σ_j (x_j w_j) conj(w_{k−j})
//
// a cyclic convolution (convolution.hpp) of any length m ≥ 2n − 1, the line padded with zeros. Its first step
// multiplies samples by w, its last one modes. n ≤ m/2 and the first radix is even, so that of its butterflies the
// upper halves are zeros there and not wanted back. Host and device share this file.
// Source: Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", IEEE Trans.
// Audio Electroacoust. 18 (1970).
#pragma once

#include "convolution.hpp"
#include "convolution_radices.hpp"

namespace poisson3d::lines {

/// Tables of all FFTs of a line.
template <class T>
struct Chirp {
    int length = 0;                      ///< n; 0: there is none
    int butterflies = 0;                 ///< of the last step of one FFT
    const Complex<T>* chirp = nullptr;   ///< w, and zeros up to m/2
    const Complex<T>* filter = nullptr;  ///< see Filter
};

/// The first step there, and the last one back: w of the lower half of a butterfly.
template <int r, bool back, class T, class Format>
struct TimesChirp : NothingBeside {
    static constexpr bool half_read = !back;
    static constexpr bool half_written = back;
    static constexpr int kept = r / 2 + twiddles_of(r, Format::few_twiddles);
    struct Factors {
        TableEntries<r / 2, registers_hold<T, Format>(r, kept), T> w;
        int samples;  ///< from the butterfly's first one on
    };
    const Chirp<T>& chirp;
    int stride;  ///< from sample to sample

    POISSON3D_HD TimesChirp(const Chirp<T>& of, int between) : chirp(of), stride(between) {}
    POISSON3D_HD Factors factors(int /*butterfly*/, int j) const {
        return {{chirp.chirp + j, stride}, chirp.length - j};
    }
    template <class V>
    POISSON3D_HD void before(Complex<V> (&z)[r], const Factors& factors) const {
        POISSON3D_UNROLL
        for (int k = 0; !back && k < r / 2; ++k)
            z[k] = k * stride < factors.samples ? product(factors.w[k], z[k]) : Complex<V>{};
    }
    template <class V>
    POISSON3D_HD void after(Complex<V>* /*at*/, Complex<V> (&z)[r], const Factors& factors) const {
        POISSON3D_UNROLL
        for (int k = 0; back && k < r / 2; ++k) z[k] = product(factors.w[k], exchanged(z[k]));
    }
};

template <class T, class Format>
struct ChirpEnds {
    using First = FirstRadices;
    using Middle = MiddleRadices;
    using Last = LastRadices;
    static constexpr bool prime = false;
    static constexpr int zeroth = 0;
    const Chirp<T>& chirp;

    template <int r, bool back>
    POISSON3D_HD TimesChirp<r, back, T, Format> beside(const RadixStep& step) const {
        return {chirp, step.twiddle_stride};
    }
};

/// FFTs of length n of `count` lines in place, samples and modes at the natural positions of FFTs of length m.
template <class T, class Format, class V, class Barrier>
POISSON3D_HD_CALLED void chirp_ffts(const LineFft<T, Format>& fft, const Chirp<T>& of_line, Complex<V>* lines,
                                    int pitch, int count, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
#endif
    const Chirp<T> chirp = of_line;  // copies: stores to lines cannot change them
    const StepTables<T, Format> tables{fft.words, fft.twiddles};
    const Filter<T> filter{chirp.filter, chirp.butterflies};
    convolve(fft.step, fft.steps, tables, filter, lines, pitch, count, ChirpEnds<T, Format>{chirp}, barrier);
}

}  // namespace poisson3d::lines
