// What the host's inner loops compute with. Included by those that are compiled once per instruction set
// (POISSON3D_ISA names the namespace).
//
// An element is two packs of SIMD lanes, the real and the imaginary parts of as many complex lines: complex
// arithmetic needs no shuffles. The real parts are samples of V/2 lines, the imaginary parts those of the V/2 lines
// after them, so a row of V lines that are neighbours in memory is one element.
#pragma once

#include "kernels.hpp"
#include "simd/lanes.hpp"

namespace poisson3d {

template <class T>
struct ScalarOf<POISSON3D_ISA::Pack<T>> {
    using Type = T;
};

}  // namespace poisson3d

namespace poisson3d::POISSON3D_ISA {

using namespace poisson3d::host;

template <class T>
using Element = Complex<Pack<T>>;

/// V: lines of a block.
template <class T>
inline constexpr int block_lines = 2 * Pack<T>::lanes;

/// Lines line … of `lines`: how many of a block there are.
template <class T>
POISSON3D_INLINE int lines_here(Index lines, Index line) {
    return lines - line < block_lines<T> ? static_cast<int>(lines - line) : block_lines<T>;
}

/// Rows of V numbers each, one a sample or a mode, `pitch` apart.
template <class T>
struct RowsIn {
    const T* base;
    Index pitch;

    POISSON3D_INLINE Element<T> read(Index index) const {
        const T* const row = base + index * pitch;
        // The same row of the next block: rows far apart are nothing that processors foresee.
        __builtin_prefetch(row + block_lines<T>, 0, 2);
        __builtin_prefetch(row + block_lines<T> + Pack<T>::lanes, 0, 2);
        return {Pack<T>::load_loose(row), Pack<T>::load_loose(row + Pack<T>::lanes)};
    }
};
template <class T>
struct RowsOut {
    T* base;
    Index pitch;

    POISSON3D_INLINE void write(Index index, Element<T> z) const {
        T* const row = base + index * pitch;
        z.re.store_loose(row);
        z.im.store_loose(row + Pack<T>::lanes);
    }
};

/// Rows in scratch memory, one after the other.
template <class T>
POISSON3D_INLINE RowsIn<T> rows_of(const Element<T>* rows) {
    return {reinterpret_cast<const T*>(rows), block_lines<T>};
}
template <class T>
POISSON3D_INLINE RowsOut<T> rows_of(Element<T>* rows) {
    return {reinterpret_cast<T*>(rows), block_lines<T>};
}

/// `n` samples of up to V lines to rows; lanes of absent lines are 0: they share numbers with lanes that are there.
/// Best where samples of a line are neighbours (distance 1).
template <class T, class Touch>
POISSON3D_INLINE void gather(const T* in, Index line, Index sample, int lines, Index n, Element<T>* rows,
                             const Touch& touch) {
    T* const out = reinterpret_cast<T*>(rows);
    const auto put = [&](Index j, int p, Pack<T> pack) {
        touch(pack, p).store(out + j * block_lines<T> + p * Pack<T>::lanes);
    };
    if (sample == 1) {
        gather_lines<T, 2>(in, line, lines, n, put);
        return;
    }
    for (Index j = 0; j < n; ++j) {
        T row[block_lines<T>] = {};
        for (int l = 0; l < lines; ++l) row[l] = in[j * sample + l * line];
        for (int p = 0; p < 2; ++p) put(j, p, Pack<T>::load_loose(row + p * Pack<T>::lanes));
    }
}

/// The reverse.
template <class T, class Touch>
POISSON3D_INLINE void scatter(const Element<T>* rows, T* out, Index line, Index sample, int lines, Index n,
                              const Touch& touch) {
    const T* const in = reinterpret_cast<const T*>(rows);
    if (sample == 1) {
        scatter_lines<T, 2>(out, line, lines, n, [&](Index j, int p) {
            return touch(Pack<T>::load(in + j * block_lines<T> + p * Pack<T>::lanes));
        });
        return;
    }
    for (Index j = 0; j < n; ++j)
        for (int l = 0; l < lines; ++l) out[j * sample + l * line] = in[j * block_lines<T> + l];
}

}  // namespace poisson3d::POISSON3D_ISA
