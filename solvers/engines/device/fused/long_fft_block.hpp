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
POISSON3D_HD void long_fft_block(const LongFftSide<T>& side, const LongFftData<T>& data, Index fft, int first,
                                 Complex<T>* shared, const Barrier& barrier) {
    const Complex<T>* const in = data.in + fft * data.in_next;
    Complex<T>* const out = data.out + fft * data.out_next;
    const Index total = Index{side.length} * side.other;
    const auto of_chirp = [&](Index position) {
        const Index sample = position == 0 ? 0 : total - position;
        const bool there = sample < data.count;
        const Complex<T> z = lines::load_field(in + (there ? sample : 0));
        const Complex<T> w = lines::load_table(data.factors + (there ? sample : 0));
        return there ? lines::product(w, z) : Complex<T>{};
    };
    // A thread has several elements on their way before it waits for the first.
    constexpr int number = 8;
    const auto read = [&](const lines::ItemGroup<number>& items, int line) {
        if (first + line >= side.other) return;
        Complex<T> z[number];
        POISSON3D_UNROLL
        for (int i = 0; i < number; ++i) {
            const Index j = items[i];
            const Index position = columns ? j * side.other + first + line : Index{first + line} * side.length + j;
            z[i] = columns && data.factors != nullptr ? of_chirp(position) : lines::load_field(in + position);
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
        for (int i = 0; i < number; ++i) {
            const Index position = Index{items[i]} * side.other + first + line;
            if (!items.there(i) || (!columns && data.factors != nullptr && position >= data.count)) continue;
            if (!columns && data.factors != nullptr)
                z[i] = lines::product(lines::load_table(data.factors + position), z[i]);
            lines::store_field(out + position, z[i]);
        }
    };
    lines::groups_across_lines<number>(side.elements, side.shift, write);
}

}  // namespace poisson3d::fused
