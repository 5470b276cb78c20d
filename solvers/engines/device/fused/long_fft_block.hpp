// What a block does of one side of long FFTs (long_fft.hpp). Host and device share this file.
#pragma once

#include "long_fft.hpp"
#include "memory_access.hpp"
#include "prime_step.hpp"

namespace poisson3d::fused {

/// In a function that is called, since kernels of both sides have it. Returns after a barrier.
template <class T, class Barrier>
POISSON3D_HD_CALLED void side_ffts(const LongFftSide<T>& side, Complex<T>* shared, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(shared));
#endif
    const int count = 1 << side.shift;
    if (side.chirp.length > 0) return lines::chirp_ffts(side.fft, side.chirp, shared, side.pitch, count, barrier);
    POISSON3D_ROLLED
    for (int s = 0; s < side.fft.steps; ++s) {
        lines::inner_step<false, lines::Inner::all_and_primes>(side.fft, s, shared, side.pitch, count, barrier);
        barrier();
    }
}

/// Lines first, first + 1, … of an FFT: those of the last block may be fewer.
template <bool columns, class T, class Barrier>
POISSON3D_HD void long_fft_block(const LongFftSide<T>& side, int first, const Complex<T>* in, Complex<T>* out,
                                 Complex<T>* shared, const Barrier& barrier) {
    const lines::WorkItems elements(side.length);
    const auto read = [&](int j, int line) {
        if (first + line >= side.other) return;
        const Index at = columns ? Index{j} * side.other + first + line : Index{first + line} * side.length + j;
        lines::store(shared + line * side.pitch + lines::lower_half(lines::load_table(side.places + j)),
                     lines::load_field(in + at));
    };
    if constexpr (columns)
        lines::across_lines(elements, side.shift, read);
    else
        lines::along_lines(elements, 1 << side.shift, read);
    barrier();
    side_ffts(side, shared, barrier);
    lines::across_lines(elements, side.shift, [&](int j, int line) {
        if (first + line >= side.other) return;
        const Index at = Index{j} * side.other + first + line;
        Complex<T> z =
            lines::load(shared + line * side.pitch + lines::upper_half(lines::load_table(side.places + j)));
        if (columns) z = lines::product(z, lines::load_table(side.twiddles + at));
        lines::store_field(out + at, z);
    });
}

}  // namespace poisson3d::fused
