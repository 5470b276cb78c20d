// FFTs of lines that lie in shared memory, in place, by mixed radices known at run time.
//
// Decimation in frequency (Gentleman and Sande 1966): a step of radix r takes elements q = n/r apart, transforms
// them, multiplies by e^{−2πi jk/n} and puts them back where they were; r FFTs of q remain. Natural order goes in,
// and mode k ends at place(k): digits reversed. Steps and places are tables, so nobody sorts. The transposed walk
// (decimation in time) goes from places to natural order.
//
// Elements lie at places: position Σ d_s q_s of an FFT at Σ d_s Q_s, its digits' strides padded to odd numbers, so
// that steps, and neighbours in mode or sample, meet different banks of shared memory.
//
// Host and device share this file; `thread` of `threads` does its part of every step, and all must meet after each
// phase.
#pragma once

#include <cstdint>

#include "butterfly.hpp"
#include "orbit_access.hpp"

namespace poisson3d::fused {

using cufft::load;
using cufft::load_table;
using cufft::store;

/// One radix step on one FFT of a line.
struct RadixStep {
    int radix = 2;
    int count = 0;     ///< butterflies of a line
    int stride = 0;    ///< from element to element, in places
    int first = 0;     ///< of the butterflies' words: where element 0 lies, and j shifted by 16
    int twiddles = 0;  ///< w^k of butterfly j at twiddles + (k − 1) · apart + j
    int apart = 1;     ///< q; 1: the last step, whose factors are 1
    int along = 32;    ///< threads along a line
};

inline constexpr int most_steps = 32;

/// All FFTs of a line. Steps of a phase do not touch each other's elements.
template <class T>
struct LineFft {
    RadixStep step[most_steps];
    int phase_end[most_steps] = {};  ///< steps of phase p end here
    int phases = 0;
    const std::uint32_t* words = nullptr;
    const Complex<T>* twiddles = nullptr;
};

template <int r, bool in_time, class T>
POISSON3D_HD void radix_step(const RadixStep& step, const LineFft<T>& fft, Complex<T>* lines, int pitch, int count,
                             int thread, int threads) {
    const int along = step.along < threads ? step.along : threads;
    const int across = threads / along;
    const int y = thread / along;
    if (y >= across) return;
    POISSON3D_ROLLED
    for (int butterfly = thread - y * along; butterfly < step.count; butterfly += along) {
        const std::uint32_t word = load_table(fft.words + step.first + butterfly);
        const int j = static_cast<int>(word >> 16);
        const bool twiddled = step.apart > 1;
        const auto root = [&](int k) {
            return load_table(fft.twiddles + step.twiddles + (k - 1) * step.apart + j);
        };
        constexpr bool held = r != 5 && r != 7;  // those leave no registers for their factors
        Twiddles<r, T> roots;
        if (held && twiddled) roots.read(root);
        Complex<T>* at = lines + y * pitch + (word & 0xffff);
        POISSON3D_ROLLED
        for (int c = y; c < count; c += across, at += across * pitch) {
            Complex<T> z[r];
            POISSON3D_UNROLL
            for (int k = 0; k < r; ++k) z[k] = load(at + k * step.stride);
            if (!held && twiddled) roots.read(root);
            if (in_time && twiddled) roots.apply(z);
            dft(z);
            if (!in_time && twiddled) roots.apply(z);
            POISSON3D_UNROLL
            for (int k = 0; k < r; ++k) store(at + k * step.stride, z[k]);
        }
    }
}

template <bool in_time, class T>
POISSON3D_HD void one_step(const RadixStep& step, const LineFft<T>& fft, Complex<T>* lines, int pitch, int count,
                           int thread, int threads) {
    switch (step.radix) {
        case 2: return radix_step<2, in_time>(step, fft, lines, pitch, count, thread, threads);
        case 3: return radix_step<3, in_time>(step, fft, lines, pitch, count, thread, threads);
        case 4: return radix_step<4, in_time>(step, fft, lines, pitch, count, thread, threads);
        case 5: return radix_step<5, in_time>(step, fft, lines, pitch, count, thread, threads);
        case 7: return radix_step<7, in_time>(step, fft, lines, pitch, count, thread, threads);
        default: return radix_step<8, in_time>(step, fft, lines, pitch, count, thread, threads);
    }
}

/// Phase `phase` in the order of its walk (in_time: the last steps first) on `count` lines, `pitch` apart.
template <bool in_time, class T>
POISSON3D_HD void fft_phase(const LineFft<T>& fft, int phase, Complex<T>* lines, int pitch, int count, int thread,
                            int threads) {
    const int p = in_time ? fft.phases - 1 - phase : phase;
    for (int s = p == 0 ? 0 : fft.phase_end[p - 1]; s < fft.phase_end[p]; ++s)
        one_step<in_time>(fft.step[s], fft, lines, pitch, count, thread, threads);
}

}  // namespace poisson3d::fused
