// The passes over halves of lines (complex_halves.hpp): columns there and back, and the middle one, whose shared
// memory is that of complex_symbol.hpp. Host and device share this file.
#pragma once

#include "complex_symbol.hpp"

namespace poisson3d::fused {

/// Columns of modes from memory, or to it.
template <class T, class Line>
POISSON3D_HD void store_half_modes(const ComplexColumns<T>& columns, const Complex<T>* lines) {
    using H = Halves<T, Line>;
    across_halves<T, Line>([&]<bool odd>(int, int o, int line) {
        if (line >= columns.there) return;
        const Complex<T>* const at = lines + (line + odd * H::count) * H::pitch + Line::mode_offset(o);
        Complex<T> z[8];
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) z[m] = load(at + m);
        dft(z);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) columns.write(line, 2 * (o + H::butterflies * m) + odd, z[m]);
    });
}
template <class T, class Line>
POISSON3D_HD void load_half_modes(const ComplexColumns<T>& columns, Complex<T>* lines) {
    using H = Halves<T, Line>;
    across_halves<T, Line>([&]<bool odd>(int, int o, int line) {
        const int there = line < columns.there ? line : 0;
        Complex<T> z[8];
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) z[m] = exchanged(columns.read(there, 2 * (o + H::butterflies * m) + odd));
        dft(z);
        Complex<T>* const at = lines + (line + odd * H::count) * H::pitch + Line::mode_offset(o);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) store(at + m, z[m]);
    });
}

/// A pass of columns: block `chunk` of lines at a slow index.
template <bool back, class T, class Line, class Barrier>
POISSON3D_HD void run_half_columns(const ComplexTask<T, Line>& task, int chunk, int slow, Complex<T>* shared,
                                   const Barrier& barrier) {
    const ComplexColumns<T> columns(task, Index{task.count} * chunk, slow);
    if constexpr (back)
        load_half_modes<T, Line>(columns, shared);
    else
        load_half_columns(task, columns, shared, NoWait{});
    barrier();
    inner_half_step<back>(task, shared);
    barrier();
    if constexpr (back)
        store_half_columns(task, columns, shared, barrier);
    else
        store_half_modes<T, Line>(columns, shared);
}

/// Modes of halves times numbers of the symbol, which lie as SymbolMemory has them for halves.
template <class T, class Line>
POISSON3D_HD void multiply_half_modes(const ComplexTask<T, Line>& task, int there, const T* values, int rows,
                                      Complex<T>* lines) {
    using H = Halves<T, Line>;
    constexpr int q = H::butterflies;
    along_halves<T, Line>(q, [&](int o, int half) {
        const int odd = half / H::count, line = half % H::count;
        if (line >= there) return;
        const T* const of_half = values + line * rows + odd * (rows / 2 + 1);
        Complex<T>* const at = lines + half * H::pitch + Line::mode_offset(o);
        Complex<T> z[8];
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) z[m] = load(at + m);
        dft(z);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m)
            z[m] = exchanged(task.factor * of_half[m < 4 ? q * m + o : q * (8 - m) - o - odd] * z[m]);
        dft(z);
        POISSON3D_UNROLL
        for (int m = 0; m < 8; ++m) store(at + m, z[m]);
    });
}

/// The middle pass, as run_complex_symbol().
template <bool slots, class T, class Line, class Barrier>
POISSON3D_HD void run_half_symbol(const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol, int chunk,
                                  int group, Complex<T>* shared, const Barrier& barrier) {
    constexpr int count = complex_count<T>;
    const SymbolMemory<count, true, T> memory(&shared[2 * count * Halves<T, Line>::pitch].re, symbol);
    const Index first = Index{task.count} * chunk;
    POISSON3D_ROLLED
    for (int i = 0; i < (slots ? 1 : 2); ++i) {
        const Index slot = symbol.slots[2 * group + i];
        if (slot < 0) break;
        const auto columns = symbol_columns<slots>(task, first, slot, symbol.slots[2 * group + 1]);
        load_half_columns(task, columns, shared, barrier);
        if (i == 0)
            sum_symbol(symbol, slot, first, task.lines, memory, barrier);
        else
            barrier();
        inner_half_step<false>(task, shared);
        barrier.of_line();
        multiply_half_modes(task, columns.there, memory.values, symbol.rows, shared);
        barrier.of_line();
        inner_half_step<true>(task, shared);
        barrier();
        store_half_columns(task, columns, shared, barrier);
    }
}

}  // namespace poisson3d::fused
