// Mode space, between the way there and the way back of the middle pass: the last step, division, the first step
// back, without leaving registers.
#pragma once

#include <cmath>

#include "pass.hpp"

namespace poisson3d::device {

/// Divides (or multiplies) an element of lines l and l + 1 by their eigenvalues.
template <class T, class F>
POISSON3D_HD Complex<T> over_eigenvalues(const PassTask<T, F>& task, Complex<T> mode, T re, T im) {
    mode = task.factor * mode;
    if (task.multiply) return {mode.re * re, mode.im * im};
    return {lines::quotient(mode.re, re), lines::quotient(mode.im, im)};
}

/// A mode's sign in the field cancels between the way there and the way back, so it is left out of both.
template <bool pairs, class T>
POISSON3D_HD void modes_there(Complex<T> alpha, Complex<T>& first, Complex<T>& second) {
    if constexpr (pairs) pair_step<PairStep::combine>(PairMapEntry{0}, alpha, first, second);
}
template <bool pairs, class T>
POISSON3D_HD void modes_back(Complex<T> alpha, Complex<T>& first, Complex<T>& second) {
    if constexpr (pairs)
        pair_step<PairStep::split>(PairMapEntry{0}, alpha, first, second);
    else
        scale_parts(Complex<T>{std::abs(alpha.re), std::abs(alpha.im)}, first, second);
}

template <int r, class Form, class T, class F>
POISSON3D_HD void mode_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr bool pairs = Form::pairs;
    const auto& butterflies = task.mode_butterflies;
    const T sum = task.lambda_slow[block.slow] + task.shift_by;
    along_lines(butterflies.items, task.count, [&](int o, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        const T re = sum + load_table(task.lambda_lanes + lines.first);
        const T im = sum + load_table(task.lambda_lanes + lines.first + (lines.paired ? 1 : 0));
        const bool constant = task.removed != nullptr && block.slow == 0 && lines.first == 0 && o == 0;
        Complex<T>* const at = block.lines + line * task.pitch;
        Complex<T> a[r], b[r];
        last_step<r, Form>(butterflies, o, at, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const int entry = m * butterflies.items.count + o;
            const Complex<T> along = load_table(task.lambda_line + entry);
            const auto alpha = task.modes_in.factors(entry, m, o);  // of pairs the same there and back
            const bool self_paired = is_self_paired<r, Form>(m, o);
            Complex<T>& first = pair_first<r, false>(a, b, m);
            Complex<T>& second = pair_second<r, false>(a, b, m);
            if (self_paired)
                scale_parts(task.modes_out.self_paired, first, second);
            else
                modes_there<pairs>(alpha, first, second);
            T first_re = re + along.re;
            T first_im = im + along.re;
            if (m == (pairs ? self_paired_index<r> : 0) && constant) {
                task.removed[block.field * task.removed_field] = first.re * task.factor;
                first.re = T(0);
                first_re = T(1);                                      // anything but 0
                if (!lines.paired) first.im = T(0), first_im = T(1);  // a copy of the constant, not divided
            }
            first = over_eigenvalues(task, first, first_re, first_im);
            second = over_eigenvalues(task, second, re + along.im, im + along.im);
            if (self_paired)
                scale_parts(task.modes_in.self_paired, first, second);
            else
                modes_back<pairs>(alpha, first, second);
        }
        first_step<r, Form>(butterflies, o, at, a, b);
    });
}

template <class Variant, class T, class F>
POISSON3D_HD void modes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    with_radix_of<Variant::outer>(task.mode_butterflies,
                                  [&]<int r>() { mode_pairs<r, typename Variant::Modes>(task, block); });
}

}  // namespace poisson3d::device
