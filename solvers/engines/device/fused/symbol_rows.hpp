// The rows of a symbol (padded_symbol.hpp) for the lines of a block, in shared memory: −K of all rows along the
// lines for each of these, from tables of one axis,
//
//     late terms    Σ_q (slow_q line_q) along_q      products of the two axes across are made once for all rows
//     early term    (1 − e^{−t*Σ})/Σ                 or, with one free axis, its closed form
//
// Threads go along rows, each with two or three rows and some lines: a number of `along` serves all lines, a
// product all rows. Host and device share this file.
#pragma once

#include "pass.hpp"

namespace poisson3d::fused {

using namespace device;

/// The tables of one axis, on the device.
template <class T>
struct SymbolAxis {
    const T* late = nullptr;  ///< row · terms + q; of the axis along the lines q · rows + row
    const T *early = nullptr, *eigenvalue = nullptr;  ///< by row
    const std::int32_t* row = nullptr;                ///< by slot, of the two axes across
    bool odd = false;                                 ///< the one free axis: odd rows have 2 − gap
    Index gap = 0;                                    ///< from row to row in `gaps`
};

template <class T>
struct Symbol {
    SymbolAxis<T> slow, line, along;
    int rows = 0;   ///< of the axis along the lines
    int terms = 0;  ///< 0: none, or the closed form of one free axis
    const T* gaps = nullptr;
    T shift = 0, early_shift = 0, zero = 0;
    bool has_zero = false;
    const std::uint32_t* pair_rows =
        nullptr;  ///< of the pairs of modes along a line: row of the first, of the second
    /// Slots along the slow axis with the same rows, two or one: the second is then −1.
    const std::int32_t* slots = nullptr;
    Index first_line = 0;  ///< slot of the first line that the pass knows of
};

/// Terms that are summed between two barriers; there is a multiple of 4 in all.
inline constexpr int symbol_chunk = 32;

/// Lines of a thread in one turn.
inline constexpr int symbol_group = 4;

/// Complex numbers that a block of `count` complex lines has beside its lines: values, then products.
constexpr Index symbol_elements(Index rows, Index count) {
    return count * (rows + symbol_chunk);
}

/// e^{a+b} − 1 of e^a − 1 and e^b − 1, both ≤ 0: nothing cancels.
template <class T>
POISSON3D_HD T both_exponents(T a, T b) {
    return a + b * (a + T(1));
}

/// What is known of a real line: its rows along the two axes across.
template <class T>
class SymbolLine {
public:
    POISSON3D_HD SymbolLine(const Symbol<T>& symbol, Index slow_slot, Index line) {
        slow_ = symbol.slow.row[slow_slot];
        line_ = symbol.line.row[symbol.first_line + line];
        sum_ = symbol.shift + symbol.slow.eigenvalue[slow_] + symbol.line.eigenvalue[line_];
        if (symbol.gaps == nullptr)
            exponent_ = both_exponents(both_exponents(symbol.early_shift, symbol.slow.early[slow_]),
                                       symbol.line.early[line_]);
        else
            odd_ = (symbol.slow.odd && slow_ % 2 == 1) || (symbol.line.odd && line_ % 2 == 1);
    }

    /// −K of a row, of which `late` is known.
    [[nodiscard]] POISSON3D_HD T value(const Symbol<T>& symbol, int row, T late) const {
        if (symbol.has_zero && slow_ == 0 && line_ == 0 && row == 0) return -symbol.zero;
        const T sum = sum_ + symbol.along.eigenvalue[row];
        if (symbol.gaps == nullptr) {
            const T lost = both_exponents(exponent_, symbol.along.early[row]);
            return lost / sum - late;
        }
        const T gap = symbol.gaps[slow_ * symbol.slow.gap + line_ * symbol.line.gap + row * symbol.along.gap];
        const bool odd = odd_ || (symbol.along.odd && row % 2 == 1);
        return -(odd ? T(2) - gap : gap) / sum;
    }

private:
    Index slow_ = 0, line_ = 0;
    T sum_ = 0, exponent_ = 0;
    bool odd_ = false;
};

/// Terms begin … begin + terms − 1 of the two axes across: products[q · count + l] for complex line l.
template <class T>
POISSON3D_HD void symbol_products(const Symbol<T>& symbol, Index slow_slot, Index first, Index lines, int count,
                                  int begin, int terms, Complex<T>* products) {
    const T* const slow = symbol.slow.late + symbol.slow.row[slow_slot] * Index{symbol.terms} + begin;
    const auto of_line = [&](Index line, int q) {
        if (line >= lines) return T(0);
        return symbol.line.late[symbol.line.row[symbol.first_line + line] * Index{symbol.terms} + begin + q];
    };
    POISSON3D_ROLLED
    for (int unit = BlockThreads::index(); unit < terms * count; unit += BlockThreads::count()) {
        const int l = unit / terms, q = unit - l * terms;
        const T factor = slow[q];
        products[q * count + l] = {factor * of_line(first + 2 * l, q), factor * of_line(first + 2 * l + 1, q)};
    }
}

/// Terms begin … begin + terms − 1 of all rows, added to `values` unless they are the first; the last ones make
/// them complete. A thread has `panel` rows and symbol_group lines at a time; numbers of `ahead` terms are read
/// before the first is used, since they come from far.
template <int panel, int ahead, class T>
POISSON3D_HD void add_symbol_terms(const Symbol<T>& symbol, Index slow_slot, Index first, Index lines, int count,
                                   int begin, int terms, const Complex<T>* products, Complex<T>* values) {
    const int part = (symbol.rows + panel - 1) / panel;
    const int groups = (count + symbol_group - 1) / symbol_group;
    const bool complete = begin + terms >= symbol.terms;
    POISSON3D_ROLLED
    for (int unit = BlockThreads::index(); unit < part * groups; unit += BlockThreads::count()) {
        const int group = unit / part;
        const int l0 = group * symbol_group;
        int row[panel];  // one that is not there stands for the first, and is not written
        POISSON3D_UNROLL
        for (int r = 0; r < panel; ++r) row[r] = unit - group * part + r * part;
        POISSON3D_UNROLL
        for (int r = 1; r < panel; ++r) row[r] = row[r] < symbol.rows ? row[r] : row[0];
        Complex<T> sum[panel][symbol_group] = {};
        if (begin > 0) {
            POISSON3D_UNROLL
            for (int l = 0; l < symbol_group; ++l) {
                if (l0 + l >= count) continue;
                POISSON3D_UNROLL
                for (int r = 0; r < panel; ++r) sum[r][l] = load(values + (l0 + l) * symbol.rows + row[r]);
            }
        }
        const T* along = symbol.along.late + begin * Index{symbol.rows};
        POISSON3D_ROLLED
        for (int q0 = 0; q0 < terms; q0 += ahead, along += ahead * Index{symbol.rows}) {
            T table[ahead][panel];
            POISSON3D_UNROLL
            for (int q = 0; q < ahead; ++q) {
                POISSON3D_UNROLL
                for (int r = 0; r < panel; ++r) table[q][r] = load_table(along + q * Index{symbol.rows} + row[r]);
            }
            POISSON3D_UNROLL
            for (int q = 0; q < ahead; ++q) {
                POISSON3D_UNROLL
                for (int l = 0; l < symbol_group; ++l) {
                    if (l0 + l >= count) continue;
                    const Complex<T> product = load(products + (q0 + q) * count + l0 + l);
                    POISSON3D_UNROLL
                    for (int r = 0; r < panel; ++r) {
                        sum[r][l].re += table[q][r] * product.re;
                        sum[r][l].im += table[q][r] * product.im;
                    }
                }
            }
        }
        POISSON3D_UNROLL
        for (int l = 0; l < symbol_group; ++l) {
            if (l0 + l >= count) continue;
            if (complete) {
                const auto there = [&](Index line) { return line < lines ? line : lines - 1; };
                const SymbolLine<T> re(symbol, slow_slot, there(first + 2 * (l0 + l)));
                const SymbolLine<T> im(symbol, slow_slot, there(first + 2 * (l0 + l) + 1));
                POISSON3D_UNROLL
                for (int r = 0; r < panel; ++r)
                    sum[r][l] = {re.value(symbol, row[r], sum[r][l].re), im.value(symbol, row[r], sum[r][l].im)};
            }
            POISSON3D_UNROLL
            for (int r = 0; r < panel; ++r)
                if (r == 0 || row[r] != row[0]) store(values + (l0 + l) * symbol.rows + row[r], sum[r][l]);
        }
    }
}

/// Rows that threads work on one after the other, by panels of so many.
POISSON3D_HD int symbol_turns(int rows, int count, int panel) {
    const int units = (rows + panel - 1) / panel * ((count + symbol_group - 1) / symbol_group);
    return (units + BlockThreads::count() - 1) / BlockThreads::count() * panel;
}

/// values[l · rows + row] = −K of complex line l, for all rows; that of an absent line is some number. `first`, of
/// `lines`: the first real line. Returns after a barrier; callers have waited for whoever used this memory before.
template <int ahead, class T, class Barrier>
POISSON3D_HD void sum_symbol_rows(const Symbol<T>& symbol, Index slow_slot, Index first, Index lines, int count,
                                  Complex<T>* values, Complex<T>* products, const Barrier& barrier) {
    const bool by_threes = symbol_turns(symbol.rows, count, 3) <= symbol_turns(symbol.rows, count, 2);
    int begin = 0;
    do {
        const int terms = symbol.terms - begin < symbol_chunk ? symbol.terms - begin : symbol_chunk;
        if (begin > 0) barrier();
        symbol_products(symbol, slow_slot, first, lines, count, begin, terms, products);
        barrier();
        if (by_threes)
            add_symbol_terms<3, ahead>(symbol, slow_slot, first, lines, count, begin, terms, products, values);
        else
            add_symbol_terms<2, ahead>(symbol, slow_slot, first, lines, count, begin, terms, products, values);
        begin += symbol_chunk;
    } while (begin < symbol.terms);
    barrier();
}

}  // namespace poisson3d::fused
