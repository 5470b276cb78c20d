// FFTs of lengths that have no radices: a convolution with a chirp, on FFTs of a length that has some.
//
// With w_j = e^{−iπ j²/n} and jk = (j² + k² − (k − j)²)/2
//
//     Σ_j x_j e^{−2πi jk/n} = w_k Σ_j (x_j w_j) conj(w_{k−j})
//
// a cyclic convolution of any length m ≥ 2n − 1, the line padded with zeros. Its FFTs go to reversed digits and
// back (line_fft.hpp); the inverse one is a forward one with real and imaginary parts exchanged. Source: Bluestein,
// "A linear filtering approach to the computation of discrete Fourier transform", IEEE Trans. Audio Electroacoust.
// 18 (1970).
#pragma once

#include <vector>

#include "fft_plan.hpp"

namespace poisson3d {
class ThreadTeam;
}

namespace poisson3d::lines {

template <class T>
struct ChirpFft {
    int length = 0;                      ///< n; 0: there is none
    int convolution = 0;                 ///< m
    LineFft<T, Plain> fft;               ///< of m, inner steps only
    const Complex<T>* chirp = nullptr;   ///< w
    const Complex<T>* filter = nullptr;  ///< by mode, 1/m included
    const int* natural = nullptr;        ///< position → padded offset
    const int* reversed = nullptr;       ///< mode → padded offset
};

template <class V>
POISSON3D_HD Complex<V> exchanged(Complex<V> z) {
    return {z.im, z.re};
}

/// `line` in place, by a single thread. `work` holds as many elements as ChirpTable says.
template <class T, class V>
POISSON3D_HD void chirp_fft(const ChirpFft<T>& chirp, Complex<V>* line, Complex<V>* work) {
    for (int j = 0; j < chirp.length; ++j) work[chirp.natural[j]] = product(chirp.chirp[j], line[j]);
    for (int j = chirp.length; j < chirp.convolution; ++j) work[chirp.natural[j]] = Complex<V>{};
    for (int s = 0; s < chirp.fft.steps; ++s) inner_step<false>(chirp.fft, s, work, 0, 1);
    for (int k = 0; k < chirp.convolution; ++k) {
        Complex<V>& z = work[chirp.reversed[k]];
        z = exchanged(product(chirp.filter[k], z));
    }
    for (int s = 0; s < chirp.fft.steps; ++s) inner_step<true>(chirp.fft, s, work, 0, 1);
    for (int k = 0; k < chirp.length; ++k) line[k] = product(chirp.chirp[k], exchanged(work[chirp.natural[k]]));
}

template <class T>
struct ChirpTable {
    ChirpFft<T> view;  ///< tables not yet set
    FftPlan<T, Plain> plan;
    std::vector<Complex<T>> chirp, filter;
    [[nodiscard]] Index padded_length() const { return plan.padded_length; }
};

/// Elements that the FFT of length m takes for n.
Index convolution_padded_length(Index n);

/// By many threads; the bits do not depend on their number.
template <class T>
ChirpTable<T> make_chirp_table(Index n, ThreadTeam& team);

}  // namespace poisson3d::lines
