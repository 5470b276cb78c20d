// What is between the outer steps of a chirp whose numbers kernels know when they are compiled (known_chirp.hpp,
// known_periodic_chirp.hpp): FFTs of two steps, of radices r and s, the filter between, and the way back.
//
// A Line has the number of FFTs (`ffts`) and how many elements these stand `apart`, r and s (`first`, `last`),
// where element e of row d stands (`in_row`), whether the steps need no twiddles (`coprime`), whether the same FFT
// is its own way back (`even_or_odd`), and the `threads` of a block. Host and device share this file.
#pragma once

#include "chirp.hpp"

namespace poisson3d::lines {

/// z_k := z_k w^k, k < r, from w, w², w⁴ and, for more than eight, w⁸.
template <int r, class T, class V>
POISSON3D_HD void apply_powers(const Complex<T> (&root)[4], Complex<V> (&z)[r]) {
    constexpr int top = r > 8 ? 3 : 2;
    Complex<T> power[1 << top];
    POISSON3D_UNROLL
    for (int k = 1; k < 1 << top; ++k) {
        const int bit = k >= 4 ? 2 : k >= 2 ? 1 : 0;
        power[k] = k == 1 << bit ? root[bit] : product(root[bit], power[k - (1 << bit)]);
        if (k < r) z[k] = product(z[k], power[k]);
    }
    POISSON3D_UNROLL
    for (int k = 1 << top; k < r; ++k)
        z[k] = product(z[k], k == 1 << top ? root[top] : product(root[top], power[k - (1 << top)]));
}

/// The step of radix `first`, there or back, of `ffts` FFTs, `apart` from each other. Of any Line that has their
/// numbers, as of known_periodic_chirp.hpp.
template <bool in_time, class Line, class T, class V, class Barrier>
POISSON3D_HD void known_chirp_step(const LineFft<T, Line>& fft, Complex<V>* lines, int pitch, int count,
                                   const Barrier& barrier) {
    constexpr int r = Line::first, last = Line::last;
    struct Prepared {
        int butterfly;
        Complex<T> roots[4];
    };
    const auto prepare = [&](int butterfly) {
        Prepared known{butterfly, {}};
        // Tables have w^k for all k, or for powers of two.
        if constexpr (!Line::coprime) {
            POISSON3D_UNROLL
            for (int i = 0; i < (r > 8 ? 4 : 3); ++i)
                known.roots[i] = load_table(fft.twiddles + (powers_of_two(r, true) ? i : (1 << i) - 1) * last +
                                            butterfly % last);
        }
        return known;
    };
    const KnownItems<Line::ffts * last, Line::threads> butterflies;
    prepared_across_lines(butterflies, count, prepare, barrier, [&](const Prepared& known, int line) {
        Complex<V>* const at = lines + line * pitch + known.butterfly / last * Line::apart;
        const int e = in_this_turn(known.butterfly % last);
        Complex<V> z[r];
        POISSON3D_UNROLL
        for (int d = 0; d < r; ++d) z[d] = load(at + d * last + Line::template in_row<T>(d, e));
        Complex<T> roots[4];
        POISSON3D_UNROLL
        for (int i = 0; i < 4; ++i) roots[i] = in_this_turn(known.roots[i]);
        if constexpr (!Line::coprime && in_time) apply_powers(roots, z);
        dft(z);
        if constexpr (!Line::coprime && !in_time) apply_powers(roots, z);
        POISSON3D_UNROLL
        for (int d = 0; d < r; ++d) store(at + d * last + Line::template in_row<T>(d, e), z[d]);
    });
}

/// The step of radix `last` there, the filter, and back: of even and odd sequences by the same FFT, of others by
/// one of exchanged parts (convolution.hpp).
template <class Line, class T, class V, class Barrier>
POISSON3D_HD void known_chirp_turn(const Chirp<T>& chirp, Complex<V>* lines, int pitch, int count,
                                   const Barrier& barrier) {
    constexpr int r = Line::last, first = Line::first;
    const int none = chirp.length >> 24;  // 0
    const KnownItems<Line::ffts * first, Line::threads> butterflies;
    const auto prepare = [](int butterfly) { return butterfly; };
    const auto filtered = [](Complex<T> factor, Complex<V> z) {
        const Complex<V> mode = product(factor, z);
        return Line::even_or_odd ? mode : exchanged(mode);
    };
    prepared_across_lines(butterflies, count, prepare, barrier, [&](int butterfly, int line) {
        constexpr int padding = Line::apart - Line::length;
        Complex<V>* const at = lines + line * pitch + butterfly * r + padding * (butterfly / first);
        const int d = in_this_turn(butterfly % first);
        Complex<V> z[r];
        POISSON3D_UNROLL
        for (int e = 0; e < r; ++e) z[e] = load(at + Line::template in_row<T>(d, e));
        const Complex<T>* const filter = in_this_turn(chirp.filter + butterfly);
        const auto factor = [&](const Complex<T>* from, int e) { return load_table(from + e * butterflies.count); };
        if constexpr (sizeof(T) == 8 && !Line::few_registers) {
            Complex<T> factors[r];  // on their way while the butterfly is done
            POISSON3D_UNROLL
            for (int e = 0; e < r; ++e) factors[e] = factor(filter, e);
            dft(z);
            POISSON3D_UNROLL
            for (int e = 0; e < r; ++e) z[e] = filtered(factors[e], z[e]);
        } else {
            dft(z);
            const Complex<T>* const behind = after(filter, z[r - 1].re, none);  // registers hold half of it
            POISSON3D_UNROLL
            for (int e = 0; e < r; ++e) z[e] = filtered(factor(2 * e < r ? filter : behind, e), z[e]);
        }
        dft(z);
        POISSON3D_UNROLL
        for (int e = 0; e < r; ++e) store(at + Line::template in_row<T>(d, e), z[e]);
    });
}

/// What is between the outer steps. Returns after a barrier.
template <class Line, class T, class V, class Barrier>
POISSON3D_HD void known_convolution(const LineFft<T, Line>& fft, const Chirp<T>& chirp, Complex<V>* lines,
                                    int pitch, int count, const Barrier& barrier) {
    known_chirp_step<false>(fft, lines, pitch, count, barrier);
    known_chirp_turn<Line>(chirp, lines, pitch, count, barrier);
    known_chirp_step<true>(fft, lines, pitch, count, barrier);
    barrier();
}

}  // namespace poisson3d::lines
