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

/// Rows of a thread beyond the head: so many that most threads have some.
inline constexpr int tail_panel = 3;

/// From the values of a line to those of the next, which begin four banks further on.
constexpr POISSON3D_HD Index symbol_pitch(Index rows) {
    return (rows + 27) / 32 * 32 + 4;
}
/// Numbers that a block of `count` lines has beside its lines.
constexpr Index summed_symbol_numbers(Index rows, Index terms, Index rank, Index count) {
    return count * (symbol_pitch(rows) + terms + (symbol_parts + 1) * rank + 2);
}

/// Shared memory of the symbol of a block: what summed_symbol_numbers() counts. But for values, numbers of lines
/// lie side by side.
template <int count_, class T>
struct SymbolMemory {
    static constexpr int count = count_;
    T* values;  ///< line · pitch + row
    int pitch;
    T *products, *parts, *mixed;
    LineOfSymbol<T>* lines;

    POISSON3D_HD SymbolMemory(T* memory, const SummedSymbol<T>& symbol)
        : values(memory),
          pitch(static_cast<int>(symbol_pitch(symbol.rows))),
          products(values + pitch * count),
          parts(products + symbol.terms * count),
          mixed(parts + symbol_parts * symbol.rank * count),
          lines(reinterpret_cast<LineOfSymbol<T>*>(mixed + symbol.rank * count)) {}
};

/// What rows know besides.
template <class T>
struct RowOfSymbol {
    int row;
    T eigenvalue, early;

    POISSON3D_HD RowOfSymbol(int number, T of_row, T of_early) : row(number), eigenvalue(of_row), early(of_early) {}
    POISSON3D_HD RowOfSymbol(const SummedSymbol<T>& symbol, int number)
        : row(number),
          eigenvalue(load_table(symbol.along.eigenvalue + number)),
          early(symbol.gaps == nullptr ? load_table(symbol.along.early + number) : T(0)) {}
};

/// −K of a row, `late` of which is known.
template <class T>
POISSON3D_HD T symbol_value(const SummedSymbol<T>& symbol, LineOfSymbol<T> line, bool lowest,
                            const RowOfSymbol<T>& of, T late) {
    if (symbol.has_zero && lowest && of.row == 0) return -symbol.zero;
    const T sum = line.sum + of.eigenvalue;
    if (symbol.gaps != nullptr) return -quotient(of.row % 2 == 1 ? T(2) - line.lost : line.lost, sum);
    return quotient(both_exponents(line.lost, of.early), sum) - late;
}

/// Sums over terms for `panel` rows, from row `first` on `apart` from each other, of lines l … l + lines − 1;
/// numbers of `ahead` terms are read before the first is used. Rows that are not there stand for the first.
template <int panel, int lines, int ahead, class T, class Memory>
POISSON3D_HD void sum_rows(const SummedSymbol<T>& symbol, const Memory& memory, const T* table, const T* factors,
                           int terms, int first, int apart, int l, bool lowest) {
    int row[panel];
    POISSON3D_UNROLL
    for (int r = 0; r < panel; ++r) row[r] = first + r * apart < symbol.rows ? first + r * apart : first;
    T sum[panel][lines] = {};
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
            const T* const at = factors + (q0 + q) * Memory::count + l;
            T factor[lines];
            if constexpr (lines == 1) {
                factor[0] = *at;
            } else {
                POISSON3D_UNROLL
                for (int i = 0; i < lines; i += 2) {
                    const Complex<T> two = load(reinterpret_cast<const Complex<T>*>(at + i));
                    factor[i] = two.re, factor[i + 1] = two.im;
                }
            }
            POISSON3D_UNROLL
            for (int r = 0; r < panel; ++r) {
                POISSON3D_UNROLL
                for (int i = 0; i < lines; ++i) sum[r][i] += number[q][r] * factor[i];
            }
        }
    }
    POISSON3D_UNROLL
    for (int r = 0; r < panel; ++r) {
        if (r > 0 && row[r] == row[0]) continue;
        const RowOfSymbol<T> of(symbol, row[r]);
        T* const values = memory.values + row[r];
        POISSON3D_UNROLL
        for (int i = 0; i < lines; ++i)
            values[(l + i) * memory.pitch] =
                symbol_value(symbol, memory.lines[l + i], lowest && l + i == 0, of, sum[r][i]);
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
    // Below the head a thread has one row, with many terms, of a few lines; beyond a few rows of all lines.
    constexpr int head_lines = count / 2;
    const int head = symbol.head * (count / head_lines);
    const int rest = (symbol.rows - symbol.head + tail_panel - 1) / tail_panel;
    POISSON3D_ROLLED
    for (int unit = thread; unit < head + rest; unit += threads) {
        if (unit < head)
            sum_rows<1, head_lines, 12>(symbol, memory, symbol.along.late, memory.products, terms,
                                        unit % symbol.head, 0, unit / symbol.head * head_lines, lowest);
        else
            sum_rows<tail_panel, count, 4>(symbol, memory, symbol.tail, memory.mixed, rank,
                                           symbol.head + unit - head, rest, 0, false);
    }
    barrier();
}

}  // namespace poisson3d::fused
