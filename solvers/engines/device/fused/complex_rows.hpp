// Complex lines (complex_lines.hpp) that are two rows of f or u, and modes of z of these; and a block of any pass
// but the middle one. Of a row of real numbers F_k and F_{N−k} are conjugates: of two rows as real and imaginary
// part
//
//     Z_k + Z_{N−k}          2 Re F_k of the first, of the second beside it
//     i (Z_k − Z_{N−k})      −2 Im F_k
//
// F_0 and F_{N/2} have no imaginary part: zeros are written in its place, which passes over columns read.
//
// Turned, modes of z stand as planes of one wave number each, whose rows are those of y: rows of a block are
// neighbours there, so that both halves of its lines are runs.
#pragma once

#include "complex_lines.hpp"

namespace poisson3d::fused {

/// Two rows, neighbours or, turned, as many rows apart as a block has lines. The second may be missing: it then
/// stands for the first, and is not written.
template <bool turned, class T>
struct RowPair {
    static constexpr int apart = turned ? complex_count<T> : 1;
    bool there, paired;
    Index first;

    template <class Line>
    POISSON3D_HD RowPair(const ComplexTask<T, Line>& task, Index begin, int line)
        : first(begin + (turned ? 1 : 2) * line) {
        there = first < task.lines;
        paired = first + apart < task.lines;
    }
};

/// body(o, line) for the pairs of butterflies of modes: threads are neighbours along the rows of modes.
template <bool turned, class T, class Line, class Body>
POISSON3D_HD void for_row_modes(const ComplexTask<T, Line>& task, const Body& body) {
    if constexpr (turned)
        across_lines(task.modes.items, task.shift, body);
    else
        along_lines(task.modes.items, task.count, body);
}

template <bool half, bool turned, class T, class Line>
POISSON3D_HD void load_rows(const ComplexTask<T, Line>& task, Index begin, Index slow, Complex<T>* lines) {
    along_lines(task.samples.items, task.count, [&](int o, int line) {
        const RowPair<turned, T> rows(task, begin, line);
        if (!rows.there) return;
        const T* const one = task.in + slow * task.in_slow + rows.first * task.in_line;
        const T* const other = one + (rows.paired ? rows.apart * task.in_line : 0);
        samples_in<half>(task, o, lines + line * task.pitch, [&](int j) {
            return task.scale * Complex<T>{load_field(one + j), load_field(other + j)};
        });
    });
}
template <bool half, bool turned, class T, class Line>
POISSON3D_HD void store_rows(const ComplexTask<T, Line>& task, Index begin, Index slow, const Complex<T>* lines) {
    along_lines(task.samples.items, task.count, [&](int o, int line) {
        const RowPair<turned, T> rows(task, begin, line);
        if (!rows.there) return;
        T* const one = task.out + slow * task.out_slow + rows.first * task.out_line;
        samples_out<half>(task, o, lines + line * task.pitch, [&](int j, Complex<T> z) {
            one[j] = z.re;
            if (rows.paired) one[rows.apart * task.out_line + j] = z.im;
        });
    });
}

/// pair(k, Z_k, Z_{N−k}) for the wave numbers of butterfly pair o but those that are their own partners, 0 and N/2,
/// which are elements 0 and 4 of butterfly 0.
template <class E, class Pair>
POISSON3D_HD void for_wave_pairs(int o, int butterflies, E (&a)[8], E (&b)[8], const Pair& pair) {
    const int q = butterflies;
    if (o == 0) {
        POISSON3D_UNROLL
        for (int m = 1; m < 4; ++m) pair(q * m, a[m], a[8 - m]);
        POISSON3D_UNROLL
        for (int m = 0; m < 4; ++m) pair(q / 2 + q * m, b[m], b[7 - m]);
        return;
    }
    POISSON3D_UNROLL
    for (int m = 0; m < 4; ++m) pair(q * m + o, a[m], b[7 - m]);
    POISSON3D_UNROLL
    for (int m = 0; m < 4; ++m) pair(q * (m + 1) - o, b[m], a[7 - m]);
}

template <bool turned, class T, class Line>
POISSON3D_HD void store_row_modes(const ComplexTask<T, Line>& task, Index begin, Index slow,
                                  const Complex<T>* lines) {
    const int q = task.butterflies();
    for_row_modes<turned>(task, [&](int o, int line) {
        const RowPair<turned, T> rows(task, begin, line);
        if (!rows.there) return;
        Complex<T>* const one =
            reinterpret_cast<Complex<T>*>(task.out + slow * task.out_slow + rows.first * task.out_line);
        Complex<T>* const other = one + rows.apart * task.out_line / 2;
        const Index sample = turned ? task.out_sample / 2 : 1;
        Complex<T> a[8], b[8];
        read_butterflies<8>(task.modes, o, lines + line * task.pitch, a, b);
        dft(a);
        dft(b);
        const auto put = [&](int k, T re, T im, T next_re, T next_im) {
            store_field(one + k * sample, Complex<T>{re, im});
            if (rows.paired) store_field(other + k * sample, Complex<T>{next_re, next_im});
        };
        if (o == 0) {
            put(0, 2 * a[0].re, 0, 2 * a[0].im, 0);
            put(4 * q, 2 * a[4].re, 0, 2 * a[4].im, 0);
        }
        for_wave_pairs(o, q, a, b, [&](int k, Complex<T> z, Complex<T> mirrored) {
            const Complex<T> sum = z + mirrored, difference = times_i(z - mirrored);
            put(k, sum.re, difference.re, sum.im, difference.im);
        });
    });
}
template <bool turned, class T, class Line>
POISSON3D_HD void load_row_modes(const ComplexTask<T, Line>& task, Index begin, Index slow, Complex<T>* lines) {
    const int q = task.butterflies();
    for_row_modes<turned>(task, [&](int o, int line) {
        const RowPair<turned, T> rows(task, begin, line);
        if (!rows.there) return;
        const Complex<T>* const one =
            reinterpret_cast<const Complex<T>*>(task.in + slow * task.in_slow + rows.first * task.in_line);
        const Complex<T>* const other = one + (rows.paired ? rows.apart * task.in_line / 2 : 0);
        const Index sample = turned ? task.in_sample / 2 : 1;
        Complex<T> a[8], b[8];
        if (o == 0) {
            a[0] = {load_field(one).re, load_field(other).re};
            a[4] = {load_field(one + 4 * q * sample).re, load_field(other + 4 * q * sample).re};
        }
        for_wave_pairs(o, q, a, b, [&](int k, Complex<T>& z, Complex<T>& mirrored) {
            z = load_field(one + k * sample);
            mirrored = load_field(other + k * sample);
        });
        for_wave_pairs(o, q, a, b, [&](int, Complex<T>& z, Complex<T>& mirrored) {
            const Complex<T> sum{z.re, mirrored.re}, difference = times_i(Complex<T>{z.im, mirrored.im});
            z = sum + difference;
            mirrored = sum - difference;
        });
        dft(a);
        dft(b);
        write_butterflies<8>(task.modes, o, lines + line * task.pitch, a, b);
    });
}

/// A pass but the middle one: block `chunk` of lines at a slow index.
template <ComplexPass pass, bool half, class T, class Line, class Barrier>
POISSON3D_HD void run_complex_block(const ComplexTask<T, Line>& task, int chunk, int slow, Complex<T>* shared,
                                    const Barrier& barrier) {
    constexpr bool turned = pass == ComplexPass::rows_there_turned || pass == ComplexPass::rows_back_turned;
    constexpr bool rows_there = pass == ComplexPass::rows_there || pass == ComplexPass::rows_there_turned;
    constexpr bool back = !rows_there && pass != ComplexPass::columns_there;
    const Index first = Index{in_rows(pass) ? 2 : 1} * task.count * chunk;
    if constexpr (rows_there)
        load_rows<half, turned>(task, first, slow, shared);
    else if constexpr (pass == ComplexPass::columns_there)
        load_columns<half>(task, ComplexColumns<T>(task, first, slow), shared);
    else if constexpr (pass == ComplexPass::columns_back)
        load_column_modes(task, ComplexColumns<T>(task, first, slow), shared);
    else
        load_row_modes<turned>(task, first, slow, shared);
    barrier();
    inner_steps<back>(task, shared, barrier);
    if constexpr (rows_there)
        store_row_modes<turned>(task, first, slow, shared);
    else if constexpr (pass == ComplexPass::columns_there)
        store_column_modes(task, ComplexColumns<T>(task, first, slow), shared);
    else if constexpr (pass == ComplexPass::columns_back)
        store_columns<half>(task, ComplexColumns<T>(task, first, slow), shared);
    else
        store_rows<half, turned>(task, first, slow, shared);
}

}  // namespace poisson3d::fused
