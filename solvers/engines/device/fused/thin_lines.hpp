// Lines along z of a few elements, multiplied with the matrix of their modes in registers: rows of the field on one
// side; on the other each mode is a row of all lines along y, so that both are read and written as they follow each
// other.
//
//     forward     field, (x, y, z)  →  modes, (x, z, y)        y_m = Σ_k F_mk (f_k scaled, with boundary data)
//     backward    modes  →  field                              u_k = Σ_m B_km y_m
//
// A block takes `thin_threads` lines, a thread each; rows go through shared memory. Host and device share this
// file.
#pragma once

#include <algorithm>

#include "boundary_terms.hpp"
#include "memory_access.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

inline constexpr int most_thin = 16;  ///< elements of a line
inline constexpr int thin_threads = 128;

template <class T>
struct ThinTask {
    const T* in = nullptr;
    T* out = nullptr;
    int n = 1;
    Index slow = 0, lines = 0, fields = 1;
    Index row_slow = 0, row_line = 0, row_field = 0;       ///< of the field
    Index mode_slow = 0, mode_sample = 0, mode_field = 0;  ///< of the modes
    T scale = 1;
    const T* subtract = nullptr;  ///< forward, two numbers taken from f before it is scaled; backward, one from u
    Index subtract_field = 0;
    BoundaryTerms<T> boundary;
    T matrix[most_thin * most_thin] = {};  ///< rows of thin_size(n) numbers, zeros behind n of them
};

/// Kernels have lines of 4, 8 and 16 elements.
constexpr POISSON3D_HD int thin_size(int n) {
    return n <= 4 ? 4 : n <= 8 ? 8 : most_thin;
}
/// Numbers of a line in shared memory: odd, so that threads meet all banks.
constexpr POISSON3D_HD int thin_pitch(int n) {
    return n | 1;
}

/// The lines of a block, from `first` on.
struct ThinBlock {
    Index field, slow, first;
    int count;
};
template <class T>
POISSON3D_HD ThinBlock thin_block(const ThinTask<T>& task, Index field, Index slow, Index chunk) {
    const Index first = chunk * thin_threads, left = task.lines - first;
    return {field, slow, first, static_cast<int>(left < thin_threads ? left : thin_threads)};
}

/// body(line of the block, element) for what thread `t` moves of the rows: neighbours by neighbouring threads.
template <int size, class T, class Body>
POISSON3D_HD void for_each_thin(const ThinTask<T>& task, const ThinBlock& block, int t, const Body& body) {
    const int magic = ((1 << 16) + task.n - 1) / task.n;  // e / n for e < 2048
    POISSON3D_UNROLL
    for (int i = 0; i < size; ++i) {
        const int e = i * thin_threads + t;
        const int line = (e * magic) >> 16;
        if (line < block.count && i < task.n) body(line, e - line * task.n);
    }
}

/// Rows to `shared`, by thread t.
template <int size, class T>
POISSON3D_HD void load_thin(const ThinTask<T>& task, const ThinBlock& block, int t, T* shared) {
    const T* const rows =
        task.in + block.field * task.row_field + block.slow * task.row_slow + block.first * task.row_line;
    T high = 0, low = 0;
    if (task.subtract != nullptr) {
        high = task.subtract[block.field * task.subtract_field];
        low = task.subtract[block.field * task.subtract_field + 1];
    }
    const int pitch = thin_pitch(task.n);
    for_each_thin<size>(task, block, t, [&](int line, int k) {
        const T f = lines::load_field(rows + line * task.row_line + k);
        shared[line * pitch + k] = ((f - high) - low) * task.scale;
    });
    if (!task.boundary.any) return;
    const auto& terms = task.boundary;
    const int end = block.count * task.n;
    POISSON3D_ROLLED
    for (int e = t; e < end; e += thin_threads) {  // the same elements
        const int line = e / task.n, k = e % task.n;
        shared[line * pitch + k] += terms(terms.first[0] + block.slow, terms.first[1] + block.first + line,
                                          terms.first[2] + k, block.field);
    }
}

/// result[m] = Σ_k matrix_mk x[k]
template <int size, class T>
POISSON3D_HD T thin_product(const ThinTask<T>& task, int m, const T (&x)[size]) {
    T sum = 0;
    POISSON3D_UNROLL
    for (int k = 0; k < size; ++k) sum += task.matrix[m * size + k] * x[k];
    return sum;
}

/// Line t from `shared` to its modes.
template <int size, class T>
POISSON3D_HD void thin_forward(const ThinTask<T>& task, const ThinBlock& block, int t, const T* shared) {
    if (t >= block.count) return;
    T x[size];
    POISSON3D_UNROLL
    for (int k = 0; k < size; ++k) x[k] = k < task.n ? shared[t * thin_pitch(task.n) + k] : T(0);
    T* const out = task.out + block.field * task.mode_field + block.slow * task.mode_slow + block.first + t;
    POISSON3D_UNROLL
    for (int m = 0; m < size; ++m)
        if (m < task.n) out[m * task.mode_sample] = thin_product<size>(task, m, x);
}

/// Line t from its modes to `shared`.
template <int size, class T>
POISSON3D_HD void thin_backward(const ThinTask<T>& task, const ThinBlock& block, int t, T* shared) {
    if (t >= block.count) return;
    const T* const in = task.in + block.field * task.mode_field + block.slow * task.mode_slow + block.first + t;
    T x[size];
    POISSON3D_UNROLL
    for (int m = 0; m < size; ++m) x[m] = m < task.n ? lines::load_field(in + m * task.mode_sample) : T(0);
    const T less = task.subtract == nullptr ? T(0) : task.subtract[block.field * task.subtract_field];
    POISSON3D_UNROLL
    for (int k = 0; k < size; ++k)
        if (k < task.n) shared[t * thin_pitch(task.n) + k] = thin_product<size>(task, k, x) - less;
}

/// Rows from `shared`, by thread t.
template <int size, class T>
POISSON3D_HD void store_thin(const ThinTask<T>& task, const ThinBlock& block, int t, const T* shared) {
    T* const rows =
        task.out + block.field * task.row_field + block.slow * task.row_slow + block.first * task.row_line;
    const int pitch = thin_pitch(task.n);
    for_each_thin<size>(task, block, t,
                        [&](int line, int k) { rows[line * task.row_line + k] = shared[line * pitch + k]; });
}

/// Calls body.template operator()<size>().
template <class Body>
void with_thin_size(int n, const Body& body) {
    switch (thin_size(n)) {
        case 4: return body.template operator()<4>();
        case 8: return body.template operator()<8>();
        default: return body.template operator()<most_thin>();
    }
}

/// Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_thin_lines(bool forward, const ThinTask<T>& task, Stream stream);

}  // namespace poisson3d::fused
