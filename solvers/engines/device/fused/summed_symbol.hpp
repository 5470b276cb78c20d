// −K for the complex lines of a block (complex_symbol.hpp), in shared memory: the sums of symbol_rows.hpp, with few
// terms in all but the lowest rows (symbol_tail.hpp). Four steps with a barrier after each:
//
//     products    slow_q line_q of all terms, for each line
//     parts       of the sums p_r = Σ_q mixing_r(q) slow_q line_q
//     p_r         from these
//     rows        Σ over the terms of a row, and the early term
//
// Host and device share this file.
#pragma once

#include "symbol_rows.hpp"

namespace poisson3d::fused {

/// A symbol and what symbol_tail() says of its rows along the lines.
template <class T>
struct SummedSymbol : Symbol<T> {
    int head = 0;               ///< rows below have all terms
    int rank = 0;               ///< terms of the others
    const T* tail = nullptr;    ///< r · rows + row
    const T* mixing = nullptr;  ///< r · terms + q
};

/// What a line knows: Σ without the axis along it, and e^{−t*Σ} − 1 of that or, with one free axis, its gap.
template <class T>
struct LineOfSymbol {
    T sum, lost;
};

/// In how many parts sums over terms are made, so that all threads have some.
inline constexpr int symbol_parts = 8;

/// Rows of a thread beyond the head.
inline constexpr int tail_panel = 3;

/// Numbers that a block of `count` lines has beside its lines.
constexpr Index summed_symbol_numbers(Index rows, Index terms, Index rank, Index count) {
    return count * (rows + terms + (symbol_parts + 1) * rank + 2);
}

/// Shared memory of the symbol of a block: what summed_symbol_numbers() counts. But for values, numbers of lines
/// lie side by side.
template <int count, class T>
struct SymbolMemory {
    T* values;  ///< line · rows + row
    T *products, *parts, *mixed;
    LineOfSymbol<T>* lines;

    POISSON3D_HD SymbolMemory(T* memory, const SummedSymbol<T>& symbol)
        : values(memory),
          products(values + symbol.rows * count),
          parts(products + symbol.terms * count),
          mixed(parts + symbol_parts * symbol.rank * count),
          lines(reinterpret_cast<LineOfSymbol<T>*>(mixed + symbol.rank * count)) {}
};

/// −K of a row, `late` of which is known.
template <class T>
POISSON3D_HD T symbol_value(const SummedSymbol<T>& symbol, LineOfSymbol<T> line, bool lowest, int row, T late) {
    if (symbol.has_zero && lowest && row == 0) return -symbol.zero;
    const T sum = line.sum + symbol.along.eigenvalue[row];
    if (symbol.gaps != nullptr) return -quotient(row % 2 == 1 ? T(2) - line.lost : line.lost, sum);
    return quotient(both_exponents(line.lost, symbol.along.early[row]), sum) - late;
}

/// Sums over terms for `panel` rows of all lines of a block; rows that are not there stand for the first.
template <int count, int panel, class T>
POISSON3D_HD void sum_rows(const SummedSymbol<T>& symbol, const SymbolMemory<count, T>& memory, const T* table,
                           const T* factors, int terms, const int (&row)[panel], bool lowest) {
    constexpr int ahead = 4;
    T sum[panel][count] = {};
    POISSON3D_ROLLED
    for (int q0 = 0; q0 < terms; q0 += ahead) {
        T number[ahead][panel];
        POISSON3D_UNROLL
        for (int q = 0; q < ahead; ++q) {
            const int term = q0 + q < terms ? q0 + q : q0;
            POISSON3D_UNROLL
            for (int r = 0; r < panel; ++r) number[q][r] = load_table(table + term * Index{symbol.rows} + row[r]);
        }
        POISSON3D_UNROLL
        for (int q = 0; q < ahead; ++q) {
            if (q0 + q >= terms) break;
            POISSON3D_UNROLL
            for (int l = 0; l < count; l += 2) {
                const Complex<T> two = load(reinterpret_cast<const Complex<T>*>(factors + (q0 + q) * count + l));
                POISSON3D_UNROLL
                for (int r = 0; r < panel; ++r) {
                    sum[r][l] += number[q][r] * two.re;
                    sum[r][l + 1] += number[q][r] * two.im;
                }
            }
        }
    }
    POISSON3D_UNROLL
    for (int r = 0; r < panel; ++r) {
        if (r > 0 && row[r] == row[0]) continue;
        POISSON3D_UNROLL
        for (int l = 0; l < count; ++l)
            memory.values[l * symbol.rows + row[r]] =
                symbol_value(symbol, memory.lines[l], lowest && l == 0, row[r], sum[r][l]);
    }
}

/// memory.values of lines first … at a slot of the slow axis, of which `lines` are there; of others some numbers.
/// Returns after a barrier; callers have waited for whoever used this memory before.
template <int count, class T, class Barrier>
POISSON3D_HD void sum_symbol(const SummedSymbol<T>& symbol, Index slow_slot, Index first, Index lines,
                             const SymbolMemory<count, T>& memory, const Barrier& barrier) {
    const Index slow = symbol.slow.row[slow_slot];
    const int terms = symbol.terms, rank = symbol.rank;
    const auto row_of = [&](int l) {
        return symbol.line.row[symbol.first_line + (first + l < lines ? first + l : lines - 1)];
    };
    const int thread = BlockThreads::index(), threads = BlockThreads::count();
    POISSON3D_ROLLED
    for (int unit = thread; unit < (terms + 1) * count; unit += threads) {
        const int l = unit % count, q = unit / count;
        const Index line = row_of(l);
        if (q < terms) {
            memory.products[unit] =
                load_table(symbol.slow.late + slow * terms + q) * load_table(symbol.line.late + line * terms + q);
        } else {
            const T sum = symbol.shift + symbol.slow.eigenvalue[slow] + symbol.line.eigenvalue[line];
            const bool gap = symbol.gaps != nullptr;
            memory.lines[l] = {sum,
                               gap ? symbol.gaps[slow * symbol.slow.gap + line * symbol.line.gap]
                                   : both_exponents(both_exponents(symbol.early_shift, symbol.slow.early[slow]),
                                                    symbol.line.early[line])};
        }
    }
    barrier();
    if (rank > 0) {
        const int chunk = (terms + symbol_parts - 1) / symbol_parts;
        POISSON3D_ROLLED
        for (int unit = thread; unit < symbol_parts * rank * count; unit += threads) {
            const int l = unit % count, r = unit / count % rank, part = unit / count / rank;
            const int end = (part + 1) * chunk < terms ? (part + 1) * chunk : terms;
            T sum = 0;
            for (int q = part * chunk; q < end; ++q)
                sum += load_table(symbol.mixing + r * terms + q) * memory.products[q * count + l];
            memory.parts[unit] = sum;
        }
        barrier();
        POISSON3D_ROLLED
        for (int unit = thread; unit < rank * count; unit += threads) {
            T sum = 0;
            POISSON3D_UNROLL
            for (int part = 0; part < symbol_parts; ++part) sum += memory.parts[part * rank * count + unit];
            memory.mixed[unit] = sum;
        }
        barrier();
    }
    const bool lowest = slow == 0 && row_of(0) == 0;
    const int rest = (symbol.rows - symbol.head + tail_panel - 1) / tail_panel;
    POISSON3D_ROLLED
    for (int unit = thread; unit < symbol.head + rest; unit += threads) {
        if (unit < symbol.head) {
            const int row[1] = {unit};
            sum_rows<count, 1>(symbol, memory, symbol.along.late, memory.products, terms, row, lowest);
            continue;
        }
        int row[tail_panel];
        POISSON3D_UNROLL
        for (int r = 0; r < tail_panel; ++r) row[r] = unit + r * rest;
        POISSON3D_UNROLL
        for (int r = 1; r < tail_panel; ++r) row[r] = row[r] < symbol.rows ? row[r] : row[0];
        sum_rows<count, tail_panel>(symbol, memory, symbol.tail, memory.mixed, rank, row, false);
    }
    barrier();
}

}  // namespace poisson3d::fused
