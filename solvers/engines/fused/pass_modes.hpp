// Mode space, between the way there and the way back of the middle pass: the last step, division, the first step back,
// without leaving registers.
#pragma once

#include "pass.hpp"

namespace poisson3d::fused {

/// Divides (or multiplies) an element of lines l and l + 1 by their eigenvalues.
template <class T>
POISSON3D_HD Complex<T> over_eigenvalues(const PassTask<T>& task, Complex<T> mode, T re, T im) {
    mode = task.factor * mode;
    if (task.multiply) return {mode.re * re, mode.im * im};
    return {cufft::quotient(mode.re, re), cufft::quotient(mode.im, im)};
}

template <int r, Mix out, Mix in, class T>
POISSON3D_HD void mode_twins(const PassTask<T>& task, const Place<T>& place) {
    const Twins<T>& twins = task.mode_twins;
    const T sum = task.lambda_slow[place.slow] + task.shift_by;
    along_lines(twins.items, task.count, place.team, [&](int o, int line) {
        const RealLines<T> lines(task, place, line);
        if (!lines.there) return;
        const T re = sum + load_table(task.lambda_lanes + lines.first);
        const T im = sum + load_table(task.lambda_lanes + lines.first + (lines.paired ? 1 : 0));
        const bool constant = task.removed != nullptr && place.slow == 0 && lines.first == 0;
        Complex<T>* const at = place.lines + line * task.pitch;
        Complex<T> a[r], b[r];
        read_twins(twins, o, at, a, b);
        last_step(twins, o, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const int entry = m * twins.items.count + o;
            const SlotWord word{load_table(task.modes_out.words + entry)};
            const SlotWord back{load_table(task.modes_in.words + entry)};
            const Complex<T> along = load_table(task.lambda_line + entry);
            Complex<T>& first = slot_first(a, b, m);
            Complex<T>& second = slot_second(a, b, m);
            mix_slot<r, out>(twins, task.modes_out, word, m, o, first, second);
            T first_re = re + along.re;
            T first_im = im + along.re;
            if (constant && word.first() == 0) {
                *task.removed = first.re * task.factor;
                first.re = T(0);
                first_re = T(1);  // anything but 0
                if (!lines.paired) first_im = T(1);
            }
            first = over_eigenvalues(task, first, first_re, first_im);
            second = over_eigenvalues(task, second, re + along.im, im + along.im);
            if (word.first() == nowhere) first = {0, 0};
            if (word.second() == nowhere) second = {0, 0};
            mix_slot<r, in>(twins, task.modes_in, back, m, o, first, second);
        }
        first_step(twins, o, a, b);
        store_twins(twins, o, at, a, b);
    });
}

/// A transform that ends by combining pairs has an inverse that begins by splitting them; others mix none.
template <bool twos, class T>
POISSON3D_HD void modes(const PassTask<T>& task, const Place<T>& place) {
    with_radix<twos>(task.mode_twins.radix, [&]<int r>() {
        if (task.modes_out.mix == Mix::combine)
            mode_twins<r, Mix::combine, Mix::split>(task, place);
        else
            mode_twins<r, Mix::signs, Mix::factors>(task, place);
    });
}

}  // namespace poisson3d::fused
