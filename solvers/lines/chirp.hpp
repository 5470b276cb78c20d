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
// m elements pass through shared memory once in each of 2 · steps − 1 steps. n ≤ m/2 and the first radix is even,
// so that of its butterflies the upper halves are zeros there and not wanted back. Host and device share this file.
// Source: Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", IEEE Trans.
// Audio Electroacoust. 18 (1970).
#pragma once

#include "convolution.hpp"
#include "line_fft.hpp"

namespace poisson3d::lines {

/// Tables of all FFTs of a line.
template <class T>
struct Chirp {
    int length = 0;                      ///< n; 0: there is none
    int butterflies = 0;                 ///< of the last step of one FFT
    const Complex<T>* chirp = nullptr;   ///< w, and zeros up to m/2
    const Complex<T>* filter = nullptr;  ///< element k of butterfly b of the last step: k · butterflies + b; 1/m
                                         ///< included
};

template <class V>
POISSON3D_HD Complex<V> exchanged(Complex<V> z) {
    return {z.im, z.re};
}

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
    POISSON3D_HD void after(Complex<V> (&z)[r], const Factors& factors) const {
        POISSON3D_UNROLL
        for (int k = 0; back && k < r / 2; ++k) z[k] = product(factors.w[k], exchanged(z[k]));
    }
};

/// The last step there and the first one back.
template <int r, class T, class Format>
struct TimesFilter : NothingBeside {
    static constexpr bool twiddles = false;
    using Factors = TableEntries<r, registers_hold<T, Format>(r, r), T>;
    const Chirp<T>& chirp;

    POISSON3D_HD explicit TimesFilter(const Chirp<T>& of) : chirp(of) {}
    POISSON3D_HD Factors factors(int butterfly, int /*j*/) const {
        while (butterfly >= chirp.butterflies) butterfly -= chirp.butterflies;
        return {chirp.filter + butterfly, chirp.butterflies};
    }
    template <class V>
    POISSON3D_HD void after(Complex<V> (&z)[r], const Factors& factors) const {
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = exchanged(product(factors[k], z[k]));
        dft(z);
    }
};

/// Calls body.template operator()<r>() with the radix of a step, of those that convolutions have there
/// (convolution.hpp).
template <class Known, class Body>
POISSON3D_HD void with_convolution_radix(int radix, const Body& body) {
    with_inner_radix(
        radix,
        [&]<int r>() {
            if constexpr (Known::has(r)) body.template operator()<r>();
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
    const int last = fft.steps - 1;
    const auto outer = [&]<bool back>(const RadixStep step, const auto& wait) {
        with_convolution_radix<FirstRadices>(step.radix, [&]<int r>() {
            const TimesChirp<r, back, T, Format> beside(chirp, step.twiddle_stride);
            radix_step<r, back>(step, tables, lines, pitch, count, beside, wait);
        });
    };
    const auto inner = [&]<bool in_time>(const RadixStep step) {
        with_convolution_radix<MiddleRadices>(step.radix, [&]<int r>() {
            radix_step<r, in_time>(step, tables, lines, pitch, count, NothingBeside{}, barrier);
        });
    };
    const auto turn = [&](const RadixStep step) {
        with_convolution_radix<LastRadices>(step.radix, [&]<int r>() {
            radix_step<r, false>(step, tables, lines, pitch, count, TimesFilter<r, T, Format>(chirp), barrier);
        });
    };
    outer.template operator()<false>(fft.step[0], NoWait{});
    for (int s = 1; s < last; ++s) inner.template operator()<false>(fft.step[s]);
    turn(fft.step[last]);
    for (int s = last - 1; s > 0; --s) inner.template operator()<true>(fft.step[s]);
    outer.template operator()<true>(fft.step[0], barrier);
    barrier();
}

}  // namespace poisson3d::lines
