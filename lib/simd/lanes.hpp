// Lines to rows and back: V lines of samples, each contiguous, become rows of V samples, one per line.
//
// Rows are moved in packs as wide as the vector registers of the instruction set this file is compiled for; squares
// of pack width are transposed in registers by log2(width) rounds of two-register shuffles (Eklundh, IEEE Trans.
// Computers C-21, 1972).
//
// Compiled several times, once per instruction set, each time in a namespace of its own (POISSON3D_ISA), so that
// the linker never takes one set's code for another's. For the same reason nothing here uses the standard library.
#pragma once

#include <cstdint>

#ifndef POISSON3D_ISA
#error "POISSON3D_ISA must name the instruction set"
#endif

namespace poisson3d::POISSON3D_ISA {

#if defined(__AVX512F__)
inline constexpr int pack_bytes = 64;
#elif defined(__AVX__)
inline constexpr int pack_bytes = 32;
#else
inline constexpr int pack_bytes = 16;
#endif

#define POISSON3D_INLINE inline __attribute__((always_inline))

template <int Bytes>
struct MaskType;
template <>
struct MaskType<4> {
    typedef std::int32_t Lane;
};
template <>
struct MaskType<8> {
    typedef std::int64_t Lane;
};

/// A SIMD register of T; lanes 2p and 2p + 1 are the complex number of line pair p.
template <class T>
struct Pack {
    static constexpr int lanes = pack_bytes / static_cast<int>(sizeof(T));
    typedef T Vector __attribute__((vector_size(pack_bytes)));
    typedef typename MaskType<sizeof(T)>::Lane Mask __attribute__((vector_size(pack_bytes)));
    // What unaligned memory is read through.
    typedef T Loose __attribute__((vector_size(pack_bytes), aligned(sizeof(T)), may_alias));
    typedef T Aligned __attribute__((vector_size(pack_bytes), may_alias));

    Vector v;

    static POISSON3D_INLINE Pack load(const T* p) { return {*reinterpret_cast<const Aligned*>(p)}; }
    static POISSON3D_INLINE Pack load_loose(const T* p) { return {*reinterpret_cast<const Loose*>(p)}; }
    POISSON3D_INLINE void store(T* p) const { *reinterpret_cast<Aligned*>(p) = v; }
    POISSON3D_INLINE void store_loose(T* p) const { *reinterpret_cast<Loose*>(p) = v; }

    friend POISSON3D_INLINE Pack operator+(Pack a, Pack b) { return {a.v + b.v}; }
    friend POISSON3D_INLINE Pack operator-(Pack a, Pack b) { return {a.v - b.v}; }
    friend POISSON3D_INLINE Pack operator-(Pack a) { return {-a.v}; }
    friend POISSON3D_INLINE Pack operator*(Pack a, Pack b) { return {a.v * b.v}; }
    friend POISSON3D_INLINE Pack operator/(Pack a, Pack b) { return {a.v / b.v}; }
    friend POISSON3D_INLINE Pack operator*(T s, Pack a) { return {s * a.v}; }
    friend POISSON3D_INLINE Pack operator/(T s, Pack a) { return {s / a.v}; }
    friend POISSON3D_INLINE Pack operator*(Pack a, T s) { return {a.v * s}; }
    friend POISSON3D_INLINE Pack operator+(Pack a, T s) { return {a.v + s}; }
    friend POISSON3D_INLINE Pack square_root(Pack a) {
        for (int l = 0; l < lanes; ++l)
            a.v[l] = sizeof(T) == 4 ? T(__builtin_sqrtf(float(a.v[l]))) : T(__builtin_sqrt(double(a.v[l])));
        return a;
    }
    friend POISSON3D_INLINE Pack times_i(Pack a) {
        Mask swap;
        Vector sign;
        for (int l = 0; l < lanes; ++l) {
            swap[l] = l ^ 1;
            sign[l] = l % 2 == 0 ? T(-1) : T(1);
        }
        return {__builtin_shuffle(a.v, swap) * sign};
    }
};

/// One round of the in-register transpose: exchanges the off-diagonal H × H squares of each 2H × 2H square. An
/// element is a group of lanes, one unless said otherwise.
template <class T, int H, int Group = 1>
POISSON3D_INLINE void exchange(Pack<T>* r) {
    constexpr int n = Pack<T>::lanes;
    constexpr int half = H * Group;
    typename Pack<T>::Mask low;
    typename Pack<T>::Mask high;
    for (int l = 0; l < n; ++l) {
        low[l] = (l & half) ? n + l - half : l;
        high[l] = (l & half) ? n + l : l + half;
    }
    for (int i = 0; i < n / Group; ++i) {
        if (i & H) continue;
        const auto a = r[i].v;
        const auto b = r[i + H].v;
        r[i].v = __builtin_shuffle(a, b, low);
        r[i + H].v = __builtin_shuffle(a, b, high);
    }
}

template <class T, int H = 1, int Group = 1>
POISSON3D_INLINE void transpose_square(Pack<T>* r) {
    if constexpr (H * Group < Pack<T>::lanes) {
        exchange<T, H, Group>(r);
        transpose_square<T, 2 * H, Group>(r);
    }
}

/// Reads samples 0 … n−1 of `lines` ≤ V lines (line l at in + l·pitch) and calls put(j, pack index, pack) for each
/// sample j and each pack of its row; lanes of absent lines are 0. A row has `packs` packs.
template <class T, int packs, class Put>
POISSON3D_INLINE void gather_lines(const T* in, std::int64_t pitch, int lines, std::int64_t n, Put put) {
    constexpr int w = Pack<T>::lanes;
    for (int p = 0; p < packs; ++p) {
        const T* group = in + p * w * pitch;
        const int here = lines - p * w < 0 ? 0 : lines - p * w > w ? w : lines - p * w;
        std::int64_t j = 0;
        if (here == w)
            for (; j + w <= n; j += w) {
                Pack<T> square[w];
                for (int l = 0; l < w; ++l) square[l] = Pack<T>::load_loose(group + l * pitch + j);
                // As many lines further on: what the next block reads.
                for (int l = 0; l < w; ++l) __builtin_prefetch(group + (packs * w + l) * pitch + j, 0, 2);
                transpose_square<T>(square);
                for (int i = 0; i < w; ++i) put(j + i, p, square[i]);
            }
        for (; j < n; ++j) {
            Pack<T> row{};
            for (int l = 0; l < here; ++l) row.v[l] = group[l * pitch + j];
            put(j, p, row);
        }
    }
}

/// The reverse: get(j, pack index) gives the pack of sample j; lines of contiguous samples are written.
template <class T, int packs, class Get>
POISSON3D_INLINE void scatter_lines(T* out, std::int64_t pitch, int lines, std::int64_t n, Get get) {
    constexpr int w = Pack<T>::lanes;
    for (int p = 0; p < packs; ++p) {
        T* group = out + p * w * pitch;
        const int here = lines - p * w < 0 ? 0 : lines - p * w > w ? w : lines - p * w;
        std::int64_t j = 0;
        if (here == w)
            for (; j + w <= n; j += w) {
                Pack<T> square[w];
                for (int i = 0; i < w; ++i) square[i] = get(j + i, p);
                transpose_square<T>(square);
                for (int l = 0; l < w; ++l) square[l].store_loose(group + l * pitch + j);
            }
        for (; j < n; ++j) {
            const Pack<T> row = get(j, p);
            for (int l = 0; l < here; ++l) group[l * pitch + j] = row.v[l];
        }
    }
}

}  // namespace poisson3d::POISSON3D_ISA
