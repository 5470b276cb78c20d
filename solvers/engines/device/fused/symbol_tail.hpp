// Late terms of a symbol (padded_symbol.hpp) in rows far from the lowest ones.
//
// There a heat kernel has only what comes from the rim of its window, smooth in k and alternating, so that rows of
// the table of one axis are sums of few rows: with weights W_q ≥ |slow_q line_q| of the other two axes
//
//     along_q(k) ≈ Σ_r tail_r(k) mixing_r(q)        k ≥ head
//     Σ_q along_q slow_q line_q ≈ Σ_r tail_r(k) p_r,     p_r = Σ_q mixing_r(q) slow_q line_q
//
// to a rounding error of K(head), where the other two axes have their lowest modes and late terms are largest: a
// rest counts by Σ_q |rest_q|, which no sum over it exceeds. Singular values of these rows fall by 10² to 10³ each
// until rounding of the table is left, an error that is below the bound and a cube's next value 40 times above it,
// so that the last digit of a table does not decide. Of 48 terms `rank` is 6 and head 24 (spectral; up to 8 of
// second order).
#pragma once

#include <vector>

#include "padded_symbol.hpp"

namespace poisson3d::fused {

template <class T>
struct SymbolTail {
    Index head = 0;         ///< the first row that is a sum
    Index rank = 0;         ///< 0: none are, head is the number of rows
    std::vector<T> rows;    ///< r · (number of rows) + row; 0 below head
    std::vector<T> mixing;  ///< r · terms + q
};

/// Of axis `along`.
template <class T>
SymbolTail<T> symbol_tail(const PaddedSymbol<T>& symbol, int along);

}  // namespace poisson3d::fused
