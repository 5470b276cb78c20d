// A line transform by the steps of a line plan, on V lines at once: rows of V samples in, rows of V modes out.
// Included by the inner loops that are compiled once per instruction set (POISSON3D_ISA names the namespace).
#pragma once

#include "element.hpp"
#include "line_view.hpp"

namespace poisson3d::POISSON3D_ISA {

/// Applies op(α_q, α_p, q, p) to every pair of rows, to a row that is its own partner with two copies.
template <class T, class Op>
POISSON3D_INLINE void for_each_pair(Pairing pairing, Element<T>* rows, Index count, const Complex<T>* alpha,
                                    Op op) {
    const auto pair = [&](Index q, Index p) {
        Element<T> a = rows[q];
        Element<T> b = rows[p];
        op(alpha[q], alpha[p], a, b);
        rows[p] = b;
        rows[q] = a;
    };
    if (pairing == Pairing::mirror) {
        for (Index q = 0; 2 * q <= count; ++q) pair(q, partner(Pairing::mirror, q, count));
    } else {
        for (Index q = 0; q < count; q += 2) pair(q, partner(pairing, q, count));
    }
}

/// x_j − x_{n−j} to row j, x_j + x_{n−j} to row n − j; the middle row is doubled for the type III that follows.
template <class E>
POISSON3D_INLINE void fold_sine(E* rows, Index n) {
    for (Index j = 1; j < n - j; ++j) {
        const E a = rows[j];
        const E b = rows[n - j];
        rows[j] = a - b;
        rows[n - j] = a + b;
    }
}

/// x_j + x_{n−j} to row j (twice the middle one), x_j − x_{n−j} to row n/2 + 1 + j. Two pairs at a time, since the
/// differences change places.
template <class E>
POISSON3D_INLINE void fold_cosine(E* rows, Index n) {
    const Index half = n / 2;
    for (Index j = 0; j <= half - 1 - j; ++j) {
        const Index k = half - 1 - j;
        const E a = rows[j];
        const E b = rows[n - j];
        const E c = rows[k];
        const E d = rows[n - k];
        rows[j] = a + b;
        rows[k] = c + d;
        rows[n - k] = a - b;
        rows[n - j] = c - d;
    }
    rows[half] = rows[half] + rows[half];
}

template <class T>
POISSON3D_INLINE void extend(Element<T>* rows, const Extension& step) {
    const Index n = step.half;
    const T sign = step.sine ? T(-1) : T(1);
    for (Index j = 0; j <= n; ++j) {
        const bool end = j == 0 || j == n;
        const Element<T> value = step.sine && end ? Element<T>{} : rows[j];
        rows[step.row + j] = value;
        if (!end) rows[step.row + 2 * n - j] = sign * value;
    }
}

/// Samples (in load order) to modes (in store order), in place.
template <class T>
POISSON3D_INLINE void transform(const LineView<T>& line, Element<T>* rows) {
    for (Index f = 0; f < line.fold_count; ++f)
        line.folds[f].sine ? fold_sine(rows, line.folds[f].length) : fold_cosine(rows, line.folds[f].length);
    for (Index e = 0; e < line.extension_count; ++e) extend(rows, line.extensions[e]);
    for (Index f = 0; f < line.fft_count; ++f) {
        const FftStep& step = line.ffts[f];
        Element<T>* const first = rows + step.row;
        if (step.split != Pairing::none)
            for_each_pair<T>(step.split, first, step.rows, line.tables + step.split_table,
                             [](auto aq, auto ap, auto& q, auto& p) { split(aq, ap, q, p); });
        for (int set = 0; set < step.sets; ++set) {
            T* const re = reinterpret_cast<T*>(first + set);
            line.calls[f].execute(line.calls[f].plan, re, re + Pack<T>::lanes);
        }
        if (step.combine != Pairing::none)
            for_each_pair<T>(step.combine, first, step.rows, line.tables + step.combine_table,
                             [](auto aq, auto ap, auto& q, auto& p) { combine(aq, ap, q, p); });
    }
}

}  // namespace poisson3d::POISSON3D_ISA
