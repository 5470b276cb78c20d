// Samples of type IV lines, written along rows two by two.
//
// Of a line of even n, butterfly c of the first of its FFTs, whose positions are p = c + qm, m < r, holds every
// second sample, 2p, and butterfly c of the second FFT, which holds samples n − 1 − 2p, is its pair (with sines the
// two change places). So neighbours in the field belong to pairs c and q − 1 − c: to a[m] of the one and b[r − 1 −
// m] of the other. These two pairs are given to neighbouring threads, which exchange their b's by shuffles: then
// each has r times two neighbours, and the field sees accesses of two samples, side by side across a warp. (Samples
// are read one by one all the same, which is faster: docs/notes.md.)
//
// Host and device share this file; the one thread of the host does both pairs.
#pragma once

#include "pass.hpp"

namespace poisson3d::device {

template <class Form>
inline constexpr bool exchanges = Form::kind == Kind::type4&& Form::side == Side::samples;

/// The sample of a[m].
template <int r, class Entry>
POISSON3D_HD int sample_of_a(const Entry& entry, int m) {
    return m < (r + 1) / 2 ? entry.first() : entry.second();
}

/// The neighbours of sample `index` and of itself, in their order, from two that stand for itself and the other.
template <class T>
POISSON3D_HD void in_order(int index, Complex<T>& itself, Complex<T>& other) {
    const bool later = index % 2 != 0;
    const Complex<T> first = later ? other : itself;
    other = later ? itself : other;
    itself = first;
}

#ifdef __CUDA_ARCH__
/// What the other one of threads 2i and 2i + 1 has.
template <class T>
__device__ __forceinline__ T of_other_thread(T x) {
    return __shfl_xor_sync(3U << (BlockThreads::index() & 30), x, 1, 2);
}
template <int r, class T>
__device__ __forceinline__ void exchange(Complex<T> (&b)[r]) {
    const auto other = [](Complex<T> z) { return Complex<T>{of_other_thread(z.re), of_other_thread(z.im)}; };
    POISSON3D_UNROLL
    for (int m = 0; m < (r + 1) / 2; ++m) {
        const Complex<T> low = other(b[m]);
        const Complex<T> high = other(b[r - 1 - m]);
        b[m] = high;
        b[r - 1 - m] = low;
    }
}
#endif

/// Items 2i and 2i + 1 are butterfly pairs i and count − 1 − i. For the one of `item`, an even number of them
/// (even_items()): begin(pair, a, b), before(entry, pair, a, b), the exchange, after(entry, pair, a, b).
template <class T, int r, Words words, class F, class Items, class Begin, class Before, class After>
POISSON3D_HD void with_exchange(const PairMap<T, F>& map, const Items& items, int item, const Begin& begin,
                                const Before& before, const After& after) {
#ifdef __CUDA_ARCH__
    const int pair = item % 2 == 0 ? item / 2 : items.count - 1 - item / 2;
    Complex<T> a[r], b[r];
    begin(pair, a, b);
    with_entries<r, words>(map, items, pair, [&](const auto& entry) {
        before(entry, pair, a, b);
        exchange(b);
        after(entry, pair, a, b);
    });
#else
    if (item % 2 != 0) return;
    const int pairs[2] = {item / 2, items.count - 1 - item / 2};
    Complex<T> a[2][r], b[2][r];
    for (int i = 0; i < 2; ++i) {
        begin(pairs[i], a[i], b[i]);
        with_entries<r, words>(map, items, pairs[i],
                               [&](const auto& entry) { before(entry, pairs[i], a[i], b[i]); });
    }
    for (int m = 0; m < r; ++m) {
        const Complex<T> first = b[0][m];
        b[0][m] = b[1][r - 1 - m];
        b[1][r - 1 - m] = first;
    }
    for (int i = 0; i < 2; ++i)
        with_entries<r, words>(map, items, pairs[i],
                               [&](const auto& entry) { after(entry, pairs[i], a[i], b[i]); });
#endif
}

}  // namespace poisson3d::device
