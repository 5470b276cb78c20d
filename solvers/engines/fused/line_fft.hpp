// FFTs of lines that lie in shared memory, in place, by mixed radices known at run time.
//
// Decimation in frequency (Gentleman and Sande 1966): a step of radix r takes elements q = n/r apart, transforms
// them, multiplies by e^{−2πi jk/n} and puts them back where they were; r FFTs of q remain. Natural order goes in,
// and mode k ends at place(k): digits reversed. Steps and places are tables, so nobody sorts. The transposed walk
// (decimation in time) goes from places to natural order.
//
// Positions are spread over the banks of shared memory: spread(p) = p + p/8 + p/64. Steps, and neighbours in mode
// or sample, then meet different banks.
//
// Host and device share this file; `thread` of `threads` does its part of every step, and all must meet after each
// phase.
#pragma once

#include <cstdint>

#include "butterfly.hpp"
#include "orbit_access.hpp"

namespace poisson3d::fused {

using cufft::load;
using cufft::store;

/// Division of numbers below 2^16 by a fixed one.
struct Divisor {
    std::uint32_t divisor = 1, reciprocal = 0;

    Divisor() = default;
    explicit Divisor(std::uint32_t d)
        : divisor(d), reciprocal(static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + d - 1) / d)) {}
    [[nodiscard]] POISSON3D_HD std::uint32_t of(std::uint32_t n) const {
        if (divisor == 1) return n;
        return static_cast<std::uint32_t>((std::uint64_t{n} * reciprocal) >> 32);
    }
};

constexpr POISSON3D_HD int spread(int position) {
    return position + (position >> 3) + (position >> 6);
}

/// One radix step on one FFT of a line.
struct RadixStep {
    int radix = 2;
    int offset = 0;    ///< of the FFT in the line
    int size = 0;      ///< n of this step
    int twiddles = 0;  ///< offset into the table, w^k of element j at (k − 1) · q + j
    Divisor apart;     ///< q = n/r
    Divisor per_line;  ///< butterflies
};

inline constexpr int most_steps = 32;

/// All FFTs of a line. Steps of a phase do not touch each other's elements.
template <class T>
struct LineFft {
    RadixStep step[most_steps];
    int phase_end[most_steps] = {};  ///< steps of phase p end here
    int phases = 0;
    const Complex<T>* twiddles = nullptr;
};

template <int r, bool in_time, class T>
POISSON3D_HD void radix_step(const RadixStep& step, const Complex<T>* table, Complex<T>* lines, int pitch,
                             int count, int thread, int threads) {
    const auto items = static_cast<std::uint32_t>(count) * step.per_line.divisor;
    const auto q = static_cast<int>(step.apart.divisor);
    for (auto i = static_cast<std::uint32_t>(thread); i < items; i += threads) {
        const std::uint32_t line = step.per_line.of(i);
        const std::uint32_t butterfly = i - line * step.per_line.divisor;
        const std::uint32_t block = step.apart.of(butterfly);
        const auto j = static_cast<int>(butterfly - block * step.apart.divisor);
        Complex<T>* const at = lines + line * pitch;
        const int first = step.offset + static_cast<int>(block) * step.size + j;
        const auto root = [&](int k) { return load(table + step.twiddles + (k - 1) * q + j); };
        Complex<T> z[r];
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = load(at + spread(first + k * q));
        if (in_time && q > 1) twiddle(z, root);
        dft(z);
        if (!in_time && q > 1) twiddle(z, root);
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) store(at + spread(first + k * q), z[k]);
    }
}

template <bool in_time, class T>
POISSON3D_HD void one_step(const RadixStep& step, const Complex<T>* table, Complex<T>* lines, int pitch, int count,
                           int thread, int threads) {
    switch (step.radix) {
        case 2: return radix_step<2, in_time>(step, table, lines, pitch, count, thread, threads);
        case 3: return radix_step<3, in_time>(step, table, lines, pitch, count, thread, threads);
        case 4: return radix_step<4, in_time>(step, table, lines, pitch, count, thread, threads);
        case 5: return radix_step<5, in_time>(step, table, lines, pitch, count, thread, threads);
        case 7: return radix_step<7, in_time>(step, table, lines, pitch, count, thread, threads);
        default: return radix_step<8, in_time>(step, table, lines, pitch, count, thread, threads);
    }
}

/// Phase `phase` in the order of its walk (in_time: the last steps first) on `count` lines, `pitch` apart.
template <bool in_time, class T>
POISSON3D_HD void fft_phase(const LineFft<T>& fft, int phase, Complex<T>* lines, int pitch, int count, int thread,
                            int threads) {
    const int p = in_time ? fft.phases - 1 - phase : phase;
    for (int s = p == 0 ? 0 : fft.phase_end[p - 1]; s < fft.phase_end[p]; ++s)
        one_step<in_time>(fft.step[s], fft.twiddles, lines, pitch, count, thread, threads);
}

}  // namespace poisson3d::fused
