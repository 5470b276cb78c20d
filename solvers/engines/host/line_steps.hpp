// A line transform on a block of V lines: rows of V samples in, rows of V modes out. Included by the inner loops
// that are compiled once per instruction set (POISSON3D_ISA names the namespace).
#pragma once

#include "host/lanes.hpp"
#include "kernels.hpp"

namespace poisson3d::POISSON3D_ISA {

using namespace poisson3d::host;

inline constexpr int packs = row_bytes / pack_bytes;  // per row

/// Pack p of row r.
template <class T>
POISSON3D_INLINE T* at(T* rows, Index r, int p) {
    return rows + r * block_lines<T> + p * Pack<T>::lanes;
}

/// Lines that are neighbours: sample j is a row of them at in + j · pitch. Whole rows are a loop of their own: one
/// that asks for the number of lanes as it goes takes twice as long.
template <class T, class Put>
POISSON3D_INLINE void gather_across(const T* in, Index pitch, int lines, Index n, Put put) {
    if (lines == block_lines<T>) {
        for (Index j = 0; j < n; ++j)
            for (int i = 0; i < packs; ++i) put(j, i, Pack<T>::load_loose(in + j * pitch + i * Pack<T>::lanes));
        return;
    }
    for (Index j = 0; j < n; ++j) {
        alignas(row_bytes) T row[block_lines<T>] = {};
        for (int l = 0; l < lines; ++l) row[l] = in[j * pitch + l];
        for (int i = 0; i < packs; ++i) put(j, i, Pack<T>::load(row + i * Pack<T>::lanes));
    }
}

template <class T, class Get>
POISSON3D_INLINE void scatter_across(T* out, Index pitch, int lines, Index n, Get get) {
    if (lines == block_lines<T>) {
        for (Index j = 0; j < n; ++j)
            for (int i = 0; i < packs; ++i) get(j, i).store_loose(out + j * pitch + i * Pack<T>::lanes);
        return;
    }
    for (Index j = 0; j < n; ++j) {
        alignas(row_bytes) T row[block_lines<T>];
        for (int i = 0; i < packs; ++i) get(j, i).store(row + i * Pack<T>::lanes);
        for (int l = 0; l < lines; ++l) out[j * pitch + l] = row[l];
    }
}

/// Applies op(α_q, α_p, q, p) to every pair of rows, to a row that is its own partner with two copies.
template <class T, class Op>
POISSON3D_INLINE void for_each_pair(Pairing pairing, T* rows, Index count, const Complex<T>* alpha, Op op) {
    const auto pair = [&](Index q, Index p) {
        for (int i = 0; i < packs; ++i) {
            auto a = Pack<T>::load(at(rows, q, i));
            auto b = Pack<T>::load(at(rows, p, i));
            op(alpha[q], alpha[p], a, b);
            b.store(at(rows, p, i));
            a.store(at(rows, q, i));
        }
    };
    if (pairing == Pairing::mirror) {
        for (Index q = 0; 2 * q <= count; ++q) pair(q, partner(Pairing::mirror, q, count));
    } else {
        for (Index q = 0; q < count; q += 2) pair(q, partner(pairing, q, count));
    }
}

/// x_j − x_{n−j} to row j, x_j + x_{n−j} to row n − j; the middle row is doubled for the type III that follows.
template <class T>
POISSON3D_INLINE void fold_sine(T* rows, Index n) {
    for (Index j = 1; j < n - j; ++j)
        for (int i = 0; i < packs; ++i) {
            const auto a = Pack<T>::load(at(rows, j, i));
            const auto b = Pack<T>::load(at(rows, n - j, i));
            (a - b).store(at(rows, j, i));
            (a + b).store(at(rows, n - j, i));
        }
}

/// x_j + x_{n−j} to row j (twice the middle one), x_j − x_{n−j} to row n/2 + 1 + j. Two pairs at a time, since the
/// differences change places.
template <class T>
POISSON3D_INLINE void fold_cosine(T* rows, Index n) {
    const Index half = n / 2;
    for (Index j = 0; j <= half - 1 - j; ++j) {
        const Index k = half - 1 - j;
        for (int i = 0; i < packs; ++i) {
            const auto a = Pack<T>::load(at(rows, j, i));
            const auto b = Pack<T>::load(at(rows, n - j, i));
            const auto c = Pack<T>::load(at(rows, k, i));
            const auto d = Pack<T>::load(at(rows, n - k, i));
            (a + b).store(at(rows, j, i));
            (c + d).store(at(rows, k, i));
            (a - b).store(at(rows, n - k, i));
            (c - d).store(at(rows, n - j, i));
        }
    }
    for (int i = 0; i < packs; ++i) {
        const auto middle = Pack<T>::load(at(rows, half, i));
        (middle + middle).store(at(rows, half, i));
    }
}

template <class T>
POISSON3D_INLINE void extend(T* rows, const Extension& step) {
    const Index n = step.half;
    const T sign = step.sine ? T(-1) : T(1);
    for (Index j = 0; j <= n; ++j)
        for (int i = 0; i < packs; ++i) {
            const bool end = j == 0 || j == n;
            const auto value = step.sine && end ? Pack<T>{} : Pack<T>::load(at(rows, j, i));
            value.store(at(rows, step.row + j, i));
            if (!end) (sign * value).store(at(rows, step.row + 2 * n - j, i));
        }
}

/// Samples in x (in load order) to modes in y (in store order). x is used up.
template <class T>
POISSON3D_INLINE void transform(const LineView<T>& line, T* x, T* y) {
    for (Index f = 0; f < line.fold_count; ++f)
        line.folds[f].sine ? fold_sine(x, line.folds[f].length) : fold_cosine(x, line.folds[f].length);
    for (Index e = 0; e < line.extension_count; ++e) extend(x, line.extensions[e]);
    for (Index f = 0; f < line.fft_count; ++f) {
        const FftStep& step = line.ffts[f];
        T* const from = at(x, step.row, 0);
        T* const to = at(y, step.row, 0);
        if (step.split != Pairing::none)
            for_each_pair(step.split, from, step.rows, line.tables + step.split_table,
                          [](auto aq, auto ap, auto& q, auto& p) { split(aq, ap, q, p); });
        line.calls[f].execute(line.calls[f].plan, from, to);
        if (step.combine != Pairing::none)
            for_each_pair(step.combine, to, step.rows, line.tables + step.combine_table,
                          [](auto aq, auto ap, auto& q, auto& p) { combine(aq, ap, q, p); });
    }
}

}  // namespace poisson3d::POISSON3D_ISA
