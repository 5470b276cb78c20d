// The phases of periodic lines by a chirp that kernels know (known_periodic_chirp.hpp): samples in classes of the
// first step, as they lie; modes in pairs k and n − k, by way of shared memory.
#pragma once

#include "known_periodic_chirp.hpp"
#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"

namespace poisson3d::device {

/// body(c, line of the block in shared memory) for every class of every line that there is.
template <bool across, class T, class F, class Body>
POISSON3D_HD void for_classes(const PassTask<T, F>& task, const BlockPosition<T>& block, const Body& body) {
    for_items<across, 1>(task, task.classes, [&](int c, int line) {
        if (RealLines<T>(task, block, line).there) body(c, block.lines + line * task.pitch);
    });
}

template <Role role, Layout layout, class T, class F>
POISSON3D_HD void load_periodic_samples(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    for_loaded<role, layout, true, true>(
        task, block, task.classes, [&](int c, Complex<T>* line, const auto& reader) {
            // Instead of one that does not exist the first sample is read, since its w is 0.
            const auto index = [&](int m) { return task.there(m, c) ? c + m * Line::length : 0; };
            Complex<T> z[Line::radix];
            POISSON3D_UNROLL
            for (int m = 0; m < Line::wanted; ++m) z[m] = reader.raw(index(m));
            POISSON3D_UNROLL
            for (int m = 0; m < Line::wanted; ++m) reader.touch(index(m), z[m]);
            chirped_first(task.fft, task.chirp, c, line, z);
        });
}

template <Role role, Layout layout, class T, class F>
POISSON3D_HD void store_periodic_samples(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    for_stored<role, layout, true, true>(task, block, task.classes,
                                         [&](int c, const Complex<T>* line, const auto& writer) {
                                             Complex<T> z[Line::radix];
                                             chirped_last(task.fft, task.chirp, c, line, z);
                                             POISSON3D_UNROLL
                                             for (int m = 0; m < Line::wanted; ++m)
                                                 if (task.there(m, c)) writer.write(c + m * Line::length, z[m]);
                                         });
}

/// From the FFTs' elements to modes in natural order, in places of the class, and from modes to them.
template <bool across, class T, class F>
POISSON3D_HD void classes_to_modes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    for_classes<across>(task, block, [&](int c, Complex<T>* line) {
        Complex<T> z[Line::radix];
        chirped_last(task.fft, task.chirp, c, line, z);
        Complex<T>* const at = line + Line::template offset<T>(c);
        POISSON3D_UNROLL
        for (int m = 0; m < Line::wanted; ++m) store(at + m * Line::apart, z[m]);
    });
}
template <bool across, class T, class F>
POISSON3D_HD void modes_to_classes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    for_classes<across>(task, block, [&](int c, Complex<T>* line) {
        Complex<T> z[Line::radix];
        const Complex<T>* const at = line + Line::template offset<T>(c);
        POISSON3D_UNROLL
        for (int m = 0; m < Line::wanted; ++m) z[m] = task.there(m, c) ? load(at + m * Line::apart) : Complex<T>{};
        chirped_first(task.fft, task.chirp, c, line, z);
    });
}

/// A thread asks for the modes of several pairs before it uses the first.
template <Role role, Layout layout, class T, class F>
POISSON3D_HD void load_periodic_modes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    constexpr int number = 4;
    for_loaded<role, layout, true, true, number>(
        task, block, task.pairs, [&](const ItemGroup<number>& items, Complex<T>* line, const auto& reader) {
            Complex<T> first[number], second[number];
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                first[i] = reader.raw(items[i]);
                second[i] = reader.raw(task.partner(items[i]));
            }
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                if (!items.there(i)) continue;
                const int k = items[i], other = task.partner(k);
                if (k == 0)
                    scale_parts(task.modes_in.self_paired, first[i], second[i]);
                else
                    pair_of_modes(first[i], second[i]);
                store(line + Line::template element<T>(k), first[i]);
                if (other != k) store(line + Line::template element<T>(other), second[i]);
            }
        });
}

template <Role role, Layout layout, class T, class F>
POISSON3D_HD void store_periodic_modes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    constexpr int number = 4;
    for_stored<role, layout, true, true, number>(
        task, block, task.pairs, [&](const ItemGroup<number>& items, const Complex<T>* line, const auto& writer) {
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                if (!items.there(i)) continue;
                const int k = items[i], other = task.partner(k);
                Complex<T> first = load(line + Line::template element<T>(k));
                Complex<T> second = load(line + Line::template element<T>(other));
                if (k == 0)
                    scale_parts(task.modes_out.self_paired, first, second);
                else
                    modes_of_pair(first, second);
                writer.write(k, first);
                if (other != k) writer.write(other, second);
            }
        });
}

/// Mode space of the middle pass.
template <class T, class F>
POISSON3D_HD void divide_periodic_modes(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    using Line = typename PassTask<T, F>::Line;
    const T sum = task.lambda_slow[block.slow] + task.shift_by;
    along_lines(task.pairs, task.count, [&](int k, int number) {
        const RealLines<T> lines(task, block, number);
        if (!lines.there) return;
        const T re = sum + load_table(task.lambda_lanes + lines.first);
        const T im = sum + load_table(task.lambda_lanes + lines.first + (lines.paired ? 1 : 0));
        const int other = task.partner(k);
        Complex<T>* const line = block.lines + number * task.pitch;
        Complex<T>* const at = line + Line::template element<T>(k);
        Complex<T>* const opposite = line + Line::template element<T>(other);
        Complex<T> first = load(at), second = load(opposite);
        if (k == 0)
            scale_parts(task.modes_out.self_paired, first, second);
        else
            modes_of_pair(first, second);
        const Complex<T> along = load_table(task.lambda_line + k);
        T first_re = re + along.re, first_im = im + along.re;
        if (k == 0 && task.removed != nullptr && block.slow == 0 && lines.first == 0) {
            task.removed[block.field * task.removed_field] = first.re * task.factor;
            first.re = T(0);
            first_re = T(1);                                      // anything but 0
            if (!lines.paired) first.im = T(0), first_im = T(1);  // a copy of the constant, not divided
        }
        first = over_eigenvalues(task, first, first_re, first_im);
        second = over_eigenvalues(task, second, re + along.im, im + along.im);
        if (k == 0)
            scale_parts(task.modes_in.self_paired, first, second);
        else
            pair_of_modes(first, second);
        store(at, first);
        if (other != k) store(opposite, second);
    });
}

/// All that is between first and last steps, which the middle pass calls twice. Returns after a barrier.
template <class T, class F, class Barrier>
POISSON3D_HD_CALLED void between_classes(const PassTask<T, F>& task, Complex<T>* lines, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
#endif
    known_convolution(task.fft, task.chirp, lines, task.pitch, task.count, barrier);
}

/// All phases on a block.
template <Role role, Layout in, Layout out, class T, class F, class Barrier>
POISSON3D_HD void run_periodic_chirp(const PassTask<T, F>& task, const BlockPosition<T>& block,
                                     const Barrier& barrier) {
    if constexpr (reads_samples(role)) {
        load_periodic_samples<role, in>(task, block);
    } else {
        load_periodic_modes<role, in>(task, block);
        barrier();
        modes_to_classes<in == Layout::columns>(task, block);
    }
    if constexpr (role == Role::middle) {
        between_classes(task, block.lines, barrier);
        classes_to_modes<true>(task, block);
        barrier();
        divide_periodic_modes(task, block);
        barrier();
        modes_to_classes<true>(task, block);
        between_classes(task, block.lines, barrier);
    } else {
        known_convolution(task.fft, task.chirp, block.lines, task.pitch, task.count, barrier);
    }
    if constexpr (writes_samples(role)) {
        store_periodic_samples<role, out>(task, block);
    } else {
        classes_to_modes<!in_rows(out)>(task, block);
        barrier();
        store_periodic_modes<role, out>(task, block);
    }
}

}  // namespace poisson3d::device
