// Lines of types I to IV of any half period N: a chirp on even or odd sequences.
//
// Such a line is the FFT of its even or odd extension x to 2N, its samples at positions p that are all whole or all
// half ones, its modes at such positions q. With w_p = e^{−iπ p²/2N}, as in chirp.hpp,
//
//     X_q = Σ_{−N<p≤N} x_p e^{−πi pq/N} = w_q Σ_p (x_p w_p) conj(w_{q−p})
//
// w is even, so x w has the symmetry of x, and so has its convolution with conj(w). Cyclic with any period P > 4N
// that has radices, it is two transforms like that with a filter between: a symmetric step of radix r
// (symmetric.hpp), FFTs k = 0 … r/2 of length L = P/r, the filter, FFTs back, and a symmetric step again. Elements
// that are convolved: P (1/2 + 1/r), little more than 2N, where FFTs of N without symmetry and radices take up to
// 4N. Where positions are j + ½, class j is opposite to L − 1 − j instead of L − j, t is that of j + ½, and what is
// left of half a sample is in the filter (symmetric_chirp_tables.cpp).
//
// Both x w and what is wanted of the result are |j| ≤ N: of class j the members m < r/2 at positions j + (m − r/4)
// L. So a first step has zeros in its upper half, and a last one is not wanted there; factors i^k, in the twiddles
// t of FFT k, move the members there. Of the result a forward FFT is as good as an inverse one, since it reverses
// an even or odd sequence. Words and w of members stand in a pair map: word h of a class has members 2h and 2h + 1,
// α is w, with the sign of a mirrored sample, halved on the way in where N and −N both stand for sample N. The way
// back is the way there, 2N times as large. Host and device share this file. Source for chirps: Bluestein, IEEE
// Trans. Audio Electroacoust. 18 (1970).
#pragma once

#include "chirp.hpp"
#include "symmetric.hpp"

namespace poisson3d::lines {

/// r. Registers of a kernel hold eight samples and what they become.
template <class Format>
inline constexpr int chirped_radix = Format::few_twiddles ? 16 : 8;

/// Members of class j times w: what the symmetric step and the way from it share.
template <int r, class T, class Format, class V>
POISSON3D_HD void times_chirp(const PairMap<T, Format>& map, int row, int j, Complex<V> (&z)[r]) {
    POISSON3D_UNROLL
    for (int m = 0; m < r / 2; ++m) z[m] = product(load_table(map.alpha + m * row + j), z[m]);
}

/// Elements of the FFTs from members 0 … r/2 − 1 of class j.
template <int r, class T, class Format, class V>
POISSON3D_HD void chirped_first(const Symmetric<T, Format>& side, const PairMap<T, Format>& map, int j,
                                Complex<V>* line, Complex<V> (&z)[r]) {
    times_chirp(map, side.row, j, z);
    symmetric_first<true>(side, j, line, z);
}

/// The members from the elements.
template <int r, class T, class Format, class V>
POISSON3D_HD void chirped_last(const Symmetric<T, Format>& side, const PairMap<T, Format>& map, int j,
                               const Complex<V>* line, Complex<V> (&z)[r]) {
    const auto offsets = load_table(side.offsets + j);
    const Complex<V>* const at = line + lower_half(offsets);
    const Complex<V>* const opposite = line + upper_half(offsets);
    POISSON3D_UNROLL
    for (int k = 0; k <= r / 2; ++k) {
        const Complex<T> t = load_table(side.twiddles + k * side.row + j);
        z[k] = product(t, load(at + k * side.stride));
        if (k > 0 && 2 * k < r) z[r - k] = product(Complex<T>{t.re, -t.im}, load(opposite + k * side.stride));
    }
    dft(z);
    times_chirp(map, side.row, j, z);
}

/// The last step there and the first one back. Butterflies are those of all FFTs of the line.
template <int r, class T, class Format>
struct TimesSymmetricFilter : NothingBeside {
    static constexpr bool twiddles = false;
    using Factors = TableEntries<r, registers_hold<T, Format>(r, r), T>;
    const Filter<T>& filter;

    POISSON3D_HD explicit TimesSymmetricFilter(const Filter<T>& of) : filter(of) {}
    POISSON3D_HD Factors factors(int butterfly, int /*j*/) const {
        return {filter.factors + butterfly, filter.butterflies};
    }
    template <class V>
    POISSON3D_HD void after(Complex<V>* /*at*/, Complex<V> (&z)[r], const Factors& factors) const {
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = product(factors[k], z[k]);
        dft(z);
    }
};

/// What is between the symmetric steps. Returns after a barrier.
template <class T, class Format, class V, class Barrier>
POISSON3D_HD void symmetric_convolution(const LineFft<T, Format>& fft, const Chirp<T>& chirp, Complex<V>* lines,
                                        int pitch, int count, const Barrier& barrier) {
    const StepTables<T, Format> tables{fft.words, fft.twiddles};
    const Filter<T> filter{chirp.filter, chirp.butterflies};
    const auto step = [&]<bool in_time>(int s) {
        const RadixStep known = fft.step[s];
        with_convolution_radix<SymmetricRadices>(known.radix, [&]<int r>() {
            radix_step<r, in_time>(known, tables, lines, pitch, count, NothingBeside{}, barrier);
        });
    };
    const int last = fft.steps - 1;
    POISSON3D_ROLLED
    for (int s = 0; s < last; ++s) step.template operator()<false>(s);
    const RadixStep turn = fft.step[last];
    with_convolution_radix<SymmetricLastRadices>(turn.radix, [&]<int r>() {
        radix_step<r, false>(turn, tables, lines, pitch, count, TimesSymmetricFilter<r, T, Format>(filter),
                             barrier);
    });
    POISSON3D_ROLLED
    for (int s = last - 1; s >= 0; --s) step.template operator()<true>(s);
    barrier();
}

}  // namespace poisson3d::lines
