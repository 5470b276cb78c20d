// Samples of an element's lines to rows and back, where lines are not rows of a field. Included by kernels.cpp,
// which is compiled once per instruction set (POISSON3D_ISA names the namespace).
#pragma once

#include "line_elements.hpp"

namespace poisson3d::POISSON3D_ISA {

/// `n` samples of up to V lines to rows; lanes of absent lines are 0: they share numbers with lanes that are there.
/// Best where samples of a line are neighbours (distance 1).
template <class T, class Touch>
POISSON3D_INLINE void gather(const T* in, Index line, Index sample, int lines, Index n, Element<T>* rows,
                             const Touch& touch) {
    T* const out = reinterpret_cast<T*>(rows);
    const auto put = [&](Index j, int p, Pack<T> pack) {
        touch(pack, p).store(out + j * element_lines<T> + p * Pack<T>::lanes);
    };
    if (sample == 1) {
        gather_lines<T, 2>(in, line, lines, n, put);
        return;
    }
    for (Index j = 0; j < n; ++j) {
        T row[element_lines<T>] = {};
        const bool whole = line == 1 && lines == element_lines<T>;
        for (int l = 0; !whole && l < lines; ++l) row[l] = in[j * sample + l * line];
        const T* const from = whole ? in + j * sample : row;
        for (int p = 0; p < 2; ++p) put(j, p, Pack<T>::load_loose(from + p * Pack<T>::lanes));
    }
}

/// The reverse. `fetch`: see scatter_lines().
template <class T, class Touch>
POISSON3D_INLINE void scatter(const Element<T>* rows, T* out, Index line, Index sample, int lines, Index n,
                              bool fetch, const Touch& touch) {
    const T* const in = reinterpret_cast<const T*>(rows);
    if (sample == 1) {
        scatter_lines<T, 2>(out, line, lines, n, fetch, [&](Index j, int p) {
            return touch(Pack<T>::load(in + j * element_lines<T> + p * Pack<T>::lanes));
        });
        return;
    }
    for (Index j = 0; j < n; ++j) {
        T row[element_lines<T>];
        for (int p = 0; p < 2; ++p)
            touch(Pack<T>::load(in + j * element_lines<T> + p * Pack<T>::lanes))
                .store_loose(row + p * Pack<T>::lanes);
        for (int l = 0; l < lines; ++l) out[j * sample + l * line] = row[l];
    }
}

}  // namespace poisson3d::POISSON3D_ISA
