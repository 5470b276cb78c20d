// −K for the rows of a plane of one wave number along z (complex_planes.hpp). The late terms of row k of a plane,
//
//     Σ_q slow_q(kz) line_q(k) along_q(l)
//
// are `line_numbers` of that row: sums for each of its lowest modes l, and for the others a few sums that all of
// them combine (symbol_tail.hpp). They are made once for a plane, by blocks of their own, and read by whoever
// multiplies that row. Host and device share this file.
#pragma once

#include "summed_symbol.hpp"

namespace poisson3d::fused {

/// What a row of a plane knows: `head` sums, and `rank`.
template <class T>
POISSON3D_HD int line_numbers(const SummedSymbol<T>& symbol) {
    return symbol.head + symbol.rank;
}

/// Rows of a plane that a block makes these for.
inline constexpr int rows_of_sums = 16;
/// Sums and terms of a tile, and what a block has in shared memory.
inline constexpr int tile_of_sums = 32, depth_of_sums = 48;
inline constexpr int numbers_of_sums = (rows_of_sums + tile_of_sums) * depth_of_sums + rows_of_sums * tile_of_sums;

/// to[unit] = number(unit), which is read from memory, for all units; a thread reads several at a time.
template <class T, class Number>
POISSON3D_HD void fill_numbers(T* to, int units, const Number& number) {
    constexpr int ahead = 6;
    const int threads = BlockThreads::count();
    POISSON3D_ROLLED
    for (int first = BlockThreads::index(); first < units; first += ahead * threads) {
        T read[ahead];
        POISSON3D_UNROLL
        for (int j = 0; j < ahead; ++j) read[j] = number(first + j * threads < units ? first + j * threads : first);
        POISSON3D_UNROLL
        for (int j = 0; j < ahead; ++j)
            if (first + j * threads < units) to[first + j * threads] = read[j];
    }
}

/// to[k · line_numbers + i] for the rows k of a block, of which there are `lines` in all: products of two small
/// matrices, tile by tile in shared memory. `wait`: before the first is written.
template <class T, class Barrier, class Wait>
POISSON3D_HD void sum_lines(const SummedSymbol<T>& symbol, int plane, int block, int lines, T* to, T* shared,
                            const Barrier& barrier, const Wait& wait) {
    constexpr int tile = tile_of_sums, depth = depth_of_sums;
    T* const products = shared;                          // k · depth + q
    T* const factors = products + rows_of_sums * depth;  // q · tile + i
    T* const sums = factors + depth * tile;              // k · tile + i, each of one thread
    const int numbers = line_numbers(symbol), terms = symbol.terms, first = block * rows_of_sums;
    const int thread = BlockThreads::index(), threads = BlockThreads::count();
    const T* const slow = symbol.slow.late + Index{symbol.slow.row[plane]} * terms;
    POISSON3D_ROLLED
    for (int i0 = 0; i0 < numbers; i0 += tile) {
        POISSON3D_ROLLED
        for (int unit = thread; unit < rows_of_sums * tile; unit += threads) sums[unit] = 0;
        POISSON3D_ROLLED
        for (int q0 = 0; q0 < terms; q0 += depth) {
            fill_numbers(products, rows_of_sums * depth, [&](int unit) {
                const int k = first + unit / depth < lines ? first + unit / depth : lines - 1;
                const int q = q0 + unit % depth, there = q < terms ? q : terms - 1;
                const T* const line = symbol.line.late + Index{symbol.line.row[k]} * terms;
                const T product = load_table(slow + there) * load_table(line + there);
                return q < terms ? product : T(0);
            });
            fill_numbers(factors, depth * tile, [&](int unit) {
                const int i = i0 + unit % tile < numbers ? i0 + unit % tile : numbers - 1;
                const int q = q0 + unit / tile < terms ? q0 + unit / tile : terms - 1;
                return load_table(i < symbol.head ? symbol.along.late + Index{q} * symbol.rows + i
                                                  : symbol.mixing + Index{i - symbol.head} * terms + q);
            });
            barrier();
            POISSON3D_ROLLED
            for (int unit = thread; unit < rows_of_sums * tile; unit += threads) {
                const T* const left = products + unit / tile * depth;
                const T* const right = factors + unit % tile;
                T sum = sums[unit];
                POISSON3D_UNROLL
                for (int q = 0; q < depth; ++q) sum += left[q] * right[q * tile];
                sums[unit] = sum;
            }
            barrier();
        }
        if (i0 == 0) wait();
        POISSON3D_ROLLED
        for (int unit = thread; unit < rows_of_sums * tile; unit += threads) {
            const int k = first + unit / tile, i = i0 + unit % tile;
            if (k < lines && i < numbers) to[Index{k} * numbers + i] = sums[unit];
        }
    }
}

/// values[l] = −scale K of row k of a plane for modes l = mine, mine + apart, …; `of_row`: its numbers.
template <int apart, class T>
POISSON3D_HD void row_values(const SummedSymbol<T>& symbol, int plane, int k, int mine, const T* of_row, T scale,
                             T* values) {
    constexpr int panel = 3, ahead = 6;
    const Index slow = symbol.slow.row[plane], line = symbol.line.row[k];
    const bool gap = symbol.gaps != nullptr;
    const LineOfSymbol<T> of_line{
        symbol.shift + symbol.slow.eigenvalue[slow] + symbol.line.eigenvalue[line],
        gap ? symbol.gaps[slow * symbol.slow.gap + line * symbol.line.gap]
            : both_exponents(both_exponents(symbol.early_shift, symbol.slow.early[slow]), symbol.line.early[line])};
    const bool lowest = slow == 0 && line == 0;
    const T* const combined = of_row + symbol.head;
    POISSON3D_ROLLED
    for (int l0 = mine; l0 < symbol.rows; l0 += panel * apart) {
        T late[panel], eigenvalue[panel], early[panel], rest[panel] = {};
        int l[panel];
        POISSON3D_UNROLL
        for (int p = 0; p < panel; ++p) {
            l[p] = l0 + p * apart < symbol.rows ? l0 + p * apart : l0;
            late[p] = l[p] < symbol.head ? load_field(of_row + l[p]) : T(0);
            const RowOfSymbol<T> row(symbol, l[p]);
            eigenvalue[p] = row.eigenvalue, early[p] = row.early;
        }
        POISSON3D_ROLLED
        for (int r0 = 0; r0 < symbol.rank; r0 += ahead) {
            T factor[ahead], number[ahead][panel];
            POISSON3D_UNROLL
            for (int j = 0; j < ahead; ++j) {
                const int r = r0 + j < symbol.rank ? r0 + j : r0;
                factor[j] = r0 + j < symbol.rank ? load_field(combined + r) : T(0);
                POISSON3D_UNROLL
                for (int p = 0; p < panel; ++p)
                    number[j][p] = load_table(symbol.tail + r * Index{symbol.rows} + l[p]);
            }
            POISSON3D_UNROLL
            for (int j = 0; j < ahead; ++j) {
                POISSON3D_UNROLL
                for (int p = 0; p < panel; ++p) rest[p] += number[j][p] * factor[j];
            }
        }
        POISSON3D_UNROLL
        for (int p = 0; p < panel; ++p) late[p] = l[p] < symbol.head ? late[p] : rest[p];
        POISSON3D_UNROLL
        for (int p = 0; p < panel; ++p)
            values[l[p]] = scale * symbol_value(symbol, of_line, lowest, {l[p], eigenvalue[p], early[p]}, late[p]);
    }
}

}  // namespace poisson3d::fused
