// The rows of a symbol for V lines of modes (kernels.hpp): sums of products of one-dimensional tables. The products
// of the two axes that do not run along the lines are made once for all rows. Included by kernels.cpp, which is
// compiled once per instruction set (POISSON3D_ISA names the namespace).
#pragma once

#include "line_walk.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

/// Rows that are summed at once: as many sums as registers hold.
inline constexpr int symbol_panel = 4;
inline constexpr int most_symbol_terms = 256;

/// e^{a+b} − 1 of e^a − 1 and e^b − 1, both ≤ 0: nothing cancels.
template <class V, class W>
POISSON3D_INLINE auto both_exponents(V a, W b) {
    return a + b * (a + 1);
}

/// Of the lines of an element: numbers of their rows, or of absent lines 0.
template <class T>
POISSON3D_INLINE BlockValue<T> of_lines(const T* table, const SymbolAxis<T>& axis, Index first, int lines) {
    T values[element_lines<T>] = {};
    for (int l = 0; l < lines; ++l) values[l] = table[axis.row[first + l]];
    return {Pack<T>::load_loose(values), Pack<T>::load_loose(values + Pack<T>::lanes)};
}

template <class T>
POISSON3D_INLINE void store_row(BlockValue<T> value, T* row) {
    value.first.store(row);
    value.second.store(row + Pack<T>::lanes);
}

/// Of terms begin … end − 1, at most most_symbol_terms, added to `values` unless they are the first.
template <class T>
void add_products(const SymbolTask<T>& task, Index slow, Index first, int lines, int begin, int end, T* values) {
    alignas(64) T products[most_symbol_terms * element_lines<T>];
    const T* const at_slow = task.slow.late + slow * task.terms + begin;
    for (int q = 0; q < end - begin; ++q)
        for (int l = 0; l < element_lines<T>; ++l)
            products[q * element_lines<T> + l] =
                l < lines ? at_slow[q] * task.lines.late[task.lines.row[first + l] * task.terms + begin + q] : T(0);
    for (Index row = 0; row < task.along.rows; row += symbol_panel) {
        const T* table[symbol_panel];
        BlockValue<T> sum[symbol_panel] = {};
        for (int r = 0; r < symbol_panel; ++r) {
            const Index here = row + r < task.along.rows ? row + r : row;
            table[r] = task.along.late + here * task.terms + begin;
            const T* const before = values + here * element_lines<T>;
            if (begin > 0) sum[r] = {Pack<T>::load(before), Pack<T>::load(before + Pack<T>::lanes)};
        }
        for (int q = 0; q < end - begin; ++q) {
            const T* const product = products + q * element_lines<T>;
            const Pack<T> re = Pack<T>::load(product), im = Pack<T>::load(product + Pack<T>::lanes);
            POISSON3D_UNROLL
            for (int r = 0; r < symbol_panel; ++r) {
                sum[r].first = sum[r].first + table[r][q] * re;
                sum[r].second = sum[r].second + table[r][q] * im;
            }
        }
        for (int r = 0; r < symbol_panel && row + r < task.along.rows; ++r)
            store_row(sum[r], values + (row + r) * element_lines<T>);
    }
}

/// Flat boxes, and two sets of times, take more terms than are held at once; beside a large λ there are none.
template <class T>
void sum_of_products(const SymbolTask<T>& task, Index slow, Index first, int lines, T* values) {
    int begin = 0;
    do {
        const int end = std::min(begin + most_symbol_terms, task.terms);
        add_products(task, slow, first, lines, begin, end, values);
        begin = end;
    } while (begin < task.terms);
}

/// −factor · K of V lines. Absent lines have 0, or a number whose size does no harm.
template <class T>
void symbol_rows(const SymbolTask<T>& task, Index slow_slot, Index first, int lines, T* values) {
    const Index slow = task.slow.row[slow_slot];
    const bool late = task.gaps == nullptr;
    if (late) sum_of_products(task, slow, first, lines, values);
    const T slow_sum = task.shift + task.slow.eigenvalue[slow];
    const BlockValue<T> sums = of_lines(task.lines.eigenvalue, task.lines, first, lines) + slow_sum;
    BlockValue<T> exponents{};
    T there[element_lines<T>] = {}, odd[element_lines<T>] = {}, gap[element_lines<T>] = {};
    if (late) {
        const T slow_exponent = both_exponents(task.early_shift, task.slow.early[slow]);
        exponents = both_exponents(of_lines(task.lines.early, task.lines, first, lines), slow_exponent);
    }
    for (int l = 0; l < lines; ++l) {
        const std::int32_t row = task.lines.row[first + l];
        there[l] = -task.factor;
        if (late) continue;
        const bool is_odd = (task.slow.odd && slow % 2 == 1) || (task.lines.odd && row % 2 == 1);
        odd[l] = is_odd ? T(1) : T(0);
    }
    const BlockValue<T> times = load_lines(there, element_lines<T>);
    for (Index row = 0; row < task.along.rows; ++row) {
        T* const here = values + row * element_lines<T>;
        const BlockValue<T> sum = sums + task.along.eigenvalue[row];
        BlockValue<T> numerator;
        if (late) {
            numerator = T(-1) * both_exponents(exponents, task.along.early[row]);
        } else {
            for (int l = 0; l < lines; ++l) {
                const T even_gap = task.gaps[slow * task.slow.gap + task.lines.row[first + l] * task.lines.gap +
                                             row * task.along.gap];
                const bool is_odd = odd[l] != T(0) || (task.along.odd && row % 2 == 1);
                gap[l] = is_odd ? T(2) - even_gap : even_gap;
            }
            numerator = load_lines(gap, element_lines<T>);
        }
        BlockValue<T> value = numerator / sum;
        if (late) value = value + BlockValue<T>{Pack<T>::load(here), Pack<T>::load(here + Pack<T>::lanes)};
        store_row(times * value, here);
    }
    if (task.has_zero && slow == 0)
        for (int l = 0; l < lines; ++l)
            if (task.lines.row[first + l] == 0) values[l] = -task.factor * task.zero;
    for (int l = lines; l < element_lines<T>; ++l)
        for (Index row = 0; row < task.along.rows; ++row) values[row * element_lines<T> + l] = T(0);
}

}  // namespace

}  // namespace poisson3d::POISSON3D_ISA
