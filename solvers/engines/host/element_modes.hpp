// The modes of an element's lines over their eigenvalues: the last outer step there, the division, the first outer
// step back. Included by kernels.cpp, which is compiled once per instruction
// set (POISSON3D_ISA names the namespace).
#pragma once

#include "line_walk.hpp"

namespace poisson3d::POISSON3D_ISA {

/// What the modes of an element are divided by (or multiplied with).
template <class T>
struct BlockModes {
    Pack<T> re, im;  ///< eigenvalue sums of the two other axes, of each line
    T factor;        ///< normalisation and the caller's scale
    bool multiply;   ///< or divide
    T* removed;      ///< not null: lane 0 holds the constant mode, which becomes 0; its value goes here
};

/// |x|, without the standard library: its functions must not be compiled here (lanes.hpp).
template <class T>
POISSON3D_INLINE T size(T x) {
    return x < 0 ? -x : x;
}

template <class T>
POISSON3D_INLINE Element<T> over_eigenvalues(const BlockModes<T>& modes, Element<T> mode, Pack<T> re, Pack<T> im) {
    mode = modes.factor * mode;
    if (modes.multiply) return {mode.re * re, mode.im * im};
    return {mode.re / re, mode.im / im};
}
/// The constant mode of lane 0, set to 0, and its divisor to anything but 0.
template <class T>
POISSON3D_INLINE void remove_constant(const BlockModes<T>& modes, Element<T>& mode, Pack<T>& re) {
    *modes.removed = mode.re.v[0] * modes.factor;
    mode.re.v[0] = T(0);
    re.v[0] = T(1);
}

/// Not in the anonymous namespace: there compilers inline it, and other code would come out.
template <class Form, int r, class T>
void mode_pairs(const LineTables<T>& line, const BlockModes<T>& of_block, Element<T>* work) {
    // By value: through references they would be read again after every store.
    const lines::ButterflyPairs<T, Plain> butterflies = line.mode_butterflies;
    const BlockModes<T> modes = of_block;
    const Complex<T>* const eigenvalues = line.eigenvalue_pairs;
    const Complex<T>* const alphas = line.modes_in.alpha;
    const Complex<T> self_paired_out = line.modes_out.self_paired, self_paired_in = line.modes_in.self_paired;
    constexpr PairMapEntry no_signs{0};
    for (int o = 0; o < butterflies.items.count; ++o) {
        Element<T> a[r], b[r];
        butterflies_out_of_work<r, Form>(butterflies, o, work, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const int entry = m * butterflies.items.count + o;
            const Complex<T> along = eigenvalues[entry];
            const Complex<T> alpha = alphas[entry];  // of pairs the same there and back
            const bool self_paired = lines::is_self_paired<r, Form>(m, o);
            Element<T>& first = lines::pair_first<r, false>(a, b, m);
            Element<T>& second = lines::pair_second<r, false>(a, b, m);
            if (self_paired)
                lines::scale_parts(self_paired_out, first, second);
            else if constexpr (Form::pairs)
                lines::pair_step<PairStep::combine>(no_signs, alpha, first, second);
            Pack<T> first_re = modes.re + along.re;
            if (m == (Form::pairs ? lines::self_paired_index<r> : 0) && o == 0 && modes.removed != nullptr)
                remove_constant(modes, first, first_re);
            first = over_eigenvalues(modes, first, first_re, modes.im + along.re);
            second = over_eigenvalues(modes, second, modes.re + along.im, modes.im + along.im);
            if (self_paired)
                lines::scale_parts(self_paired_in, first, second);
            else if constexpr (Form::pairs)
                lines::pair_step<PairStep::split>(no_signs, alpha, first, second);
            else
                lines::scale_parts(Complex<T>{size(alpha.re), size(alpha.im)}, first, second);
        }
        butterflies_into_work<r, Form>(butterflies, o, work, a, b);
    }
}

template <class T>
void chirped_modes(const LineTables<T>& line, const BlockModes<T>& modes, Element<T>* work) {
    constexpr int r = lines::chirped_radix<Plain>;
    const lines::Symmetric<T, Plain>& side = line.symmetric;
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        lines::chirped_last(side, line.modes_out, j, work, z);
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const Complex<T> along = line.eigenvalue_pairs[m / 2 * side.items.count + j];
            Pack<T> first_re = modes.re + along.re;
            if (m == r / 4 && j == 0 && modes.removed != nullptr) remove_constant(modes, z[m], first_re);
            z[m] = over_eigenvalues(modes, z[m], first_re, modes.im + along.re);
            z[m + 1] = over_eigenvalues(modes, z[m + 1], modes.re + along.im, modes.im + along.im);
        }
        lines::chirped_first(side, line.modes_in, j, work, z);
    }
}

template <class T>
POISSON3D_INLINE void walk_modes(const LineTables<T>& line, const BlockModes<T>& modes, Element<T>* work) {
    if (line.symmetric_chirp()) return chirped_modes(line, modes, work);
    with_kind(line.form, [&]<Kind kind>() {
        with_radix(line.mode_butterflies.radix,
                   [&]<int r>() { mode_pairs<Form<kind, Side::modes>, r>(line, modes, work); });
    });
}

}  // namespace poisson3d::POISSON3D_ISA
