// Inner steps of prime radices p from 29 on, as cyclic convolutions of p − 1 elements.
//
// With a generator g of the numbers 1 … p − 1 by multiplication modulo p
//
//     Z_{g^{−m}} = z_0 + Σ_i z_{g^i} e^{−2πi g^{i−m}/p},   Z_0 = z_0 + Σ_i z_{g^i}
//
// Elements stand where the convolution wants them: behind element 0 come g^0, g^1, … going in, and g^0, g^{−1}, …
// coming out. So there is no permutation: the words of other steps know where their elements are (fft_plan.cpp).
// In time it is the other way round, which takes another filter. Mode 0 of the convolution's FFT is the sum, and
// what is added to it there is added to all elements back: z_0. Twiddles of the step are multiplied in the
// convolution's first step, or in its last one. Host and device share this file.
// Source: Rader, "Discrete Fourier transforms when the number of data samples is prime", Proc. IEEE 56 (1968).
#pragma once

#include "convolution.hpp"
#include "convolution_radices.hpp"

namespace poisson3d::lines {

/// The twiddles of a prime step: of element k ≥ 1 in memory, and butterfly word j, number (k − 1) · stride + j.
template <class T, class Format>
struct PrimeTwiddles {
    const Complex<T>* factors;
    const typename Format::Word* words;  ///< of the step's butterflies
    int stride;
    bool before, after;  ///< the convolution; or neither
};

template <int r, bool back, class T, class Format>
struct TimesTwiddles : NothingBeside {
    static constexpr int kept = r + twiddles_of(r, Format::few_twiddles);
    using Factors = TableEntries<r, registers_hold<T, Format>(r, kept), T>;
    const PrimeTwiddles<T, Format>& twiddles_;
    int butterflies;  ///< of one convolution

    POISSON3D_HD TimesTwiddles(const PrimeTwiddles<T, Format>& of, int number)
        : twiddles_(of), butterflies(number) {}
    [[nodiscard]] POISSON3D_HD bool wanted() const { return back ? twiddles_.after : twiddles_.before; }
    POISSON3D_HD Factors factors(int butterfly, int /*j*/) const {
        if (!wanted()) return {twiddles_.factors, 0, false};
        const int of_step = butterfly / butterflies;
        const int first = butterfly - of_step * butterflies;
        const int j = upper_half(load_table(twiddles_.words + of_step));
        return {twiddles_.factors + first * twiddles_.stride + j, butterflies * twiddles_.stride};
    }
    template <class V>
    POISSON3D_HD void before(Complex<V> (&z)[r], const Factors& factors) const {
        if (!back && wanted()) apply(z, factors);
    }
    template <class V>
    POISSON3D_HD void after(Complex<V>* /*at*/, Complex<V> (&z)[r], const Factors& factors) const {
        POISSON3D_UNROLL
        for (int k = 0; back && k < r; ++k) z[k] = exchanged(z[k]);
        if (back && wanted()) apply(z, factors);
    }

private:
    template <class V>
    static POISSON3D_HD void apply(Complex<V> (&z)[r], const Factors& factors) {
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = product(factors[k], z[k]);
    }
};

template <class T, class Format>
struct PrimeEnds {
    using First = PrimeFirstRadices;
    using Middle = PrimeMiddleRadices;
    using Last = PrimeLastRadices;
    static constexpr bool prime = true;
    PrimeTwiddles<T, Format> twiddles;
    int zeroth;  ///< from element 0 to the first of those that are convolved

    template <int r, bool back>
    POISSON3D_HD TimesTwiddles<r, back, T, Format> beside(const RadixStep& step) const {
        return {twiddles, step.twiddle_stride};
    }
};

template <class T, class Format, class V, class Barrier>
POISSON3D_HD_CALLED void prime_step(const LineFft<T, Format>& fft, const RadixStep& of, bool in_time,
                                    Complex<V>* lines, int pitch, int count, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
#endif
    const StepTables<T, Format> tables{fft.words, fft.twiddles};
    const bool twiddles = of.twiddle_stride > 1;
    const Filter<T> filter{tables.twiddles + of.filter + (in_time ? of.radix - 1 : 0),
                           (of.radix - 1) / fft.part[of.part + of.parts - 1].radix};
    const PrimeEnds<T, Format> ends{{tables.twiddles + of.twiddles, tables.words + of.first, of.twiddle_stride,
                                     in_time && twiddles, !in_time && twiddles},
                                    of.stride};
    convolve(fft.part + of.part, of.parts, tables, filter, lines, pitch, count, ends, barrier);
}

}  // namespace poisson3d::lines
