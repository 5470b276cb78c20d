// Modes within a few vectors: of symmetric m × m matrices M and N, N positive,
//
//     Cᵀ N C = 1      Cᵀ M C = diag δ      δ ascending
//
// by N = L Lᵀ, rotations of L⁻¹ M L⁻ᵀ (Jacobi), and at last C + C (1 − Cᵀ N C)/2 with twice the precision, so that
// combinations are orthonormal as far as N is known. V as in ladder.hpp.
#pragma once

#include "ladder.hpp"

namespace poisson3d::lines {

/// By rows, row i at i·size.
template <class V>
struct SmallModes {
    int size;
    Doubled<V>*mass, *mixture;  ///< N, of which the lower half is read; C
    V *rest, *values;           ///< M, of which the lower half is read; δ
    V* share;                   ///< N⁻¹ M
    V *lower, *turned, *basis;  ///< L, with 1/L_ii in the diagonal; what becomes δ; what becomes C

    static constexpr int numbers(int size) { return 9 * size * size + size; }
    static POISSON3D_HD SmallModes in(V* memory, int size) {
        const int square = size * size;
        Doubled<V>* const doubled = reinterpret_cast<Doubled<V>*>(memory);
        V* const rest = memory + 4 * square;
        return {size,
                doubled,
                doubled + square,
                rest,
                rest + 5 * square,
                rest + square,
                rest + 2 * square,
                rest + 3 * square,
                rest + 4 * square};
    }
    [[nodiscard]] POISSON3D_HD long at(int i, int j) const { return static_cast<long>(i) * size + j; }
};

/// x := L⁻¹ x for x_i at x[i·stride].
template <class V>
POISSON3D_HD void solve_lower(const SmallModes<V>& m, V* x, int stride) {
    for (int i = 0; i < m.size; ++i) {
        V sum = x[i * stride];
        for (int j = 0; j < i; ++j) sum = sum - m.lower[m.at(i, j)] * x[j * stride];
        x[i * stride] = sum * m.lower[m.at(i, i)];
    }
}
template <class V>
POISSON3D_HD void solve_upper(const SmallModes<V>& m, V* x, int stride) {
    for (int i = m.size - 1; i >= 0; --i) {
        V sum = x[i * stride];
        for (int j = i + 1; j < m.size; ++j) sum = sum - m.lower[m.at(j, i)] * x[j * stride];
        x[i * stride] = sum * m.lower[m.at(i, i)];
    }
}

/// L of N, and N⁻¹ M.
template <class V>
POISSON3D_HD void factor(const SmallModes<V>& m) {
    const int size = m.size;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j) {
            V sum = m.mass[m.at(i, j)].high;
            for (int k = 0; k < j; ++k) sum = sum - m.lower[m.at(i, k)] * m.lower[m.at(j, k)];
            m.lower[m.at(i, j)] = j < i ? sum * m.lower[m.at(j, j)] : all<V>(1.0) / root_of(sum);
        }
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            const V value = m.rest[i > j ? m.at(i, j) : m.at(j, i)];
            m.turned[m.at(i, j)] = value;
            m.share[m.at(i, j)] = value;
        }
    for (int j = 0; j < size; ++j) {
        solve_lower(m, m.share + j, size);
        solve_upper(m, m.share + j, size);
    }
}

/// The mean of all δ, after factor().
template <class V>
POISSON3D_HD V mean_value(const SmallModes<V>& m) {
    V sum = all<V>(0.0);
    for (int i = 0; i < m.size; ++i) sum = sum + m.share[m.at(i, i)];
    return sum * (1.0 / m.size);
}

/// One turn in the plane of i and j, after which their element is 0.
template <class V>
POISSON3D_HD void turn(const SmallModes<V>& m, int i, int j) {
    V* const a = m.turned;
    const V none = all<V>(0.0), one = all<V>(1.0);
    const V off = a[m.at(i, j)], half = 0.5 * (a[m.at(j, j)] - a[m.at(i, i)]);
    const V root = root_of(half * half + off * off) + magnitude(half);
    const V tangent = chosen(less(half, none), -off, off) / (root + all<V>(0x1p-1000));
    const V cosine = one / root_of(one + tangent * tangent), sine = tangent * cosine;
    for (int k = 0; k < m.size; ++k) {
        const V x = a[m.at(k, i)], y = a[m.at(k, j)];
        a[m.at(k, i)] = cosine * x - sine * y;
        a[m.at(k, j)] = sine * x + cosine * y;
        const V p = m.basis[m.at(k, i)], q = m.basis[m.at(k, j)];
        m.basis[m.at(k, i)] = cosine * p - sine * q;
        m.basis[m.at(k, j)] = sine * p + cosine * q;
    }
    for (int k = 0; k < m.size; ++k) {
        const V x = a[m.at(i, k)], y = a[m.at(j, k)];
        a[m.at(i, k)] = cosine * x - sine * y;
        a[m.at(j, k)] = sine * x + cosine * y;
    }
}

template <class V>
POISSON3D_HD void sort(const SmallModes<V>& m) {
    for (int end = m.size - 1; end > 0; --end)
        for (int i = 0; i < end; ++i) {
            const auto wrong = less(m.values[i + 1], m.values[i]);
            const V value = m.values[i];
            m.values[i] = chosen(wrong, m.values[i + 1], value);
            m.values[i + 1] = chosen(wrong, value, m.values[i + 1]);
            for (int k = 0; k < m.size; ++k) {
                const V first = m.basis[m.at(k, i)], second = m.basis[m.at(k, i + 1)];
                m.basis[m.at(k, i)] = chosen(wrong, second, first);
                m.basis[m.at(k, i + 1)] = chosen(wrong, first, second);
            }
        }
}

/// C from what is nearly C.
template <class V>
POISSON3D_HD void make_orthonormal(const SmallModes<V>& m) {
    const int size = m.size;
    // The second parts of C, in `turned`, whose numbers are no longer needed.
    for (int i = 0; i < size * size; ++i) m.turned[i] = all<V>(0.0);
    for (int j = 0; j < size; ++j) {
        for (int k = 0; k < size; ++k) {  // N C, where C will be
            Doubled<V> row(all<V>(0.0));
            for (int l = 0; l < size; ++l)
                row = row + m.mass[l > k ? m.at(l, k) : m.at(k, l)] * m.basis[m.at(l, j)];
            m.mixture[m.at(k, j)] = row;
        }
        for (int i = 0; i < size; ++i) {
            Doubled<V> missing(all<V>(i == j ? 1.0 : 0.0));
            for (int k = 0; k < size; ++k) missing = missing - m.mixture[m.at(k, j)] * m.basis[m.at(k, i)];
            for (int k = 0; k < size; ++k)
                m.turned[m.at(k, j)] = m.turned[m.at(k, j)] + 0.5 * (m.basis[m.at(k, i)] * missing.high);
        }
    }
    for (int i = 0; i < size * size; ++i) m.mixture[i] = Doubled<V>::sum_of(m.basis[i], m.turned[i]);
}

/// δ and C, after factor().
template <class V>
POISSON3D_HD void find_modes(const SmallModes<V>& m) {
    constexpr int most_sweeps = 12;
    const int size = m.size;
    for (int j = 0; j < size; ++j) solve_lower(m, m.turned + j, size);
    for (int i = 0; i < size; ++i) solve_lower(m, m.turned + m.at(i, 0), 1);
    for (int i = 0; i < size * size; ++i) m.basis[i] = all<V>(i % (size + 1) == 0 ? 1.0 : 0.0);
    for (int sweep = 0; sweep < (size > 2 ? most_sweeps : size - 1); ++sweep)
        for (int j = 1; j < size; ++j)
            for (int i = 0; i < j; ++i) turn(m, i, j);
    for (int i = 0; i < size; ++i) m.values[i] = m.turned[m.at(i, i)];
    for (int j = 0; j < size; ++j) solve_upper(m, m.basis + j, size);
    sort(m);
    make_orthonormal(m);
}

}  // namespace poisson3d::lines
