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
    // A thread has several elements on their way before it waits for the first.
    constexpr int number = 8;
    const auto read = [&](const lines::ItemGroup<number>& items, int line) {
        if (first + line >= side.other) return;
        Complex<T> z[number];
        POISSON3D_UNROLL
        for (int i = 0; i < number; ++i) {
            const Index j = items[i];
            z[i] = lines::load_field(
                in + (columns ? j * side.other + first + line : Index{first + line} * side.length + j));
        }
        POISSON3D_UNROLL
        for (int i = 0; i < number; ++i)
            if (items.there(i))
                lines::store(
                    shared + line * side.pitch + lines::lower_half(lines::load_table(side.places + items[i])),
                    z[i]);
    };
    if constexpr (columns)
        lines::groups_across_lines<number>(side.elements, side.shift, read);
    else
        lines::groups_along_lines<number>(side.elements, 1 << side.shift, read);
    barrier();
    side_ffts(side, shared, barrier);
    const auto write = [&](const lines::ItemGroup<number>& items, int line) {
        if (first + line >= side.other) return;
        Complex<T> z[number];
        POISSON3D_UNROLL
        for (int i = 0; i < number; ++i) {
            const int place = lines::upper_half(lines::load_table(side.places + items[i]));
            z[i] = lines::load(shared + line * side.pitch + place);
            if (columns)
                z[i] = lines::product(
                    z[i], lines::load_table(side.twiddles + Index{items[i]} * side.other + first + line));
        }
        POISSON3D_UNROLL
        for (int i = 0; i < number; ++i)
            if (items.there(i)) lines::store_field(out + Index{items[i]} * side.other + first + line, z[i]);
    };
    lines::groups_across_lines<number>(side.elements, side.shift, write);
}

}  // namespace poisson3d::fused
