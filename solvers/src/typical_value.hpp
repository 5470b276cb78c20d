// What most of a field is near: the median of nine of its values, spread over it; 0 if they are not near each
// other.
//
// A singular problem loses the constant of its right-hand side anyway. Taken from f before the transforms, a large
// one costs no digits of the rest (1000 added to random numbers cost three to five). A median, and the middle five
// of the nine must agree, since neither a few outliers, say point charges, nor one value of a wave may be
// subtracted from everything else: that would bring in the constant it is to keep out. Host and device code share
// this file.
#pragma once

#include "poisson3d/field.hpp"
#include "transform.hpp"

namespace poisson3d {

template <class T>
POISSON3D_HD T typical_value(const T* f, const Strides& strides, const Extents& extents) {
    constexpr int count = 9;
    T sample[count] = {};
    for (int i = 0; i < count; ++i) {
        Index offset = 0;
        for (int a = 0; a < 3; ++a)  // other parts of every axis, so that no plane has more than one
            offset += extents[a] * (2 * (i * (a + 2) % count) + 1) / (2 * count) * strides[a];
        sample[i] = f[offset];
        for (int j = i; j > 0 && sample[j] < sample[j - 1]; --j) {
            const T greater = sample[j - 1];
            sample[j - 1] = sample[j];
            sample[j] = greater;
        }
    }
    const T middle = sample[count / 2];
    const T spread = sample[6] - sample[2];
    const T size = middle < T(0) ? -middle : middle;
    return size > 8 * spread ? middle : T(0);
}

}  // namespace poisson3d
