// Late terms of a symbol (padded_symbol.hpp) in rows far from the lowest ones.
//
// There a heat kernel has only what comes from the rim of its window, smooth in k and alternating, so that rows of
// the table of one axis are sums of few rows: with weights W_q ≥ |slow_q line_q| of the other two axes
//
//     along_q(k) ≈ Σ_r tail_r(k) mixing_r(q)        k ≥ head
//     Σ_q along_q slow_q line_q ≈ Σ_r tail_r(k) p_r,     p_r = Σ_q mixing_r(q) slow_q line_q
//
// to a rounding error of K(head), where the other two axes have their lowest modes and late terms are largest. The
// table itself is no better than that. `rank` is 6 where there are 48 terms, and head 24 to 40.
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
