// The inner loops at closed faces. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "face_kernels.hpp"

#include <algorithm>

#include "line_walk.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

template <class T>
inline constexpr int packs = block_lines<T> / Pack<T>::lanes;

template <class T>
POISSON3D_INLINE T sum_of_lanes(Pack<T> a) {
    T sum = T(0);
    for (int l = 0; l < Pack<T>::lanes; ++l) sum += a.v[l];
    return sum;
}

/// Sums along lines are taken of so many modes, and then of these: each addition rounds by what the sum has come
/// to.
inline constexpr Index summed_together = 32;

/// Which of the three axes are free.
template <class T, bool divides, bool along, bool across, bool slow>
void sum_rows(const FaceBlock<T>& given) {
    const FaceBlock<T> block = given;  // a copy that no store can change
    constexpr int w = Pack<T>::lanes;
    for (Index first = 0; first < block.modes; first += summed_together) {
        const Index end = std::min(first + summed_together, block.modes);
        Pack<T> some[2][packs<T>] = {};
        for (Index j = first; j < end; ++j) {
            const T* const row = block.rows + j * block_lines<T>;
            T* const kept = block.kept != nullptr ? block.kept + j * block.kept_pitch : nullptr;
            const T eigenvalue = divides ? block.along[j] : T(0);
            Pack<T>* const sums = along ? some[block.part_along[j]] : nullptr;
            const T number = along ? block.number_along[j] : T(0);
            T* const slow_face = slow ? block.face_slow + j * block.slow_pitch : nullptr;
            Pack<T> even{}, odd{};
            POISSON3D_UNROLL
            for (int p = 0; p < packs<T>; ++p) {
                Pack<T> u = Pack<T>::load(row + p * w);
                if (kept != nullptr) u.store_loose(kept + p * w);
                if constexpr (divides)
                    u = block.factor * u / (Pack<T>::load_loose(block.lines + p * w) + eigenvalue);
                if constexpr (along) sums[p] = sums[p] + number * u;
                if constexpr (across) {
                    even = even + Pack<T>::load_loose(block.numbers_across[0] + p * w) * u;
                    odd = odd + Pack<T>::load_loose(block.numbers_across[1] + p * w) * u;
                }
                if constexpr (slow)
                    (Pack<T>::load_loose(slow_face + p * w) + block.number_slow * u).store_loose(slow_face + p * w);
            }
            if constexpr (across) {
                block.face_across[0][j * block.across_pitch] += sum_of_lanes(even);
                block.face_across[1][j * block.across_pitch] += sum_of_lanes(odd);
            }
        }
        for (int part = 0; along && part < 2; ++part)
            for (int p = 0; block.face_along[part] != nullptr && p < packs<T>; ++p) {
                T* const face = block.face_along[part] + p * w;
                (Pack<T>::load_loose(face) + some[part][p]).store_loose(face);
            }
    }
}

template <class T, bool divides, bool along, bool across, bool slow>
void add_rows(const FaceBlock<T>& given) {
    const FaceBlock<T> block = given;  // a copy that no store can change
    constexpr int w = Pack<T>::lanes;
    for (Index j = 0; j < block.modes; ++j) {
        T* const row = block.rows + j * block_lines<T>;
        const T* const kept = block.kept != nullptr ? block.kept + j * block.kept_pitch : row;
        const T eigenvalue = divides ? block.along[j] : T(0);
        const T* const face = along ? block.face_along[block.part_along[j]] : nullptr;
        const T number = along ? block.number_along[j] : T(0);
        const T* const slow_face = slow ? block.face_slow + j * block.slow_pitch : nullptr;
        const T even = across ? block.face_across[0][j * block.across_pitch] : T(0);
        const T odd = across ? block.face_across[1][j * block.across_pitch] : T(0);
        POISSON3D_UNROLL
        for (int p = 0; p < packs<T>; ++p) {
            const Pack<T> from = Pack<T>::load_loose(kept + p * w);
            Pack<T> f = divides ? block.factor * from : Pack<T>{};
            if constexpr (along) f = f + number * Pack<T>::load_loose(face + p * w);
            if constexpr (across)
                f = f + even * Pack<T>::load_loose(block.numbers_across[0] + p * w) +
                    odd * Pack<T>::load_loose(block.numbers_across[1] + p * w);
            if constexpr (slow) f = f + block.number_slow * Pack<T>::load_loose(slow_face + p * w);
            if constexpr (divides)
                (f / (Pack<T>::load_loose(block.lines + p * w) + eigenvalue)).store(row + p * w);
            else
                (from + block.inverse * f).store(row + p * w);
        }
    }
}

/// body<divides, along, across, slow>(): at least one axis is free; one that is eliminated adds nothing here.
template <class T, class Body>
POISSON3D_INLINE void with_free_axes(const FaceBlock<T>& block, const Body& body) {
    const bool along = block.number_along != nullptr;
    const bool across = block.numbers_across[0] != nullptr;
    const bool slow = block.face_slow != nullptr;
    if (!block.divides) {
        if (across && slow) return body.template operator()<false, false, true, true>();
        if (across) return body.template operator()<false, false, true, false>();
        return body.template operator()<false, false, false, true>();
    }
    if (along && across && slow) return body.template operator()<true, true, true, true>();
    if (along && across) return body.template operator()<true, true, true, false>();
    if (along && slow) return body.template operator()<true, true, false, true>();
    if (along) return body.template operator()<true, true, false, false>();
    if (across && slow) return body.template operator()<true, false, true, true>();
    if (across) return body.template operator()<true, false, true, false>();
    return body.template operator()<true, false, false, true>();
}

template <class T>
void sum(const FaceBlock<T>& block) {
    with_free_axes(block, [&]<bool divides, bool along, bool across, bool slow>() {
        sum_rows<T, divides, along, across, slow>(block);
    });
}

template <class T>
void add(const FaceBlock<T>& block) {
    with_free_axes(block, [&]<bool divides, bool along, bool across, bool slow>() {
        add_rows<T, divides, along, across, slow>(block);
    });
}

/// Rows of a matrix that are multiplied at once: two packs of each are sums in registers.
inline constexpr int panel_rows = pack_bytes == 64 ? 12 : 6;

template <class T>
void multiply(const T* panels, Index rows, Index inner, const T* in, const T* times, Index pitch, T* out) {
    constexpr int w = Pack<T>::lanes;
    for (Index row = 0; row < rows; row += panel_rows, panels += panel_rows * inner)
        for (int p = 0; p < packs<T>; p += 2) {
            Pack<T> first[panel_rows] = {}, second[panel_rows] = {};
            const T* panel = panels;
            for (Index k = 0; k < inner; ++k, panel += panel_rows) {
                const Pack<T> a = Pack<T>::load(in + k * block_lines<T> + p * w);
                const Pack<T> b = Pack<T>::load(in + k * block_lines<T> + (p + 1) * w);
                POISSON3D_UNROLL
                for (int r = 0; r < panel_rows; ++r) {
                    first[r] = first[r] + panel[r] * a;
                    second[r] = second[r] + panel[r] * b;
                }
            }
            if (times != nullptr)
                for (int r = 0; r < panel_rows && row + r < rows; ++r) {
                    const T* const numbers = times + (row + r) * pitch + p * w;
                    first[r] = first[r] * Pack<T>::load_loose(numbers);
                    second[r] = second[r] * Pack<T>::load_loose(numbers + w);
                }
            POISSON3D_UNROLL
            for (int r = 0; r < panel_rows; ++r) {
                first[r].store(out + (row + r) * block_lines<T> + p * w);
                second[r].store(out + (row + r) * block_lines<T> + (p + 1) * w);
            }
        }
}

template <class T>
constexpr host::FaceKernels<T> kernels_here{block_lines<T>, panel_rows, &sum<T>, &add<T>, &multiply<T>};

}  // namespace

extern const host::FaceInstructions face_instructions;
const host::FaceInstructions face_instructions{kernels_here<float>, kernels_here<double>};

}  // namespace poisson3d::POISSON3D_ISA
